import { parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import type { JsonValue } from "../model/json.js";
import { nestingOf } from "./json-document.js";

/** Maximum nesting of a document. It is more than a manifest may have. */
const MAX_NESTING = 500;

/** Which of two members with the same name counts. */
type Choice = "first" | "last";

/** What may be wrong with a document that has all lines of two: a comma stands at the end of neither, or twice. */
const LINES_OF_BOTH = new Set(["CommaExpected", "ValueExpected"]);

/**
 * The two JSON documents that version control merged by keeping all lines of both (`merge=union`): members that both
 * changed stand there twice. One document has the first of them, the other the last. Items of lists are the same if they
 * have the same `name`.
 *
 * @returns undefined if the text is not such a merge
 */
export function unionSides(text: string): [JsonValue, JsonValue] | undefined {
  if (nestingOf(text) > MAX_NESTING) return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root === undefined) return undefined;
  const isMerge = errors.every(({ error }) => LINES_OF_BOTH.has(printParseErrorCode(error)));
  return isMerge ? [valueOf(root, "first"), valueOf(root, "last")] : undefined;
}

function valueOf(node: Node, choice: Choice): JsonValue {
  const { type, children = [] } = node;
  if (type === "array") return listOf(children, choice);
  if (type !== "object") return node.value as JsonValue;
  const members = new Map<string, JsonValue>();
  for (const { children: [key, value] = [] } of children) {
    const name = String(key?.value);
    if (value !== undefined && (choice === "last" || !members.has(name)))
      members.set(name, valueOf(value, choice));
  }
  return Object.fromEntries(members);
}

function listOf(nodes: readonly Node[], choice: Choice): JsonValue[] {
  const items = new Map<unknown, JsonValue>();
  for (const node of nodes) {
    const name = nameOf(node) ?? node;
    if (choice === "last" || !items.has(name)) items.set(name, valueOf(node, choice));
  }
  return [...items.values()];
}

/** The `name` of an object. */
function nameOf({ type, children = [] }: Node): unknown {
  if (type !== "object") return undefined;
  return children.find(({ children: [key] = [] }) => key?.value === "name")?.children?.[1]?.value;
}
