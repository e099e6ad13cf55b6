import { isMap, isScalar, isSeq, type YAMLMap, type YAMLSeq } from "yaml";
import { endOf } from "../1-load/locate.js";
import type { JsonValue } from "../model/json.js";
import { flowText, wholeFlowYaml } from "../text/flow-yaml.js";
import type { Splice } from "../text/splice.js";
import { wrap } from "./scalar-edits.js";
import { collectionAround, mappingAt, nodeAt, type Changes, type Site } from "./site.js";
import type { YamlSource } from "./yaml-source.js";

/** Edits of lists and mappings. */

export function addKey(site: Site, key: string, value: JsonValue): Changes {
  const found = mappingAt(site);
  if (found === undefined) return undefined;
  const { node, start } = found;
  if (node.items.some((entry) => isScalar(entry.key) && entry.key.value === key)) return undefined;
  const entry = `${flowText(key)}: ${wholeFlowYaml(value)}`;
  const { source } = site;
  if (node.flow === true) {
    const [first] = partsOf(source, node);
    const at = first?.end ?? start + 1;
    return [{ start: at, end: at, text: first === undefined ? ` ${entry} ` : `, ${entry}` }];
  }
  // Behind the first entry, which is the name of an item or the type of a transport.
  const indentation = " ".repeat(source.before(start).length);
  const second = rangeStart(node.items[1]?.key);
  if (source.text[start] === "?" || (second !== undefined && source.before(second).trim() !== ""))
    return undefined;
  if (second !== undefined)
    return [{ start: second, end: second, text: `${entry}\n${indentation}` }];
  const end = source.lineEnd(found.end);
  return [{ start: end, end, text: `\n${indentation}${entry}` }];
}

/** Puts a value into a list: within a line in brackets, over several lines with a dash. */
export function putIntoList(site: Site): Changes {
  const found = nodeAt(site, ({ isKey }) => !isKey);
  if (found === undefined) return undefined;
  const { source, start, end } = site;
  if (!isMap(found.node) || found.node.flow === true) return wrap(site, "[", "]");
  // The dash is where the mapping starts, and all its lines move to the right.
  if (source.before(start).trim() !== "") return undefined;
  const starts = lineStarts(source, start, end).map((at) => ({ start: at, end: at, text: "  " }));
  return [{ start, end: start, text: "- " }, ...starts];
}

/** The starts of the lines after the first one of a range that are not empty. */
function lineStarts(source: YamlSource, start: number, end: number): number[] {
  const starts: number[] = [];
  for (let at = source.lineEnd(start) + 1; at < end; at = source.lineEnd(at) + 1)
    if (source.lineEnd(at) > at) starts.push(at);
  return starts;
}

export function takeOutOfList(site: Site): Changes {
  const found = nodeAt(site, ({ node }) => isSeq(node));
  if (!isSeq(found?.node) || found.node.items.length !== 1) return undefined;
  const { source } = site;
  const { start, end } = found;
  if (found.node.flow !== true) {
    if (source.text[start] !== "-" || source.before(start).trim() !== "") return undefined;
    return [{ start, end: start + 1, text: " " }];
  }
  const item: unknown = found.node.items[0];
  const [first, last] = [rangeStart(item), endOf(item)];
  const isPlain = isMap(item) || (isScalar(item) && item.type !== "PLAIN");
  if (first === undefined || !isPlain || source.text.slice(start, end).includes("#"))
    return undefined;
  return [
    { start, end: first, text: "" },
    { start: last, end, text: "" },
  ];
}

/** Removes a part of a list or a mapping that is there before with the same text. */
export function removeRepeated(site: Site): Changes {
  const found = nodeAt(site, (node) => collectionAround(node) !== undefined);
  const around = found && collectionAround(found);
  if (found === undefined || around === undefined) return undefined;
  const parts = partsOf(site.source, around);
  const index = parts.findIndex(({ start, end }) => start <= found.start && found.end <= end);
  const part = parts[index];
  const isThereBefore = parts.slice(0, index).some(({ text }) => text === part?.text);
  if (part === undefined || index < 1 || !isThereBefore) return undefined;
  const removal =
    around.flow === true
      ? { start: parts[index - 1]?.end ?? part.start, end: part.end, text: "" }
      : wholeLines(site.source, part);
  const removed = removal && site.source.text.slice(removal.start, removal.end);
  return removal === undefined || removed?.includes("#") === true ? undefined : [removal];
}

/** The members of a collection, each with what it means as its text. */
function partsOf({ text }: YamlSource, collection: YAMLMap | YAMLSeq): Splice[] {
  return collection.items.flatMap((item: unknown) => {
    const pair = isMap(collection) ? (item as YAMLMap["items"][number]) : undefined;
    const start = rangeStart(pair?.key ?? item);
    if (start === undefined) return [];
    const end = Math.max(endOf(pair?.key ?? item), endOf(pair?.value ?? item), start);
    const trimmed = text.slice(0, end).trimEnd().length;
    return [{ start, end: trimmed, text: meaningOf(item, text.slice(start, trimmed)) }];
  });
}

/** Texts mean the same in all quotes. */
function meaningOf(item: unknown, written: string): string {
  return isScalar(item) ? JSON.stringify(item.value) : written.replace(/ +/g, " ");
}

/** The lines of a part, from its indentation to the start of the next line. */
function wholeLines(source: YamlSource, { start, end }: Splice): Splice | undefined {
  const first = source.lineStart(start);
  if (!/^ *(?:- *)?$/.test(source.before(start))) return undefined;
  const last = source.lineEnd(end);
  if (source.text.slice(end, last).trim() !== "") return undefined;
  const isAtEnd = last === source.text.length;
  return {
    start: isAtEnd ? Math.max(first - 1, 0) : first,
    end: isAtEnd ? last : last + 1,
    text: "",
  };
}

function rangeStart(node: unknown): number | undefined {
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return undefined;
  return node.range?.[0];
}
