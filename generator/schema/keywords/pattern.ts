import { isPatternOfFormat } from "../../../templates/runtime/engine/patterns-of-formats.js";
import type { Comparing, KeywordCheck } from "../comparison/check.js";
import type { Conjunction } from "../comparison/conjunction.js";
import type { JsonObject } from "../../model/json.js";
import { keyword } from "../comparison/schema-node.js";
import { countCharacters } from "../values.js";
import { refusedValues } from "./refused-values.js";
import { describeValue, quoted } from "../../text/value-words.js";
import { expressionOf } from "../expressions.js";
import { oddTexts } from "../instances/unlike-values.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

const comparePattern: KeywordCheck = (narrow, wide, comparing) => {
  const pattern = keyword(wide, "pattern");
  if (typeof pattern !== "string" || !narrow.types.has("string")) return [];
  const narrowPatterns = narrow.valuesOf("pattern");
  if (narrowPatterns.includes(pattern)) return [];
  const texts = (narrow.values ?? samples(narrow)).filter((value) => typeof value === "string");
  const results = texts.map((text) => matchesAll([pattern], text, comparing));
  if (narrow.values !== undefined && results.every((result) => result === true)) return [];
  const isRefused = texts.some(
    (text, index) =>
      results[index] === false && matchesAll(narrowPatterns, text, comparing) === true,
  );
  const isCertain = isRefused && narrow.valuesOf("format").length === 0 && narrow.isExactFor("any");
  return [refusedValues(isCertain, narrow, wide, "pattern")];
};

function matchesAll(
  patterns: readonly unknown[],
  text: string,
  { patterns: engine }: Comparing,
): boolean | undefined {
  for (const pattern of patterns) {
    const matches = typeof pattern === "string" ? engine.matches(pattern, text) : undefined;
    if (matches !== true) return matches;
  }
  return true;
}

/** Short texts of many kinds that have a length which the narrow schema accepts. */
function samples(narrow: Conjunction): string[] {
  const least = narrow.greatest("minLength") ?? 0;
  const most = narrow.least("maxLength") ?? Infinity;
  if (least > MAX_SAMPLE_LENGTH) return [];
  return SAMPLES.map((text) => text.padEnd(least, text.at(-1) ?? "a")).filter(
    (text) => [...text].length <= most,
  );
}

const MAX_SAMPLE_LENGTH = 100;
const SAMPLES = [
  "",
  "a",
  "A",
  "0",
  "-",
  " ",
  "é",
  "abcdefgh",
  "a b",
  "A1",
  "a-b_c.d",
  "/x?y=#",
  "12345",
];

/** The pattern for people. One that zod writes for the format beside it is not shown: the format says it in one word. */
function shownPattern({ pattern: source, format }: JsonObject): string[] {
  if (typeof source !== "string") return [];
  return typeof format === "string" && isPatternOfFormat(source, format) ? [] : [source];
}

export const pattern: KeywordDefinition = {
  name: "pattern",
  shape: "string",
  dialects: BOTH_DIALECTS,
  subject: "string",
  /** Skips texts that `maxLength` refuses, since a pattern may be quick for short texts only. */
  check(value, rule, checking) {
    if (typeof value !== "string" || typeof rule !== "string") return;
    const maxLength = checking.beside("maxLength");
    if (typeof maxLength === "number" && countCharacters(value) > maxLength) return;
    if (!expressionOf(rule).test(value)) checking.report(`must match pattern "${rule}"`);
  },
  words: {
    table: (schema) => shownPattern(schema).map((source) => `matching ${source}`),
    comment: (schema) => shownPattern(schema).map((source) => `pattern \`${source}\``),
  },
  compare: comparePattern,
  hidesFactsOf: ["string"],
  mayLeaveFew: true,
  breaking: { candidates: oddTexts },
  problem: ({ rule, value }) => `must match ${quoted(String(rule))}, not ${describeValue(value)}`,
};
