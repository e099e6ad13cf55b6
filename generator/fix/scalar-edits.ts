import { isAlias, isMap, isScalar, type Scalar } from "yaml";
import type { JsonValue } from "../model/json.js";
import { quotedSource } from "../text/flow-text.js";
import { flowText, wholeFlowYaml } from "../text/flow-yaml.js";
import { isSureName } from "../text/nearest-name.js";
import { collectionAround, nodeAt, scalarAt, sliceOf, type Changes, type Site } from "./site.js";

/** Edits of one key or one value. */

export function renameKey(site: Site, to: string, ifOnly: boolean): Changes {
  const found = scalarAt(site, true);
  const map = found && collectionAround(found);
  if (found === undefined || !isMap(map) || typeof found.node.value !== "string") return undefined;
  const isTaken = map.items.some(({ key }) => isScalar(key) && key.value === to);
  if (isTaken || (ifOnly && !isSure(site, found.node.value, to))) return undefined;
  return [{ ...rangeOf(found), text: inQuotesOf(found.node, to) }];
}

export function setText(site: Site, to: string, ifOnly: boolean): Changes {
  const found = scalarAt(site);
  if (found === undefined || typeof found.node.value !== "string") return undefined;
  if (ifOnly && !isSure(site, found.node.value, to)) return undefined;
  return [{ ...rangeOf(found), text: inQuotesOf(found.node, to) }];
}

export function setValue(site: Site, to: JsonValue): Changes {
  const found = nodeAt(site, ({ isKey }) => !isKey);
  if (found === undefined || found.start === found.end) return undefined;
  const written = sliceOf(site.source, found);
  const isBlock = isScalar(found.node) && found.node.type?.startsWith("BLOCK") === true;
  if (isBlock || written.includes("\n") || written.includes("#")) return undefined;
  return [{ ...rangeOf(found), text: wholeFlowYaml(to) }];
}

/** Puts what is written into quotes: a number or the like, an alias, or what YAML takes for a mapping. */
export function quote(site: Site, isKey: boolean): Changes {
  const { source, start, end } = site;
  const written = source.text.slice(start, end);
  const found = nodeAt(site, (node) => node.isKey === isKey);
  const isQuoted = isScalar(found?.node) && found.node.type !== "PLAIN";
  // Where there are anchors, the name of one may be misspelt.
  if (isAlias(found?.node) && /&\w/.test(source.text)) return undefined;
  if (found === undefined || isQuoted || written === "" || /[\n"']/.test(written)) return undefined;
  return [{ start, end, text: quotedSource(written) }];
}

/** Puts a value under a key, or into a list. */
export function wrap(site: Site, before: string, after: string): Changes {
  const found = nodeAt(site, ({ isKey }) => !isKey);
  if (found === undefined || found.start === found.end) return undefined;
  const written = sliceOf(site.source, found);
  const isText = isScalar(found.node) && found.node.type === "PLAIN";
  const isBlock = isScalar(found.node) && found.node.type?.startsWith("BLOCK") === true;
  if (isBlock || written.includes("\n") || /\s#/.test(written)) return undefined;
  if (isText && typeof found.node.value === "string" && flowText(written) !== written)
    return [{ ...rangeOf(found), text: before + quotedSource(written) + after }];
  const { start, end } = found;
  return [
    { start, end: start, text: before },
    { start: end, end, text: after },
  ];
}

/** Replaces a part that the range, or else its line, has once. */
export function replacePart(site: Site, from: string, to: string, ifOnly: boolean): Changes {
  const { source, start, end } = site;
  const name = (text: string) => text.replace(/^:/, "");
  if (ifOnly && !isSure(site, name(from), name(to))) return undefined;
  const lineStart = source.lineStart(start);
  const ranges = [
    [start, end],
    [lineStart, source.lineEnd(start)],
  ] as const;
  for (const [first, last] of ranges) {
    const parts = source.text.slice(first, last).split(from);
    if (parts.length !== 2 || from === "") continue;
    const at = first + (parts[0] ?? "").length;
    return [{ start: at, end: at + from.length, text: to }];
  }
  return undefined;
}

/** True if a name, or the last part of a path, can mean only one of the names of the file. */
function isSure({ source }: Site, found: string, to: string): boolean {
  const last = (name: string) => name.split(/[/.]/).at(-1) ?? "";
  const isAlike = (name: string) => caseOf(name) === caseOf(to) && name !== found;
  const names = source.names().filter(isAlike);
  return last(found) === last(to) || isSureName(last(found), last(to), names);
}

/** Keys of manifests have capitals inside, and names of variables have no others: one is not the other, misspelt. */
function caseOf(name: string): "lower" | "upper" | "mixed" {
  if (name === name.toLowerCase()) return "lower";
  return name === name.toUpperCase() ? "upper" : "mixed";
}

function rangeOf({ start, end }: { start: number; end: number }) {
  return { start, end };
}

/** A text in the quotes of another, or without where it needs none. */
function inQuotesOf({ type }: Scalar, text: string): string {
  if (type === "QUOTE_SINGLE" && !/[\n\t]/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return type === "PLAIN" ? flowText(text) : JSON.stringify(text);
}
