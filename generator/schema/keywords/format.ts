import type { KeywordCheck } from "../comparison/check.js";
import { keyword } from "../comparison/schema-node.js";
import { NUMBERS, type ValueType } from "../comparison/value-types.js";
import { labelled } from "./limit-words.js";
import { refusedValues } from "./refused-values.js";
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
  // If the narrow schema has none of these keywords, it accepts a string or number without the format.
  const isFree =
    narrow.values === undefined &&
    narrow.keywords.every(({ name, subject }) => subject !== "number" && name !== "maxLength") &&
    narrow.isExactFor("string");
  return [refusedValues(isFree, narrow, wide, "format")];
};

/** For each format, texts that do not have it, but that a careless check would accept. */
const UNFORMATTED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    date: ["2023-02-29", "2023-04-31", "2023-01-32", "2023-13-01", "2023-00-01", "2023-01-00"],
    "date-time": ["2023-02-29T09:30:00Z", "2023-01-15T24:00:00Z", "2023-01-15T09:30:00"],
    time: ["24:00:00Z", "09:60:00Z", "09:30:00"],
    duration: ["P", "P1S"],
    email: ["ada@", "ada.example.com"],
    hostname: ["-example.com", "example..com"],
    ipv4: ["192.0.2.256", "192.0.2"],
    ipv6: ["2001:db8:::1", "2001:db8::12345"],
    uri: ["example.com", "https://example.com/a b"],
    url: ["example.com", "https://example.com/a b"],
    uuid: ["123e4567-e89b-12d3-a456-42661417400", "123e4567-e89b-12d3-a456-42661417400g"],
  }),
);

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
      typeof value === "string" ? (UNFORMATTED.get(String(rule)) ?? []) : [],
  },
  problem: ({ rule, value }) =>
    `must have the format ${quoted(String(rule))}, not ${describeValue(value)}`,
};
