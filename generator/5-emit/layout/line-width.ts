/** Columns of a line of generated TypeScript. */
export const LINE_WIDTH = 100;

/** Latin, Greek and Cyrillic letters and common punctuation: one column each for everybody. */
const NARROW =
  /^[ -~\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2026]*$/;

/** Whether a text takes as many columns as it has characters. */
export function isNarrow(text: string): boolean {
  return NARROW.test(text);
}
