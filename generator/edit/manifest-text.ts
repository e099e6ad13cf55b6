import { Document, isMap, isSeq, visit } from "yaml";
import type { Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import type { JsonValue } from "../model/json.js";

const WIDTH = 100;

/** True if a mapping or list fits on one line. */
function isShort(value: JsonValue, indent: number): boolean {
  return JSON.stringify(value).length + indent < WIDTH - 12;
}

/** The text of a manifest, laid out as a person would do it: a value that fits on one line is on one line. */
export function manifestText(manifest: readonly (readonly [string, JsonValue])[]): string {
  const sections = manifest.map(([key, value]) => entryText(key, value, 0));
  const comment =
    "# yaml-language-server: $schema=./node_modules/@mcpwright/runtime/mcp.schema.json\n";
  return `${comment}${sections.map((text, index) => (isBlock(text) && index > 0 ? `\n${text}` : text)).join("\n")}\n`;
}

/**
 * The text of an entry of a mapping. The first line has no indentation, and the other lines have that of the mapping.
 *
 * @param column the 0-based column of the mapping's keys
 */
export function entryText(key: string, value: JsonValue, column: number): string {
  const document = new Document({ [key]: value });
  const root = document.contents as YAMLMap<Scalar, Node>;
  if (column === 0) layOut(root, 0, 0, true);
  else for (const entry of root.items) layOutEntry(entry, column);
  return indentedText(document, column);
}

/**
 * The text of an item of a list, with its dash.
 *
 * @param column the 0-based column of the dashes
 * @param isOfManifest true for an item such as a tool, which is laid out as in a new manifest
 */
export function itemText(value: JsonValue, column: number, isOfManifest: boolean): string {
  const document = new Document([value]);
  const root = document.contents as YAMLSeq<Node>;
  for (const item of root.items) layOutItem(item, 0, column + 2, isOfManifest);
  return indentedText(document, column);
}

/** The text of a value on one line, as it is written inside of braces and brackets. */
export function flowText(value: JsonValue): string {
  const document = new Document([value]);
  visit(document, {
    Collection: (_, node) => {
      node.flow = true;
    },
    Scalar: (_, node) => {
      if (String(node.value).includes("\n")) node.type = "QUOTE_DOUBLE";
    },
  });
  return textOf(document).slice(1, -1);
}

/** The text of a scalar. @param type the style of the scalar that it replaces: a string gets the same quotes */
export function scalarText(value: JsonValue, type: Scalar.Type | undefined): string {
  const document = new Document(value);
  const isQuoted = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
  if (isQuoted && typeof value === "string") (document.contents as Scalar).type = type;
  return textOf(document);
}

function textOf(document: Document): string {
  visit(document, { Scalar: (_, node) => void (node.value = exactNumber(node.value)) });
  const text = document.toString({
    lineWidth: 0,
    flowCollectionPadding: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
  return text.trimEnd();
}

/**
 * An integer with all digits of its value, where the usual form has zeros that are none: as a bound, the greatest number
 * of 64 bits is 9223372036854775808 for whoever reads it, and not 9223372036854776000.
 */
function exactNumber(value: unknown): unknown {
  const isLong = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLong && Math.abs(value as number) < 1e21 ? BigInt(value as number) : value;
}

const indentedText = (document: Document, column: number): string =>
  textOf(document).replace(/\n(?!\n)/g, `\n${" ".repeat(column)}`);

const isBlock = (section: string): boolean => section.includes("\n");

/** Sections whose values are written on several lines, however short they are. */
const BLOCK_KEYS: ReadonlySet<string> = new Set([
  "tools",
  "resources",
  "resourceTemplates",
  "prompts",
  "upstreams",
  "env",
  "schemas",
]);

/**
 * @param indent the column of its members
 * @param start the column where the value begins if it is on one line
 */
function layOut(node: Node, indent: number, start: number, isBlockStyle: boolean): void {
  if (!isMap(node) && !isSeq(node)) return;
  if (!isBlockStyle && isShort(node.toJSON() as JsonValue, start)) node.flow = true;
  else if (isMap(node)) {
    for (const pair of node.items) layOutEntry(pair as Pair<Scalar, Node>, indent);
  } else {
    node.items.forEach((item, index) => layOutItem(item as Node, index, indent + 2, isBlockStyle));
  }
}

function layOutEntry({ key, value }: Pair<Scalar, Node>, indent: number): void {
  const name = String(key.value);
  if (isMap(value) || isSeq(value)) {
    const isBlockStyle = indent === 0 && BLOCK_KEYS.has(name) && value.items.length > 0;
    layOut(value, indent + 2, indent + name.length + 2, isBlockStyle);
  }
}

/** Lays out an item of a list. Items of the manifest have a blank line between them. */
function layOutItem(item: Node, index: number, indent: number, isOfManifest: boolean): void {
  if (isOfManifest && index > 0) item.spaceBefore = true;
  layOut(item, indent, indent, isOfManifest);
}
