import type { Place } from "../../model/place.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import {
  exponentialPattern,
  invalidPattern,
  patternWithSlashes,
  polynomialPattern,
  uncheckedPattern,
} from "../../model/catalogue/patterns.js";
import type { PatternCost } from "../../schema/patterns/pattern-cost.js";
import { excerpt } from "../../text/excerpt.js";
import { placeOf, type SchemaDocument, type SchemaNode } from "./schema-document.js";

/** Checks that patterns compile, and that texts are matched quickly. */
export function* checkPatterns(
  { schema, path }: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const pattern = ownValue(schema, "pattern");
  if (typeof pattern === "string") {
    const place = () => placeOf(document, [...path, "pattern"], "value");
    yield* describeSlashes(pattern, place);
    const maxLength = ownValue(schema, "maxLength");
    const length = typeof maxLength === "number" ? maxLength : Infinity;
    yield* describeCost(document.run.patterns.costOf(pattern), pattern, length, place);
  }
  const patterns = ownValue(schema, "patternProperties");
  if (!isJsonObject(patterns)) return;
  for (const source of Object.keys(patterns)) {
    const place = () => placeOf(document, [...path, "patternProperties", source], "key");
    yield* describeSlashes(source, place);
    // A validator matches every name, even one that is too long for `propertyNames`.
    yield* describeCost(document.run.patterns.costOf(source), source, "any name", place);
  }
}

/** An expression as JavaScript writes it: its slashes are escaped, so that a path such as `/a/b/i` is none. */
const LITERAL = /^\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+)\/([gimsuy]*)$/su;

/**
 * Warns of a pattern between slashes that has flags, or an anchor beside each slash, where none can match. Seen in
 * ajv-validator/ajv#54 and geraintluff/tv4#191.
 */
function* describeSlashes(source: string, place: () => Place): Generator<Diagnostic> {
  const [, body = "", flags = ""] = LITERAL.exec(source) ?? [];
  if (flags === "" && !/^\^.*\$$/su.test(body)) return;
  const ofCase = flags.includes("i") ? `; ${NO_FLAGS}` : "";
  yield patternWithSlashes(place(), { advice: `write ${excerpt(body)}${ofCase}` });
}

const NO_FLAGS = "JSON Schema has no flags: for letters of either case, write [aA][bB][cC]";

/** The flags at the start of a pattern or group in Python, Java and PCRE: `(?i)` (redhat-developer/yaml-language-server#874). */
const INLINE_FLAGS = /\(\?[a-zA-Z]+\)/;

function* describeCost(
  cost: PatternCost,
  source: string,
  longest: number | "any name",
  place: () => Place,
): Generator<Diagnostic> {
  if (cost.kind === "invalid") {
    const advice = INLINE_FLAGS.test(source) ? NO_FLAGS : undefined;
    yield invalidPattern(place(), { reason: cost.reason, ...(advice && { advice }) });
  } else if (cost.kind === "exponential") yield exponentialPattern(place(), {});
  else if (cost.kind === "unknown") yield uncheckedPattern(place(), {});
  else if (cost.longestText < (longest === "any name" ? Infinity : longest)) {
    const advice = waysToQuicken(source, longest === "any name" ? 0 : cost.longestText);
    yield polynomialPattern(place(), { longestText: cost.longestText, advice });
  }
}

function waysToQuicken(source: string, maxLength: number): string {
  const start = source.startsWith("^") ? "" : "begin the pattern with ^, ";
  const bound = maxLength === 0 ? "" : `add maxLength: ${maxLength} or less, `;
  const ways = "let repetitions that follow each other take different characters";
  return `${start}${bound}${start + bound === "" ? "" : "or "}${ways}`;
}
