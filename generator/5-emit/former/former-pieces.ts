import { onceForEach } from "../../model/once-for-each.js";
import type { FormerGeneration } from "./former-generation.js";
import { SHORTEST, standInFor } from "./stand-ins.js";

/** How the pieces of a list stand in a text, where they have lines of their own. */
export interface PieceMarks {
  /** What the list comes after, up to what stands before its first piece. */
  readonly opening: string;
  /** What stands before each piece, and nowhere inside one. */
  readonly before: string;
  /** What comes after the list. */
  readonly closing: string;
}

/** The pieces of a list in a former file, in UTF-8. */
class FormerList {
  constructor(
    private readonly bytes: Buffer,
    /** Where each piece begins, after what stands before it. */
    private readonly starts: readonly number[],
    private readonly ends: readonly number[],
  ) {}

  /** What stands from one piece to another. */
  pieces(first: number, last = first): Buffer {
    return this.bytes.subarray(this.starts[first] ?? 0, this.ends[last] ?? 0);
  }
}

/** `undefined` where the list does not fall into just one piece for each tool of the former generation. */
function formerList(
  former: FormerGeneration,
  path: string,
  marks: PieceMarks,
): FormerList | undefined {
  const known = listsOf(former);
  if (!known.has(marks)) known.set(marks, readList(former, path, marks));
  return known.get(marks);
}

/** Large files are asked for their lists twice. */
const listsOf = onceForEach(
  (_former: FormerGeneration) => new Map<PieceMarks, FormerList | undefined>(),
);

function readList(
  former: FormerGeneration,
  path: string,
  { opening, before, closing }: PieceMarks,
): FormerList | undefined {
  const bytes = former.bytes(path) ?? Buffer.alloc(0);
  const found = bytes.indexOf(opening);
  const start = found + opening.length;
  const end = found < 0 ? -1 : bytes.indexOf(closing, start);
  const list = bytes.subarray(0, Math.max(end, 0));
  const mark = Buffer.from(before);
  const starts: number[] = [];
  const ends: number[] = [];
  // Of a list on one line, neither the pieces nor the end can be told from those of the next.
  const first = list.indexOf(mark, start) === start ? start : -1;
  for (let at = first; at >= 0;) {
    starts.push(at + mark.length);
    at = list.indexOf(mark, at + mark.length);
    ends.push(at < 0 ? end : at);
  }
  const { length } = former.tools.names;
  return length > 0 && starts.length === length ? new FormerList(bytes, starts, ends) : undefined;
}

const positionsOf = onceForEach(
  ({ tools: { names } }: FormerGeneration): ReadonlyMap<string, number> =>
    new Map(names.map((name, position) => [name, position])),
);

/**
 * What a former generation wrote for some of its tools in one list of a generated file, in UTF-8, in their
 * order. `undefined` where the list does not fall into just one piece for each of its tools.
 */
export function piecesOf(
  former: FormerGeneration,
  path: string,
  marks: PieceMarks,
  names: readonly string[],
): Buffer[] | undefined {
  const list = formerList(former, path, marks);
  return list && names.map((name) => list.pieces(positionsOf(former).get(name) ?? -1));
}

/**
 * What stood before a list and the comment above it, without the header of the file. `undefined` where that
 * is not there, or not known to be as it was: names and schemas of tools show in it, but no texts.
 *
 * @param header of the file, a line
 */
export function keptBefore(
  former: FormerGeneration,
  path: string,
  { opening }: PieceMarks,
  header: string,
): string | undefined {
  const bytes = former.tools.onlyTextsDiffer ? former.bytes(path) : undefined;
  const text = bytes?.toString("utf8", 0, Math.max(0, bytes.indexOf(opening))) ?? "";
  const [start, end] = [`${header}\n\n`, text.lastIndexOf("\n\n")];
  return text.startsWith(start) && end > start.length ? text.slice(start.length, end) : undefined;
}

/** The pieces of a list, each without what stands before it; none where there is no such list. */
export function piecesIn(text: string, marks: PieceMarks): string[] {
  const [start, end] = placeOfList(text, marks);
  return text.slice(start, end).split(marks.before).slice(1);
}

/** The text with other pieces in its list. */
export function withPieces(text: string, marks: PieceMarks, pieces: readonly string[]): string {
  const [start, end] = placeOfList(text, marks);
  const [head = ""] = text.slice(start, end).split(marks.before, 1);
  return text.slice(0, start) + [head, ...pieces].join(marks.before) + text.slice(end);
}

function placeOfList(text: string, { opening, closing }: PieceMarks): [start: number, end: number] {
  const found = text.indexOf(opening);
  const start = found + opening.length;
  const end = found < 0 ? -1 : text.indexOf(closing, start);
  return end < 0 ? [0, 0] : [start, end];
}

/** Tools that follow each other as they did in a former generation, and are as they were; or just one tool. */
export interface ToolRow<Tool> {
  readonly tools: readonly Tool[];
  /**
   * What is written for them, after what stands before the first: what was written then. Where it is
   * long, it is there by a stand-in. Absent for a tool for which it has to be made.
   */
  readonly text?: string;
}

/** Those of a row that have to be written. */
export function ownTools<Tool>({ tools, text }: ToolRow<Tool>): readonly Tool[] {
  return text === undefined ? tools : [];
}

/** Tools in rows, as long as they can be: of most of them, nothing else has to be known. */
export function toolRows<Tool extends { readonly name: string }>(
  tools: readonly Tool[],
  former: FormerGeneration | undefined,
  path: string,
  marks: PieceMarks,
): ToolRow<Tool>[] {
  const list = former && former.tools.kept.size > 0 ? formerList(former, path, marks) : undefined;
  if (former === undefined || list === undefined) return tools.map((tool) => ({ tools: [tool] }));
  const rows: ToolRow<Tool>[] = [];
  for (let from = 0; from < tools.length;) {
    const position = keptPosition(former, tools[from]);
    let to = from + 1;
    if (position !== undefined) {
      while (keptPosition(former, tools[to]) === position + to - from) to += 1;
    }
    const row = tools.slice(from, to);
    from = to;
    if (position === undefined) rows.push({ tools: row });
    else rows.push(...rowsOfKept(row, position, list, former));
  }
  return rows;
}

/** Where a tool stood, if it is as it was. */
function keptPosition(
  former: FormerGeneration,
  tool: { readonly name: string } | undefined,
): number | undefined {
  return tool !== undefined && former.tools.kept.has(tool.name)
    ? positionsOf(former).get(tool.name)
    : undefined;
}

/** Together, but where they are so short that they may come to stand on one line. */
function rowsOfKept<Tool>(
  tools: readonly Tool[],
  position: number,
  list: FormerList,
  former: FormerGeneration,
): ToolRow<Tool>[] {
  const whole = list.pieces(position, position + tools.length - 1);
  if (whole.length >= SHORTEST) return [{ tools, text: rowText(whole, former) }];
  return tools.map((tool, index) => ({
    tools: [tool],
    text: rowText(list.pieces(position + index), former),
  }));
}

const COMMA = ",".charCodeAt(0);

/** A comma at the end is none of the stand-in: the last of a list has none. */
function rowText(pieces: Buffer, former: FormerGeneration): string {
  const comma = pieces.at(-1) === COMMA ? "," : "";
  return standInFor(pieces.subarray(0, pieces.length - comma.length), former) + comma;
}
