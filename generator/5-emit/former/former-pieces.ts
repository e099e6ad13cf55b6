import { onceForEach } from "../../model/once-for-each.js";
import type { FormerGeneration } from "./former-generation.js";

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
 * the tool. None where the list does not fall into just one piece for each tool.
 */
export function piecesByTool(
  former: FormerGeneration,
  path: string,
  marks: PieceMarks,
): ReadonlyMap<string, string> {
  const read = piecesReadOf(former);
  const pieces = read.get(marks) ?? readPieces(former, path, marks);
  read.set(marks, pieces);
  return pieces;
}

/** Large files are asked for their pieces twice. */
const piecesReadOf = onceForEach(
  (_former: FormerGeneration) => new Map<PieceMarks, ReadonlyMap<string, string>>(),
);

function readPieces(
  { text: textOf, tools: { names } }: FormerGeneration,
  path: string,
  marks: PieceMarks,
): ReadonlyMap<string, string> {
  const text = textOf(path);
  const pieces = text === undefined ? [] : piecesIn(text, marks);
  if (pieces.length !== names.length) return new Map();
  return new Map(names.map((name, index) => [name, pieces[index] ?? ""]));
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

/** The same of those tools that are as they were: it is what would be written for them now. */
export function keptPieces(
  former: FormerGeneration,
  path: string,
  marks: PieceMarks,
): ReadonlyMap<string, string> {
  const { kept } = former.tools;
  const pieces = kept.size === 0 ? [] : piecesByTool(former, path, marks);
  return new Map([...pieces].filter(([name]) => kept.has(name)));
}
