import { contradictingBounds } from "../../model/catalogue/schema-meaning.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import { stepOf } from "../../schema/keywords/index.js";
import { itemSchemas } from "../../schema/keywords/item-schemas.js";
import { placeOf, type SchemaDocument, type SchemaNode } from "./schema-document.js";

/** Two keywords that no value can fit together. */
interface Contradiction {
  /** The words for the lower bound. */
  readonly lower: string;
  /** The words for the upper bound. */
  readonly upper: string;
  /** The keyword at which the contradiction is reported. */
  readonly keyword: string;
  /** The keyword that is shown as the related place. */
  readonly other: string;
}

/** Reports keywords of different kinds beside each other that no value can fit. */
export function* checkImpossible(
  { schema, path }: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const contradictions = [
    boundsWithoutInteger(schema),
    boundsWithoutMultiple(schema),
    tooManyRequired(schema),
    tooFewProperties(schema),
    tooFewItems(schema),
  ];
  for (const contradiction of contradictions) {
    if (contradiction === undefined) continue;
    const { lower, upper, keyword, other } = contradiction;
    yield contradictingBounds(placeOf(document, [...path, keyword], "value"), { lower, upper }, [
      { ...placeOf(document, [...path, other], "value"), message: `${other} stands here` },
    ]);
  }
}

function numberUnder(schema: JsonObject, keyword: string): number | undefined {
  const value = ownValue(schema, keyword);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A lower and an upper bound of a schema, with numbers between them. */
interface Bounds {
  readonly lower: "minimum" | "exclusiveMinimum";
  readonly low: number;
  readonly upper: "maximum" | "exclusiveMaximum";
  readonly high: number;
}

/** All pairs of a lower and an upper bound. `checkContradictions` reports pairs without a number between them. */
function* boundsOf(schema: JsonObject): Generator<Bounds> {
  for (const lower of ["minimum", "exclusiveMinimum"] as const) {
    for (const upper of ["maximum", "exclusiveMaximum"] as const) {
      const low = numberUnder(schema, lower);
      const high = numberUnder(schema, upper);
      if (low !== undefined && high !== undefined && low < high) yield { lower, low, upper, high };
    }
  }
}

/** @param reason the words for what excludes the numbers between the bounds */
function contradictionOf({ lower, low, upper, high }: Bounds, reason: string): Contradiction {
  const words = { lower: `${reason}, ${lower}: ${low}`, upper: `${upper}: ${high}` };
  return { ...words, keyword: upper, other: lower };
}

/** Bounds between which there are only fractions, beside `type: integer`. */
function boundsWithoutInteger(schema: JsonObject): Contradiction | undefined {
  if (ownValue(schema, "type") !== "integer") return undefined;
  for (const bounds of boundsOf(schema)) {
    const { lower, low, upper, high } = bounds;
    const first = lower === "minimum" ? Math.ceil(low) : Math.floor(low) + 1;
    const last = upper === "maximum" ? Math.floor(high) : Math.ceil(high) - 1;
    if (first > last) return contradictionOf(bounds, "type: integer");
  }
  return undefined;
}

/** Bounds between which there is no multiple of `multipleOf`. */
function boundsWithoutMultiple(schema: JsonObject): Contradiction | undefined {
  const step = stepOf(schema);
  const isNumeric = ["number", "integer"].includes(String(ownValue(schema, "type")));
  if (step <= 0 || !Number.isFinite(step) || !isNumeric) return undefined;
  for (const bounds of boundsOf(schema)) {
    const { lower, low, upper, high } = bounds;
    const [from, to] = [low / step, high / step];
    // The rounding error of a larger quotient could exceed the tolerance.
    if (Math.max(Math.abs(from), Math.abs(to)) > MOST_MULTIPLES) continue;
    const excludesFrom = Number.isInteger(from) && lower !== "minimum";
    const excludesTo = Number.isInteger(to) && upper !== "maximum";
    const least = Math.ceil(from - TOLERANCE) + (excludesFrom ? 1 : 0);
    const most = Math.floor(to + TOLERANCE) - (excludesTo ? 1 : 0);
    if (least > most) return contradictionOf(bounds, `multipleOf: ${step}`);
  }
  return undefined;
}

/** Up to this quotient, the rounding error of a division is below the tolerance. */
const MOST_MULTIPLES = 1e9;
const TOLERANCE = 1e-6;

/** More required properties than `maxProperties` allows. */
function tooManyRequired(schema: JsonObject): Contradiction | undefined {
  const required = ownValue(schema, "required");
  const most = numberUnder(schema, "maxProperties");
  if (!Array.isArray(required) || most === undefined) return undefined;
  const count = new Set(required).size;
  if (count <= most) return undefined;
  const lower = `${count} required properties`;
  return { lower, upper: `maxProperties: ${most}`, keyword: "maxProperties", other: "required" };
}

/** Fewer described properties than `minProperties` requires, if others are not allowed. */
function tooFewProperties(schema: JsonObject): Contradiction | undefined {
  const least = numberUnder(schema, "minProperties");
  const properties = ownValue(schema, "properties") ?? {};
  const isOpen =
    ownValue(schema, "additionalProperties") !== false ||
    Object.keys(ownValue(schema, "patternProperties") ?? {}).length > 0;
  if (least === undefined || isOpen || !isJsonObject(properties)) return undefined;
  const count = Object.keys(properties).length;
  if (least <= count) return undefined;
  const upper = `additionalProperties: false beside ${count} properties`;
  return {
    lower: `minProperties: ${least}`,
    upper,
    keyword: "minProperties",
    other: "additionalProperties",
  };
}

/** Fewer items of a tuple than `minItems` requires, if others are not allowed. */
function tooFewItems(schema: JsonObject): Contradiction | undefined {
  const { first, rest, keywords } = itemSchemas((keyword) => ownValue(schema, keyword));
  const least = numberUnder(schema, "minItems");
  if (least === undefined || rest !== false || least <= first.length) return undefined;
  const count = `${first.length} item${first.length === 1 ? "" : "s"}`;
  const upper = `${keywords.rest}: false after ${count}`;
  return { lower: `minItems: ${least}`, upper, keyword: "minItems", other: keywords.rest };
}
