import type { Place } from "../model/place.js";

/** A range of a text, in UTF-16 code units; the end is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The lines and columns of a range of a file's text. */
export function placeOf(file: string, text: string, { start, end }: TextRange): Place {
  const first = positionOf(text, start);
  const last = positionOf(text, end);
  return { file, ...first, endLine: last.line, endColumn: last.column };
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
