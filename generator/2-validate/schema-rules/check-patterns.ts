import type { Place } from "../../model/catalogue-entry.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import {
  exponentialPattern,
  invalidPattern,
  polynomialPattern,
  uncheckedPattern,
} from "../../model/catalogue/schema-meaning.js";
import type { PatternCost } from "../../schema/patterns/pattern-cost.js";
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
    yield* describeCost(document.run.patterns.costOf(pattern), pattern, maxLengthOf(schema), place);
  }
  const patterns = ownValue(schema, "patternProperties");
  if (!isJsonObject(patterns)) return;
  const [names] = nameSchemas(schema);
  for (const source of Object.keys(patterns)) {
    const place = () => placeOf(document, [...path, "patternProperties", source], "key");
    const maxLength = isJsonObject(names) ? maxLengthOf(names) : Infinity;
    yield* describeCost(document.run.patterns.costOf(source), source, maxLength, place);
  }
}

function maxLengthOf(schema: JsonObject): number {
  const maxLength = ownValue(schema, "maxLength");
  return typeof maxLength === "number" ? maxLength : Infinity;
}

function* describeCost(
  cost: PatternCost,
  source: string,
  maxLength: number,
  place: () => Place,
): Generator<Diagnostic> {
  if (cost.kind === "invalid") yield invalidPattern(place(), { reason: cost.reason });
  else if (cost.kind === "exponential") yield exponentialPattern(place(), {});
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
