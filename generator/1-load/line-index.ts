import type { Place } from "../model/place.js";

/** Turns offsets of a text into places of its file. */
export interface LineIndex {
  /** Its lines end with a line feed. */
  readonly text: string;
  /** The place from offset `start` to offset `end` (exclusive), in UTF-16 units. It omits white space at its end. */
  place(start: number, end: number): Place;
  /** Like `place`, with white space at its end. */
  wholePlace(start: number, end: number): Place;
  /** The offset of a line and a column, both from 1. A line after the last one is the end of the text. */
  offset(line: number, column: number): number;
}

/** @param text lines end with a line feed */
export function indexLines(file: string, text: string): LineIndex {
  const lineStarts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    lineStarts.push(at + 1);
  }
  const position = (offset: number): { line: number; column: number } => {
    const line = countUpTo(lineStarts, offset);
    return { line, column: offset - (lineStarts[line - 1] ?? 0) + 1 };
  };
  const wholePlace = (start: number, end: number): Place => {
    const to = position(end);
    return { file, ...position(start), endLine: to.line, endColumn: to.column };
  };
  return {
    text,
    place: (start, end) => wholePlace(start, start + text.slice(start, end).trimEnd().length),
    wholePlace,
    offset: (line, column) => (lineStarts[line - 1] ?? text.length) + column - 1,
  };
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
