import type { Place } from "../../model/catalogue-entry.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
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
import { nameSchemas } from "../../schema/keywords/index.js";
import { placeOf, type SchemaDocument, type SchemaNode } from "./schema-document.js";

/** The longest texts, in characters, on which a pattern of quadratic time is fast: about four million steps. */
const SHORT_TEXT = 2000;

/** Checks that patterns compile, and that their time to match grows linearly with the length of the text. */
export function* checkPatterns(
  { schema, path }: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const pattern = ownValue(schema, "pattern");
  if (typeof pattern === "string") {
    const place = () => placeOf(document, [...path, "pattern"], "value");
    yield* describeSlashes(pattern, place);
    yield* describeCost(document.run.patterns.costOf(pattern), pattern, maxLengthOf(schema), place);
  }
  const patterns = ownValue(schema, "patternProperties");
  if (!isJsonObject(patterns)) return;
  const [names] = nameSchemas(schema);
  for (const source of Object.keys(patterns)) {
    const place = () => placeOf(document, [...path, "patternProperties", source], "key");
    const maxLength = isJsonObject(names) ? maxLengthOf(names) : Infinity;
    yield* describeSlashes(source, place);
    yield* describeCost(document.run.patterns.costOf(source), source, maxLength, place);
  }
}

function maxLengthOf(schema: JsonObject): number {
  const maxLength = ownValue(schema, "maxLength");
  return typeof maxLength === "number" ? maxLength : Infinity;
}

/** An expression as JavaScript writes it: its slashes are escaped, so that a path such as `/a/b/i` is none. */
const LITERAL = /^\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+)\/([gimsuy]*)$/su;

/** Warns of a pattern between slashes that has flags, or an anchor beside each slash, where none can match. */
function* describeSlashes(source: string, place: () => Place): Generator<Diagnostic> {
  const [, body = "", flags = ""] = LITERAL.exec(source) ?? [];
  if (flags === "" && !/^\^.*\$$/su.test(body)) return;
  const ofCase = flags.includes("i") ? `; ${NO_FLAGS}` : "";
  yield patternWithSlashes(place(), { advice: `write ${excerpt(body)}${ofCase}` });
}

const NO_FLAGS = "JSON Schema has no flags: for letters of either case, write [aA][bB][cC]";

/** The flags at the start of a pattern or group in Python, Java, PCRE and others: `(?i)`. */
const INLINE_FLAGS = /\(\?[a-zA-Z]+\)/;

function* describeCost(
  cost: PatternCost,
  source: string,
  maxLength: number,
  place: () => Place,
): Generator<Diagnostic> {
  if (cost.kind === "invalid") {
    const advice = INLINE_FLAGS.test(source) ? NO_FLAGS : undefined;
    yield invalidPattern(place(), { reason: cost.reason, ...(advice && { advice }) });
  } else if (cost.kind === "exponential") yield exponentialPattern(place(), {});
  else if (cost.kind === "unknown") yield uncheckedPattern(place(), {});
  else if (cost.degree > 2) {
    const advice = "let repetitions that follow each other take different characters";
    yield polynomialPattern(place(), { growth: "third power", advice });
  } else if (cost.degree === 2 && maxLength > SHORT_TEXT) {
    const start = source.startsWith("^") ? "" : "begin the pattern with ^, or ";
    const advice = `${start}add maxLength: ${SHORT_TEXT} or less`;
    yield polynomialPattern(place(), { growth: "square", advice });
  }
}
