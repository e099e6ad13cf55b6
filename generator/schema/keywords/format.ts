import type { KeywordCheck } from "../comparison/check.js";
import { keyword } from "../comparison/schema-node.js";
import { NUMBERS, type ValueType } from "../comparison/value-types.js";
import { labelled } from "./limit-words.js";
import { refusedText } from "./refused-text.js";
import { UNFORMATTED } from "../../../templates/runtime/suite/values/constraints.js";
import { describeValue, quoted } from "../../text/value-words.js";
import { CHECKED_FORMATS, FORMAT_CHECKS, hasFormat } from "../formats/format-checks.js";
import { oddTexts } from "../instances/unlike-values.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

const NUMBER_FORMATS: ReadonlySet<string> = new Set(["int32", "int64"]);

const compareFormat: KeywordCheck = (narrow, wide) => {
  const format = keyword(wide, "format");
  if (typeof format !== "string" || !CHECKED_FORMATS.has(format)) return [];
  const types: readonly ValueType[] = NUMBER_FORMATS.has(format) ? NUMBERS : ["string"];
  if (!types.some((type) => narrow.types.has(type))) return [];
  if (narrow.valuesOf("format").includes(format)) return [];
  // Without these, a string or a number can be anything.
  const isFree =
    narrow.values === undefined &&
    narrow.keywords.every(({ name, subject }) => subject !== "number" && name !== "maxLength") &&
    narrow.isExactFor("string");
  return [refusedText(isFree, narrow, wide, "format")];
};

export const format: KeywordDefinition = {
  name: "format",
  shape: "string",
  dialects: BOTH_DIALECTS,
  check(value, rule, checking) {
    if (!hasFormat(value, String(rule))) checking.report(`must match format "${String(rule)}"`);
  },
  words: {
    table: ({ format: name }) => (typeof name === "string" && name !== "" ? [name] : []),
    comment: ({ format: name }) => labelled("format", name),
  },
  compare: compareFormat,
  hidesFactsOf: ["string", "number"],
  mayLeaveFew: true,
  breaking: {
    isConstraint: (rule) => FORMAT_CHECKS.has(String(rule)),
    candidates: oddTexts,
    furtherValues: (rule, value) =>
      typeof value === "string" ? (UNFORMATTED.get(String(rule))?.slice(1) ?? []) : [],
  },
  problem: ({ rule, value }) =>
    `must have the format ${quoted(String(rule))}, not ${describeValue(value)}`,
};
