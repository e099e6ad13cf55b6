import type { JsonObject } from "../../model/json.js";
import { isLonger } from "../values.js";
import { meetsTypeKeywords } from "./type-keywords.js";
import { MAXIMUM_STRING } from "./sizes.js";
import { patternSampler } from "./pattern-sample.js";
import { greatestAt, smallestAt, stringsAt, type ValueRequest } from "./value-request.js";

const FORMAT_SAMPLES: ReadonlyMap<string, readonly string[]> = new Map([
  ["date-time", ["2026-01-15T09:30:00Z", "2026-02-16T10:45:00Z", "2024-02-29T23:59:59.5+14:00"]],
  ["iso-date-time", ["2026-01-15T09:30:00", "2026-02-16T10:45:00"]],
  ["date", ["2026-01-15", "2026-02-16", "2024-02-29"]],
  ["time", ["09:30:00Z", "10:45:00Z", "23:59:59.5-12:00"]],
  ["iso-time", ["09:30:00", "10:45:00"]],
  ["duration", ["P1D", "PT2H"]],
  ["email", ["ada@example.com", "alan@example.com"]],
  ["idn-email", ["ada@example.com", "alan@example.com"]],
  ["hostname", ["example.com", "example.org"]],
  ["idn-hostname", ["example.com", "example.org"]],
  ["ipv4", ["192.0.2.1", "192.0.2.2"]],
  ["ipv6", ["2001:db8::1", "2001:db8::2"]],
  ["uri", ["https://example.com/", "https://example.org/"]],
  ["iri", ["https://example.com/", "https://example.org/"]],
  ["url", ["https://example.com/", "https://example.org/"]],
  ["uri-reference", ["/path", "/other"]],
  ["iri-reference", ["/path", "/other"]],
  ["uri-template", ["/items/{id}", "/lists/{id}"]],
  ["uuid", ["123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174001"]],
  ["json-pointer", ["/a", "/b"]],
  ["json-pointer-uri-fragment", ["#/a", "#/b"]],
  ["relative-json-pointer", ["0", "1"]],
  ["regex", ["^a+$", "^b+$"]],
  ["byte", ["QUJD", "REVG"]],
]);

/** Prefix and suffix of formats whose middle can be of any length. */
const EXTENSIBLE_FORMATS: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["email", ["", "@example.com"]],
  ["idn-email", ["", "@example.com"]],
  ["uri", ["https://example.com/", ""]],
  ["iri", ["https://example.com/", ""]],
  ["url", ["https://example.com/", ""]],
  ["uri-reference", ["/", ""]],
  ["iri-reference", ["/", ""]],
  ["uri-template", ["/", ""]],
  ["json-pointer", ["/", ""]],
  ["regex", ["", ""]],
]);

/** A string that meets the string keywords of all schemas; undefined if none was found. */
export function makeString(
  schemas: readonly JsonObject[],
  request: ValueRequest,
): string | undefined {
  const limits = stringLimits(schemas);
  if (limits.least > Math.min(limits.most, MAXIMUM_STRING)) return undefined;
  const fits = (text: string): boolean =>
    !isLonger(text, MAXIMUM_STRING) && schemas.every((schema) => meetsTypeKeywords(text, schema));
  const fitting: string[] = [];
  // Where a pattern leaves few texts, most candidates are equal.
  const tried = new Set<string>();
  for (const candidate of candidates(schemas, limits, request)) {
    if (!tried.has(candidate) && fits(candidate)) fitting.push(candidate);
    tried.add(candidate);
    if (fitting.length > request.seed) break;
  }
  return fitting[request.seed] ?? fitting.at(-1);
}

interface StringLimits {
  readonly least: number;
  readonly most: number;
}

function stringLimits(schemas: readonly JsonObject[]): StringLimits {
  return {
    least: greatestAt(schemas, "minLength", 0),
    most: smallestAt(schemas, "maxLength", Infinity),
  };
}

/** Strings to try, the most natural ones first. */
function* candidates(
  schemas: readonly JsonObject[],
  limits: StringLimits,
  request: ValueRequest,
): Generator<string> {
  if (request.bound === "typical") yield* exampleStrings(schemas);
  for (const format of stringsAt(schemas, "format")) yield* formatTexts(format, limits, request);
  for (const pattern of stringsAt(schemas, "pattern"))
    yield* patternTexts(pattern, limits, request);
  for (const text of simpleTexts(request)) yield* atLengthBounds(text, limits, request);
}

function* exampleStrings(schemas: readonly JsonObject[]): Generator<string> {
  for (const { examples, default: standard } of schemas) {
    for (const value of [...(Array.isArray(examples) ? examples : []), standard]) {
      if (typeof value === "string") yield value;
    }
  }
}

function* formatTexts(
  format: string,
  limits: StringLimits,
  request: ValueRequest,
): Generator<string> {
  const affixes = EXTENSIBLE_FORMATS.get(format);
  const isLong = request.bound === "high" && limits.most <= MAXIMUM_STRING;
  const lengths = isLong ? [limits.most, limits.least] : [limits.least];
  const samples = FORMAT_SAMPLES.get(format) ?? [];
  if (!isLong) yield* request.bound === "high" ? samples.toReversed() : samples;
  if (affixes !== undefined) yield* lengths.map((length) => ofLength(affixes, length));
  yield* samples;
}

function ofLength([prefix, suffix]: readonly [string, string], length: number): string {
  return prefix + "a".repeat(Math.max(1, length - prefix.length - suffix.length)) + suffix;
}

function* patternTexts(
  pattern: string,
  limits: StringLimits,
  request: ValueRequest,
): Generator<string> {
  const sampler = patternSampler(pattern);
  if (sampler === undefined) return;
  const longest = Number.isFinite(limits.most) ? Math.min(limits.most, MAXIMUM_STRING) : 8;
  const lengths = request.bound === "high" ? [longest, limits.least, 1] : [limits.least, 1, 3, 8];
  for (const repeat of lengths) {
    for (let pick = request.seed; pick < request.seed + 8; pick += 1) {
      // A part of the pattern that is not repeated makes the longest sample too long.
      const sample = sampler({ repeat, pick }).slice(0, limits.most);
      yield sample;
      yield sample + "a".repeat(Math.max(0, limits.least - sample.length));
    }
  }
  // A pattern with several repetitions reaches the length with fewer of each.
  for (let repeat = 2; repeat <= 64; repeat += 1) yield sampler({ repeat, pick: request.seed });
}

/** The property's name as words. */
function nameAsWords(name: string): string {
  const words = name.replace(/[^A-Za-z0-9]+/g, " ").trim();
  return words === "" ? "text" : words;
}

function* simpleTexts(request: ValueRequest): Generator<string> {
  const text = nameAsWords(request.name);
  yield text;
  for (let number = 2; number < request.seed + 3; number += 1) yield `${text} ${number}`;
  for (let code = 97; code < 123; code += 1) yield String.fromCharCode(code);
  for (let number = 0; number <= request.seed; number += 1) yield String(number);
}

function* atLengthBounds(
  text: string,
  limits: StringLimits,
  request: ValueRequest,
): Generator<string> {
  const most = Math.min(limits.most, MAXIMUM_STRING);
  if (request.bound === "low") yield text.slice(0, limits.least);
  if (request.bound === "high" && Number.isFinite(limits.most)) yield lengthened(text, most);
  yield text;
  yield text.slice(0, most);
  yield lengthened(text, limits.least);
}

const lengthened = (text: string, length: number): string =>
  text.padEnd(Math.max(length, text.length), "a").slice(0, Math.max(length, 1));
