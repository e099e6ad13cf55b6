import type { JsonValue } from "../../model/json.js";
import { onceForEach } from "../../model/once-for-each.js";
import { describeValue } from "../../text/value-words.js";
import { unlikeValues } from "../instances/unlike-values.js";
import { canonicalText, isEqual } from "../pieces/values.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

/** So many of the values of an `enum` are shown. */
const SHOWN_VALUES = 6;

const textsOf = onceForEach((values: JsonValue[]) => new Set(values.map(canonicalText)));

function listed(values: readonly JsonValue[]): string {
  const shown = values.slice(0, SHOWN_VALUES).map((value) => describeValue(value));
  return values.length > SHOWN_VALUES ? `${shown.join(", ")}, …` : shown.join(", ");
}

export const enumeration: KeywordDefinition = {
  name: "enum",
  shape: "list",
  dialects: BOTH_DIALECTS,
  check(value, rule, checking) {
    if (!Array.isArray(rule) || textsOf(rule).has(canonicalText(value))) return;
    const params = { allowedValues: rule };
    checking.report("must be equal to one of the allowed values", { params });
  },
  breaking: { candidates: unlikeValues },
  problem: ({ rule, value }) =>
    `must be one of ${listed(rule as JsonValue[])}, not ${describeValue(value)}`,
};

export const constant: KeywordDefinition = {
  name: "const",
  shape: "any",
  dialects: BOTH_DIALECTS,
  check(value, rule, checking) {
    if (isEqual(value, rule)) return;
    checking.report("must be equal to constant", { params: { allowedValue: rule } });
  },
  breaking: { candidates: unlikeValues },
  problem: ({ rule, value }) => `must be ${describeValue(rule)}, not ${describeValue(value)}`,
};
