import { isJsonObject, type JsonValue } from "../model/json.js";
import type { ManifestPath } from "../model/loaded-manifest.js";
import { flowYaml } from "../text/flow-yaml.js";
import {
  accepts,
  acceptedTypes,
  resolveNode,
  typesOf,
  type SchemaNode,
} from "./manifest-schema.js";
import { nearestValue } from "./nearest-value.js";

/**
 * What stands in full for a mapping of which someone wrote only one value: `{max: 3}` for `retries: 3`.
 * An ellipsis stands for values that only the author knows.
 */

/** The mapping that a value in its place most likely means, as YAML. */
export function fullForm(
  node: SchemaNode,
  value: JsonValue,
  path: ManifestPath,
): string | undefined {
  if (typeof value !== "string") return soleKeyForm(node, value);
  return (
    contentForm(value, path) ??
    flagForm(node, value) ??
    soleKeyForm(node, value) ??
    (typeof path.at(-1) === "number" ? itemForm(node, value) : undefined)
  );
}

/** Writes a text as a message or as a content block, if the key takes these. */
function contentForm(text: string, path: ManifestPath): string | undefined {
  const last = path.at(-1);
  const key = typeof last === "number" ? path.at(-2) : last;
  const block = { type: "text", text };
  if (key === "messages") return flowYaml({ role: "user", content: block });
  return key === "content" ? flowYaml(block) : undefined;
}

/** Writes the name of a flag as a flag that is on, such as `{link: true}`. */
function flagForm({ properties = {} }: SchemaNode, text: string): string | undefined {
  const property = Object.hasOwn(properties, text) ? properties[text] : undefined;
  return property !== undefined && isFlag(property) ? `{${text}: true}` : undefined;
}

/** True if a value can be `true`, and nothing but true or false. */
export function isFlag(unresolved: SchemaNode): boolean {
  const node = resolveNode(unresolved);
  return node.const === true || typesOf(node).join() === "boolean";
}

/** Writes a value under the only key that a mapping needs. */
function soleKeyForm(node: SchemaNode, value: JsonValue): string | undefined {
  const [key, another] = node.required ?? [];
  if (key === undefined || another !== undefined) return undefined;
  const branches = (node.oneOf ?? []).map((branch) => resolveNode(branch).properties?.[key]?.const);
  if (branches.length > 0) {
    const constants = branches.filter((constant) => typeof constant === "string");
    const meant = typeof value === "string" ? nearestValue(value, constants) : undefined;
    return meant && `{${key}: ${meant}}`;
  }
  const property = node.properties?.[key];
  if (property === undefined) return undefined;
  const resolved = resolveNode(property);
  if (fits(resolved, value)) return `{${key}: ${flowYaml(value)}}`;
  if (typeof value !== "string" || !acceptedTypes(resolved).has("array")) return undefined;
  return `{${key}: ${flowYaml(listOf(key, value))}}`;
}

function fits(node: SchemaNode, value: JsonValue): boolean {
  if (isJsonObject(value) || value === null || !accepts(node, value)) return false;
  if (node.enum !== undefined) return node.enum.includes(value);
  if (Array.isArray(value)) {
    const item = node.items && resolveNode(node.items);
    return value.every((entry) => item === undefined || fits(item, entry));
  }
  return node.pattern === undefined || new RegExp(node.pattern, "u").test(String(value));
}

/** Writes a text as an item of a list, beside the other keys that the item needs. */
function itemForm(node: SchemaNode, text: string): string | undefined {
  const { required = [] } = node;
  if (required.length < 2) return undefined;
  const key = identifyingKey(node, text);
  const entries = required.map((name) =>
    name === key ? `${name}: ${flowYaml(text)}` : `${name}: …`,
  );
  return `{${entries.join(", ")}}`;
}

/** The required key of an item that a text is: its name, unless only another key can have such a text. */
export function identifyingKey({ required = [] }: SchemaNode, text: string): string | undefined {
  return required.includes("name") && !text.includes(":") ? "name" : required[0];
}

/** Lists of which each item is one word. */
const LISTS_OF_WORDS: ReadonlySet<string> = new Set([
  ...["algorithms", "aliases", "command", "fields", "list", "scopes"],
]);

/** The list that a text in place of a list of texts most likely means. */
export function listOf(key: string, text: string): string[] {
  if (LISTS_OF_WORDS.has(key)) return wordsOf(text);
  const items = text.split(",").map((item) => item.trim());
  return items.every((item) => item !== "") ? items : [text];
}

/** The words of a command line. Quotes hold words together. */
function wordsOf(text: string): string[] {
  const words = text.match(/"[^"]*"|'[^']*'|[^\s,]+/g) ?? [text];
  return words.map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
}
