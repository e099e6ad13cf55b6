import { canonicalText } from "../../templates/runtime/validators/values.js";
import type { JsonValue } from "../model/json.js";

// The compiler compares and measures values with the code that the validators of generated projects run.
export { countCharacters, isLonger, isShorter } from "../../templates/runtime/validators/checks.js";
export {
  canonicalText,
  findDuplicate,
  isEqual,
  isMultipleOf,
} from "../../templates/runtime/validators/values.js";

/** The indexes of items that equal an earlier one. */
export function repeatedIndexes(items: readonly JsonValue[]): number[] {
  const seen = new Set<string>();
  return [...items.keys()].filter((index) => {
    const text = canonicalText(items[index] ?? null);
    return seen.has(text) || !seen.add(text);
  });
}
