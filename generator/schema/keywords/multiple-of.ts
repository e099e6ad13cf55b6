import type { KeywordCheck } from "../comparison/check.js";
import { keyword } from "../comparison/schema-node.js";
import { NUMBERS } from "../comparison/value-types.js";
import { labelled } from "./limit-words.js";
import { refusedValues } from "./refused-values.js";
import type { JsonObject } from "../../model/json.js";
import { describeValue } from "../../text/value-words.js";
import { isMultipleOf } from "../values.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

/** The value of `multipleOf`, or 0. */
export function stepOf(schema: JsonObject): number {
  const step = schema["multipleOf"];
  return typeof step === "number" ? step : 0;
}

const compareMultiples: KeywordCheck = (narrow, wide) => {
  const divisor = keyword(wide, "multipleOf");
  if (typeof divisor !== "number" || !NUMBERS.some((type) => narrow.types.has(type))) return [];
  const statedDivisors = narrow.valuesOf("multipleOf").filter((value) => typeof value === "number");
  const divisors = narrow.types.has("fraction") ? statedDivisors : [...statedDivisors, 1];
  if (divisors.some((one) => isDivisible(one, divisor))) return [];
  const isCertain = narrow.values === undefined && narrow.isExactFor("number");
  return [refusedValues(isCertain, narrow, wide, "multipleOf")];
};

/** True if one number is known to be a multiple of another. Fractions must be equal, since their multiples are rounded. */
function isDivisible(number: number, divisor: number): boolean {
  if (number === divisor) return true;
  return Number.isInteger(number) && Number.isInteger(divisor) && number % divisor === 0;
}

export const multipleOf: KeywordDefinition = {
  name: "multipleOf",
  shape: "positive number",
  dialects: BOTH_DIALECTS,
  subject: "number",
  check(value, rule, checking) {
    // A value of 0 or less is an error in the schema, which is reported elsewhere.
    if (typeof value !== "number" || typeof rule !== "number" || rule <= 0) return;
    if (!isMultipleOf(value, rule)) checking.report(`must be multiple of ${rule}`);
  },
  words: {
    table: (schema) => labelled("a multiple of", schema["multipleOf"]),
    comment: (schema) => labelled("multiple of", schema["multipleOf"]),
  },
  compare: compareMultiples,
  mayLeaveFew: true,
  breaking: {
    candidates({ value, rule }) {
      const step = Number(rule);
      const distances = [step / 2, step / 3, step / 10, -step / 2, 1, 2, 3, -1, 0.5];
      return typeof value === "number" ? distances.map((distance) => value + distance) : [];
    },
  },
  problem: ({ rule, value }) =>
    `must be a multiple of ${String(rule)}, not ${describeValue(value)}`,
};
