import type { Place } from "../model/place.js";

/** Turns offsets of a text into places of its file. */
export interface LineIndex {
  /** Its lines end with a line feed. */
  readonly text: string;
  /** The place from offset `start` to offset `end` (exclusive), in UTF-16 units. It omits white space at its end. */
  place(start: number, end: number): Place;
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
  return {
    text,
    place: (start, end) => {
      const from = position(start);
      const to = position(start + text.slice(start, end).trimEnd().length);
      return { file, ...from, endLine: to.line, endColumn: to.column };
    },
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
