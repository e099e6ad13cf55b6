import { CHECKED_FORMATS } from "../formats/format-checks.js";
import { finding, type Comparing, type KeywordCheck } from "./check.js";
import type { Conjunction } from "./conjunction.js";
import type { Answer, Finding } from "./finding.js";
import { keyword, type ObjectNode } from "./schema-node.js";
import { NUMBERS, type ValueType } from "./value-types.js";

/** Formats that are known and allow everything. */
const NOTES: ReadonlySet<string> = new Set(["float", "double", "password", "binary"]);

const NUMBER_FORMATS: ReadonlySet<string> = new Set(["int32", "int64"]);

/** `format`, where the validators check it. */
export const checkFormat: KeywordCheck = (narrow, wide) => {
  const format = keyword(wide, "format");
  if (typeof format !== "string" || !CHECKED_FORMATS.has(format) || NOTES.has(format)) return [];
  const types: readonly ValueType[] = NUMBER_FORMATS.has(format) ? NUMBERS : ["string"];
  if (!types.some((type) => narrow.types.has(type))) return [];
  if (narrow.valuesOf("format").includes(format)) return [];
  const isFree =
    narrow.values === undefined &&
    FREE_OF.every((name) => narrow.valuesOf(name).length === 0) &&
    narrow.isExactFor("string");
  return [refused(isFree ? "incompatible" : "unknown", narrow, wide, "format")];
};

/** Without these, a string or a number can be anything. */
const FREE_OF = "maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split(" ");

/** `pattern` */
export const checkPattern: KeywordCheck = (narrow, wide, comparing) => {
  const pattern = keyword(wide, "pattern");
  if (typeof pattern !== "string" || !narrow.types.has("string")) return [];
  const own = narrow.valuesOf("pattern");
  if (own.includes(pattern)) return [];
  const texts = (narrow.values ?? samples(narrow)).filter((value) => typeof value === "string");
  const results = texts.map((text) => matchesAll([pattern], text, comparing));
  if (narrow.values !== undefined && results.every((result) => result === true)) return [];
  const isRefused = texts.some(
    (text, index) => results[index] === false && matchesAll(own, text, comparing) === true,
  );
  const isCertain = isRefused && narrow.valuesOf("format").length === 0 && narrow.isExactFor("any");
  return [refused(isCertain ? "incompatible" : "unknown", narrow, wide, "pattern")];
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

/** Short texts of many kinds that keep the narrow schema's lengths. */
function samples(narrow: Conjunction): string[] {
  const least = narrow.greatest("minLength") ?? 0;
  const most = narrow.least("maxLength") ?? Infinity;
  if (least > LONGEST_SAMPLE) return [];
  return SAMPLES.map((text) => text.padEnd(least, text.at(-1) ?? "a")).filter(
    (text) => [...text].length <= most,
  );
}

const LONGEST_SAMPLE = 100;
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

function refused(
  answer: Answer,
  narrow: Conjunction,
  wide: ObjectNode,
  name: "pattern" | "format",
): Finding {
  const excess = {
    kind: "text",
    keyword: name,
    narrow: narrow.valuesOf(name)[0],
    wide: keyword(wide, name) ?? null,
  } as const;
  return finding(answer, excess, narrow, wide, [name]);
}
