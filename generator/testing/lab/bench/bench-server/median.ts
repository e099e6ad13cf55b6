/** The value in the middle; NaN where there is none. */
export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? NaN;
}
