import { Lexer, CST } from "yaml";
import { lineEndOf } from "../text/line-ends.js";
import type { Splice } from "../text/splice.js";

/** A range of a text, as offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Finds lines and comments in a YAML text. */
export class SourceLines {
  readonly text: string;
  readonly #comments: readonly number[];

  constructor(text: string) {
    this.text = text;
    this.#comments = commentsOf(text);
  }

  lineStart(offset: number): number {
    return this.text.lastIndexOf("\n", offset - 1) + 1;
  }

  /** The end of the line at an offset, before its line feed. */
  lineEnd(offset: number): number {
    const end = this.text.indexOf("\n", offset);
    return end === -1 ? this.text.length : end;
  }

  column(offset: number): number {
    return offset - this.lineStart(offset);
  }

  /** True if only white space is before the offset on its line. */
  isFirstOnLine(offset: number): boolean {
    return this.text.slice(this.lineStart(offset), offset).trim() === "";
  }

  /** The end of the last line of a value, before its line feed. The range of a block text includes that line feed. */
  lastLineEnd({ start, end }: Range): number {
    return end > start && this.text[end - 1] === "\n" ? end - 1 : this.lineEnd(end);
  }

  hasComment({ start, end }: Range): boolean {
    return this.#comments.some((offset) => start <= offset && offset < end);
  }

  isBlankLine(offset: number): boolean {
    return this.text.slice(this.lineStart(offset), this.lineEnd(offset)).trim() === "";
  }
}

/** The offsets at which comments begin. */
function commentsOf(text: string): number[] {
  const comments: number[] = [];
  let offset = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!isScalar && NON_TEXT_LEXEMES.has(lexeme)) {
      isScalar = lexeme === CST.SCALAR;
      continue;
    }
    if (!isScalar && lexeme.startsWith("#")) comments.push(offset);
    isScalar = false;
    offset += lexeme.length;
  }
  return comments;
}

/** Lexemes of the lexer that are no part of the text. */
const NON_TEXT_LEXEMES: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** A splice that removes a range. */
export function removal({ start, end }: Range): Splice {
  return { start, end, text: "" };
}

/** Joins removals that overlap, and splits removals at the positions of insertions inside of them. */
export function withoutOverlaps(splices: readonly Splice[]): Splice[] {
  const insertions = splices.filter(({ text }) => text !== "");
  const removals: Splice[] = [];
  const ranges = splices.filter(({ text }) => text === "").sort((a, b) => a.start - b.start);
  for (const range of ranges) {
    const previous = removals.at(-1);
    if (previous === undefined || previous.end < range.start) removals.push(range);
    else removals.splice(-1, 1, { ...previous, end: Math.max(previous.end, range.end) });
  }
  const parts = removals.flatMap(({ start, end }) => {
    const innerSplices = insertions.filter((other) => start < other.start && other.start < end);
    const cuts = [start, ...innerSplices.map((other) => other.start).sort((a, b) => a - b), end];
    return cuts.slice(1).map((cut, index) => removal({ start: cuts[index] ?? cut, end: cut }));
  });
  return [...insertions, ...parts];
}

/** Converts splices of a text with line feeds to splices of its source, which may have other line ends. */
export function withLineEnds(source: string, splices: readonly Splice[]): Splice[] {
  const ends = [...source.matchAll(/\r\n/g)].map(({ index }, count) => index - count);
  const inSource = (offset: number): number => {
    const index = ends.findIndex((end) => end >= offset);
    return offset + (index === -1 ? ends.length : index);
  };
  return splices.map(({ start, end, text }) => ({
    start: inSource(start),
    end: inSource(end),
    text: text.replaceAll("\n", lineEndOf(source)),
  }));
}
