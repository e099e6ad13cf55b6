import { UNFORMATTED } from "../../../templates/runtime/suite/values/constraints.js";
import { describeValue, quoted } from "../../text/value-words.js";
import { FORMAT_CHECKS, hasFormat } from "../formats/format-checks.js";
import { oddTexts } from "../instances/unlike-values.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

export const format: KeywordDefinition = {
  name: "format",
  shape: "string",
  dialects: BOTH_DIALECTS,
  check(value, rule, checking) {
    if (!hasFormat(value, String(rule))) checking.report(`must match format "${String(rule)}"`);
  },
  breaking: {
    isConstraint: (rule) => FORMAT_CHECKS.has(String(rule)),
    candidates: oddTexts,
    furtherValues: (rule, value) =>
      typeof value === "string" ? (UNFORMATTED.get(String(rule))?.slice(1) ?? []) : [],
  },
  problem: ({ rule, value }) =>
    `must have the format ${quoted(String(rule))}, not ${describeValue(value)}`,
};
