import { describeValue, quoted } from "../../text/value-words.js";
import { hasFormat } from "../formats/format-checks.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

export const format: KeywordDefinition = {
  name: "format",
  shape: "string",
  dialects: BOTH_DIALECTS,
  check(value, rule, checking) {
    if (!hasFormat(value, String(rule))) checking.report(`must match format "${String(rule)}"`);
  },
  problem: ({ rule, value }) =>
    `must have the format ${quoted(String(rule))}, not ${describeValue(value)}`,
};
