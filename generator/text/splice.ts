/** A replacement of one range of a text. */
export interface Splice {
  /** UTF-16 offset of the first unit replaced. */
  readonly start: number;
  /** UTF-16 offset after the last unit replaced; equal to `start` for an insertion. */
  readonly end: number;
  readonly text: string;
}

/** Applies splices in any order. @throws RangeError if they overlap */
export function applySplices(source: string, splices: readonly Splice[]): string {
  let result = "";
  let position = 0;
  for (const splice of [...splices].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (splice.start < position) throw new RangeError("splices overlap");
    result += source.slice(position, splice.start) + splice.text;
    position = splice.end;
  }
  return result + source.slice(position);
}
