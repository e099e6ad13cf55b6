import type { JsonValue } from "../model/json.js";
import { canonicalText } from "./pieces/values.js";

/** The indexes of items that equal an earlier one. */
export function repeatedIndexes(items: readonly JsonValue[]): number[] {
  const seen = new Set<string>();
  return [...items.keys()].filter((index) => {
    const text = canonicalText(items[index] ?? null);
    return seen.has(text) || !seen.add(text);
  });
}
