import { Document, isMap, isSeq, type Node, type Pair, type Scalar } from "yaml";
import type { JsonValue } from "../model/json.js";

const WIDTH = 100;

/** Short mappings and lists of one line, under keys whose values read well so. */
function isShort(value: JsonValue, indent: number): boolean {
  return JSON.stringify(value).length + indent < WIDTH - 12;
}

/** A manifest as a person lays it out: what fits on a line of its own stands on one. */
export function manifestText(manifest: readonly (readonly [string, JsonValue])[]): string {
  const sections = manifest.map(([key, value]) => {
    const document = new Document({ [key]: value });
    layOut(document.contents as Node, 0, true);
    return document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd();
  });
  const comment = "# yaml-language-server: $schema=./mcp.schema.json\n";
  return `${comment}${sections.map((text, index) => (isBlock(text) && index > 0 ? `\n${text}` : text)).join("\n")}\n`;
}

const isBlock = (section: string): boolean => section.includes("\n");

/** Keys whose values are read from top to bottom, however short they are. */
const OPEN: ReadonlySet<string> = new Set([
  "tools",
  "resources",
  "resourceTemplates",
  "prompts",
  "http",
  "inputSchema",
  "upstreams",
  "env",
  "schemas",
  "properties",
]);

function layOut(node: Node, indent: number, isOpen: boolean): void {
  if (isMap(node)) {
    if (!isOpen && isShort(node.toJSON() as JsonValue, indent)) node.flow = true;
    else for (const pair of node.items) layOutEntry(pair as Pair<Scalar, Node>, indent);
  } else if (isSeq(node)) {
    if (!isOpen && isShort(node.toJSON() as JsonValue, indent)) node.flow = true;
    else node.items.forEach((item, index) => layOutItem(item as Node, index, indent + 2, isOpen));
  }
}

function layOutEntry({ key, value }: Pair<Scalar, Node>, indent: number): void {
  const name = String(key.value);
  if (isMap(value) || isSeq(value)) {
    const isEmpty = value.items.length === 0;
    layOut(value, indent + name.length + 2, OPEN.has(name) && !isEmpty && indent < 8);
  }
}

/** The items of the manifest's lists have a blank line between them. */
function layOutItem(item: Node, index: number, indent: number, isOfManifest: boolean): void {
  if (isOfManifest && index > 0) item.spaceBefore = true;
  layOut(item, indent, isOfManifest);
}
