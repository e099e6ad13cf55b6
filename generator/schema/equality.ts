import type { JsonValue } from "../model/json.js";

/** A value as one text, the same for equal values: names sorted. */
export function canonicalText(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`,
  );
  return `{${members.sort().join()}}`;
}

/** The indexes of items that equal an earlier one. */
export function repeatedIndexes(items: readonly JsonValue[]): number[] {
  const seen = new Set<string>();
  return [...items.keys()].filter((index) => {
    const text = canonicalText(items[index] ?? null);
    return seen.has(text) || !seen.add(text);
  });
}
