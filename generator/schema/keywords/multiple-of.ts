import type { JsonObject } from "../../model/json.js";
import { describeValue } from "../../text/value-words.js";
import { isMultipleOf } from "../pieces/values.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

/** How far the numbers are apart that a schema accepts; 0 where it does not say. */
export function stepOf(schema: JsonObject): number {
  const step = schema["multipleOf"];
  return typeof step === "number" ? step : 0;
}

export const multipleOf: KeywordDefinition = {
  name: "multipleOf",
  shape: "positive number",
  dialects: BOTH_DIALECTS,
  subject: "number",
  check(value, rule, checking) {
    // Nothing is a multiple of 0; the keyword's own value is reported.
    if (typeof value !== "number" || typeof rule !== "number" || rule <= 0) return;
    if (!isMultipleOf(value, rule)) checking.report(`must be multiple of ${rule}`);
  },
  breaking: {
    candidates({ value, rule }) {
      const step = Number(rule);
      const parts = [step / 2, step / 3, step / 10, -step / 2, 1, 2, 3, -1, 0.5];
      return typeof value === "number" ? parts.map((part) => value + part) : [];
    },
  },
  problem: ({ rule, value }) =>
    `must be a multiple of ${String(rule)}, not ${describeValue(value)}`,
};
