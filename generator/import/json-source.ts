import {
  findNodeAtLocation,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";
import { indexLines } from "../1-load/line-index.js";
import { documentSyntax } from "../model/catalogue/imports.js";
import { isJsonObject, type JsonObject } from "../model/json.js";
import type { DocumentPath, DocumentSource, Read } from "./api-document.js";

/** The most levels of lists and objects. */
const MAX_DEPTH = 200;

/**
 * The most commas, colons and opening brackets. A node of the parsed text takes some 200 bytes, so that this bounds the
 * memory. The largest documents of people have a million.
 */
const MAX_MARKS = 3_000_000;

/** The most blanks and line ends in a row, of which the parser keeps each one. */
const MAX_BLANKS = 1_000_000;

/**
 * Reads a JSON text, with limits for its depth and size.
 *
 * @param file the path that diagnostics show
 * @param text the text, with line feeds as line ends
 */
export function readJson(file: string, text: string): Read<{ readonly source: DocumentSource }> {
  const limit = beyondLimits(text);
  if (limit !== undefined) {
    const { problem, at } = limit;
    // The text after the place may have any number of lines.
    const place = indexLines(file, text.slice(0, at + 1)).place(at, at + 1);
    return { problem: documentSyntax(place, { problem }) };
  }
  const lines = indexLines(file, text);
  const problemAt = (problem: string, offset: number) => ({
    problem: documentSyntax(lines.place(offset, offset + 1), { problem }),
  });
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    const errorName = error === undefined ? "nothing" : printParseErrorCode(error.error);
    return problemAt(`cannot be read as JSON: ${errorName}`, error?.offset ?? 0);
  }
  const secondKey = repeatedKey(root);
  if (secondKey !== undefined)
    return problemAt(`has the key "${String(secondKey.value)}" twice`, secondKey.offset);
  const value = JSON.parse(text) as JsonObject;
  if (!isJsonObject(value)) return problemAt("is no object", 0);
  const locate = (path: DocumentPath) => {
    const { offset, length } = nearestNode(root, path);
    return lines.place(offset, offset + length);
  };
  return { source: { file, text, value, locate } };
}

/** Where a text goes beyond a limit, and how. Characters in strings do not count. */
function beyondLimits(text: string): { readonly problem: string; readonly at: number } | undefined {
  let [depth, marks, blanks] = [0, 0, 0];
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at += 1;
      else if (character === '"') inString = false;
      continue;
    }
    const isBlank =
      character === " " || character === "\n" || character === "\t" || character === "\r";
    blanks = isBlank ? blanks + 1 : 0;
    if (blanks > MAX_BLANKS) return { problem: `has more than ${MAX_BLANKS} blanks in a row`, at };
    if (character === '"') inString = true;
    else if (character === "}" || character === "]") depth -= 1;
    else if (character === "{" || character === "[") depth += 1;
    if (character === "{" || character === "[" || character === "," || character === ":")
      marks += 1;
    if (depth > MAX_DEPTH) return { problem: `is nested more than ${MAX_DEPTH} levels deep`, at };
    if (marks > MAX_MARKS) return { problem: `has more than ${MAX_MARKS} keys and values`, at };
  }
  return undefined;
}

/** The second of two equal keys in an object. Undefined if there are none. */
function repeatedKey(node: Node): Node | undefined {
  const children = node.children ?? [];
  if (node.type === "object") {
    const seen = new Set<unknown>();
    for (const { children: [key] = [] } of children) {
      if (key !== undefined && seen.has(key.value)) return key;
      seen.add(key?.value);
    }
  }
  for (const child of children) {
    const innerKey = child.children === undefined ? undefined : repeatedKey(child);
    if (innerKey !== undefined) return innerKey;
  }
  return undefined;
}

function nearestNode(root: Node, path: DocumentPath): Node {
  let node = root;
  for (const segment of path) {
    const key = node.type === "array" ? Number(segment) : String(segment);
    const next = findNodeAtLocation(node, [key]);
    if (next === undefined) break;
    node = next;
  }
  return node;
}
