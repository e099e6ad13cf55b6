import { onceForEach } from "../../model/once-for-each.js";
import type { FormerGeneration } from "./former-generation.js";
import { standInFor } from "./stand-ins.js";

/** How the pieces of a list stand in a text. */
export interface PieceMarks {
  /** What the list comes after. */
  readonly opening: string;
  /** What stands before each piece, and nowhere inside one. */
  readonly before: string;
  /** What comes after the list. */
  readonly closing: string;
}

/**
 * What a former generation wrote for each of its tools in one list of a generated file, by the name of
 * the tool, in UTF-8. None where the list does not fall into just one piece for each tool.
 */
export function piecesByTool(
  former: FormerGeneration,
  path: string,
  marks: PieceMarks,
): ReadonlyMap<string, Buffer> {
  const read = piecesReadOf(former);
  const pieces = read.get(marks) ?? readPieces(former, path, marks);
  read.set(marks, pieces);
  return pieces;
}

/** Large files are asked for their pieces twice. */
const piecesReadOf = onceForEach(
  (_former: FormerGeneration) => new Map<PieceMarks, ReadonlyMap<string, Buffer>>(),
);

function readPieces(
  { bytes: bytesOf, tools: { names } }: FormerGeneration,
  path: string,
  marks: PieceMarks,
): ReadonlyMap<string, Buffer> {
  const bytes = bytesOf(path);
  const pieces = bytes === undefined ? [] : piecesOfBytes(bytes, marks);
  if (pieces.length !== names.length) return new Map();
  return new Map(names.map((name, index) => [name, pieces[index] ?? Buffer.alloc(0)]));
}

function piecesOfBytes(bytes: Buffer, { opening, before, closing }: PieceMarks): Buffer[] {
  const found = bytes.indexOf(opening);
  const start = found + opening.length;
  const end = found < 0 ? -1 : bytes.indexOf(closing, start);
  if (end < 0) return [];
  const list = bytes.subarray(start, end);
  const mark = Buffer.from(before);
  const pieces: Buffer[] = [];
  for (let at = list.indexOf(mark); at >= 0;) {
    const next = list.indexOf(mark, at + mark.length);
    pieces.push(list.subarray(at + mark.length, next < 0 ? list.length : next));
    at = next;
  }
  return pieces;
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

const COMMA = ",".charCodeAt(0);

/**
 * The same of those tools that are as they were: it is what would be written for them now. Long ones are
 * stand-ins, but for a comma at the end.
 */
export function keptPieces(
  former: FormerGeneration,
  path: string,
  marks: PieceMarks,
): ReadonlyMap<string, string> {
  const { kept } = former.tools;
  const texts = new Map<string, string>();
  for (const [name, piece] of kept.size === 0 ? [] : piecesByTool(former, path, marks)) {
    if (!kept.has(name)) continue;
    const comma = piece.at(-1) === COMMA ? "," : "";
    texts.set(name, standInFor(piece.subarray(0, piece.length - comma.length), former) + comma);
  }
  return texts;
}
