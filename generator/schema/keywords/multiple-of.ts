import { describeValue } from "../../text/value-words.js";
import { isMultipleOf } from "../pieces/values.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

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
  problem: ({ rule, value }) =>
    `must be a multiple of ${String(rule)}, not ${describeValue(value)}`,
};
