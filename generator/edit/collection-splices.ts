import { isMap, isPair, isScalar, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import { endOf } from "../1-load/locate.js";
import type { JsonValue } from "../model/json.js";
import type { Splice } from "../text/splice.js";
import { entryText, flowText, itemText } from "./manifest-text.js";
import { removal, type Range, type SourceLines } from "./source-lines.js";

export type Collection = YAMLMap | YAMLSeq;

/** A new member of a list or a mapping. */
export interface Insertion {
  /** Index of the member after which it is inserted. -1 to insert it before the first one. */
  readonly after: number;
  /** Its key in a mapping. Absent in lists. */
  readonly key?: string;
  readonly value: JsonValue;
}

/** The members to remove from a list or a mapping, and the members to insert. Within braces, at least one must stay. */
export interface MemberChanges {
  readonly removed: ReadonlySet<number>;
  readonly inserted: readonly Insertion[];
}

/** The range of each entry of a mapping, from its key, or of each item of a list, from its dash. */
export function membersOf(lines: SourceLines, collection: Collection): readonly Range[] {
  const members = cachedRanges.get(collection) ?? readMembers(lines, collection);
  cachedRanges.set(collection, members);
  return members;
}

/** A cache of the ranges, since a list of a thousand tools is searched for each of its fields. */
const cachedRanges = new WeakMap<Collection, readonly Range[]>();

function readMembers(lines: SourceLines, collection: Collection): Range[] {
  if (isMap(collection)) {
    return collection.items.map((entry) => ({ start: startOf(entry.key), end: endOfEntry(entry) }));
  }
  const items = collection.items as Node[];
  if (collection.flow === true) {
    return items.map((item) => ({ start: startOf(item), end: endOf(item) }));
  }
  const [first = 0] = collection.range ?? [];
  const dash = `\n${" ".repeat(lines.column(first))}-`;
  return items.map((item, index) => ({
    start: index === 0 ? first : lines.text.lastIndexOf(dash, startOf(item)) + dash.length - 1,
    end: endOf(item),
  }));
}

const startOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0;

function endOfEntry({ key, value }: Pair): number {
  const isAbsent = value === null || (isScalar(value) && value.range?.[0] === value.range?.[1]);
  return endOf(isAbsent ? key : value);
}

/** The range to remove with a member: its lines, or its part of a line. */
export function rangeOfMember(lines: SourceLines, collection: Collection, index: number): Range {
  const members = membersOf(lines, collection);
  const member = members[index] ?? { start: 0, end: 0 };
  if (collection.flow === true) return member;
  if (!lines.isFirstOnLine(member.start)) {
    return { start: member.start, end: members[index + 1]?.start ?? lines.lastLineEnd(member) };
  }
  const start = lines.lineStart(member.start);
  return { start: Math.max(start - 1, 0), end: lines.lastLineEnd(member) };
}

/** The splices that remove and insert members of a collection. */
export function spliceMembers(
  lines: SourceLines,
  collection: Collection,
  changes: MemberChanges,
): Splice[] {
  const members = membersOf(lines, collection);
  return collection.flow === true
    ? spliceFlow(lines, members, changes)
    : spliceBlock(lines, collection, members, changes);
}

/** The index of the last member that is not removed, at an index or before it. -1 if there is none. */
function lastKeptAt(index: number, removed: ReadonlySet<number>): number {
  let keptIndex = index;
  while (removed.has(keptIndex)) keptIndex -= 1;
  return keptIndex;
}

function spliceFlow(
  lines: SourceLines,
  members: readonly Range[],
  { removed, inserted }: MemberChanges,
): Splice[] {
  const at = (index: number): Range => members[index] ?? { start: 0, end: 0 };
  const removals = [...removed].map((index) =>
    removal(
      lastKeptAt(index, removed) === -1
        ? { start: at(index).start, end: at(index + 1).start }
        : { start: at(index - 1).end, end: at(index).end },
    ),
  );
  const { start: first } = at(0);
  const isOnOwnLine = lines.isFirstOnLine(first);
  const separator = isOnOwnLine ? `,\n${" ".repeat(lines.column(first))}` : ", ";
  const isJson = lines.text[first] === '"';
  const insertions = inserted.map(({ after, key, value }) => {
    const text = isJson ? jsonMember(key, value) : flowMember(key, value);
    const keptIndex = lastKeptAt(after, removed);
    const { end } = at(keptIndex);
    return keptIndex === -1
      ? { start: first, end: first, text: text + separator }
      : { start: end, end, text: separator + text };
  });
  return [...insertions, ...removals];
}

const jsonMember = (key: string | undefined, value: JsonValue): string =>
  key === undefined ? JSON.stringify(value) : `${JSON.stringify(key)}: ${JSON.stringify(value)}`;

const flowMember = (key: string | undefined, value: JsonValue): string =>
  key === undefined ? flowText(value) : flowText({ [key]: value }).slice(1, -1);

function spliceBlock(
  lines: SourceLines,
  collection: Collection,
  members: readonly Range[],
  { removed, inserted }: MemberChanges,
): Splice[] {
  const column = lines.column(members[0]?.start ?? 0);
  const isRoot = isMap(collection) && column === 0;
  const hasBlankLines = isSeqOfManifest(collection, column) && !areAdjacent(lines, members);
  const insertions = inserted.map(({ after, key, value }) => {
    const text =
      key === undefined ? itemText(value, column, hasBlankLines) : entryText(key, value, column);
    const needsBlankLine = hasBlankLines || (isRoot && text.includes("\n"));
    const lineFeeds = needsBlankLine ? "\n\n" : "\n";
    const indentation = " ".repeat(column);
    // The order of a mapping's entries has no meaning. Comments at its beginning belong to the first entry.
    const isAtEnd = after === -1 && key !== undefined;
    const keptIndex = lastKeptAt(isAtEnd ? members.length - 1 : after, removed);
    if (keptIndex === -1 && key === undefined) {
      const { start } = members[0] ?? { start: 0 };
      if (!lines.isFirstOnLine(start)) {
        return insertion(start, `${text}${lineFeeds}${indentation}`);
      }
      const rangeOf = removed.has(0) ? withBlankLine : rangeOfMember;
      const { start: position } = rangeOf(lines, collection, 0);
      return insertion(position, `\n${indentation}${text}${lineFeeds.slice(1)}`);
    }
    const index = keptIndex === -1 ? members.length - 1 : keptIndex;
    const { start, end } = members[index] ?? { start: 0, end: 0 };
    // A block text that keeps its blank lines at the end would get another one.
    const keepsBlankLines = /\n[ \t]*\n$/.test(lines.text.slice(start, end));
    const separator = keepsBlankLines ? "\n" : lineFeeds;
    return insertion(lines.lastLineEnd({ start, end }), `${separator}${indentation}${text}`);
  });
  return [...insertions, ...blockRemovals(lines, collection, members, removed)];
}

const insertion = (position: number, text: string): Splice => ({
  start: position,
  end: position,
  text,
});

function blockRemovals(
  lines: SourceLines,
  collection: Collection,
  members: readonly Range[],
  removed: ReadonlySet<number>,
): Splice[] {
  const start = members[0]?.start ?? 0;
  const isCompact = !lines.isFirstOnLine(start);
  const keptIndex = members.findIndex((_, index) => !removed.has(index));
  // If the mapping begins after a dash, the first entry that stays moves to that place.
  const isMoved = isCompact && keptIndex > 0;
  const otherIndexes = [...removed].filter((index) => !isMoved || index > keptIndex);
  const splices = otherIndexes.map((index) => removal(withBlankLine(lines, collection, index)));
  if (!isMoved) return splices;
  const text = commentsBetween(lines, members.slice(0, keptIndex + 1));
  return [{ start, end: members[keptIndex]?.start ?? start, text }, ...splices];
}

/** The comment lines between members, indented to follow a dash. */
function commentsBetween(lines: SourceLines, members: readonly Range[]): string {
  const indentation = " ".repeat(lines.column(members[0]?.start ?? 0));
  const comments = members.slice(1).flatMap(({ start }, index) => {
    const gap = lines.text.slice(lines.lastLineEnd(members[index] ?? { start, end: start }), start);
    return gap.split("\n").filter((line) => line.trim().startsWith("#"));
  });
  return comments.map((comment) => `${comment.trim()}\n${indentation}`).join("");
}

/** The range of a member, with one of the blank lines around it if there are some on both sides. */
function withBlankLine(lines: SourceLines, collection: Collection, index: number): Range {
  const { start, end } = rangeOfMember(lines, collection, index);
  const isBlankBefore = start > 0 && lines.isBlankLine(start);
  const isBlankAfter = end + 1 >= lines.text.length || lines.isBlankLine(end + 1);
  if (!isBlankBefore || !isBlankAfter) return { start, end };
  // Blank lines at the end of a block text belong to the text.
  const { end: previousEnd } = membersOf(lines, collection)[index - 1] ?? { end: 0 };
  return { start: Math.max(lines.lineStart(start) - 1, previousEnd - 1, 0), end };
}

/** True for a list of items such as tools, whose items have blank lines between them. */
function isSeqOfManifest(collection: Collection, column: number): boolean {
  return !isMap(collection) && column <= 4 && collection.items.every((item) => isMap(item));
}

function areAdjacent(lines: SourceLines, members: readonly Range[]): boolean {
  const [first, second] = members;
  if (first === undefined || second === undefined) return false;
  return !/\n[ \t]*\n/.test(lines.text.slice(first.end - 1, second.start));
}

/** The entry of a mapping under a key. */
export function entryOf(map: YAMLMap, key: string): { entry: Pair; index: number } | undefined {
  const index = map.items.findIndex(({ key: node }) => isScalar(node) && node.value === key);
  const entry = map.items[index];
  return isPair(entry) ? { entry, index } : undefined;
}
