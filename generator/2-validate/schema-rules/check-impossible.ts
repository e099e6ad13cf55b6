import { contradictingBounds } from "../../model/catalogue/schema-meaning.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import { stepOf } from "../../schema/keywords/index.js";
import { itemSchemas } from "../../schema/keywords/item-schemas.js";
import { placeOf, type SchemaDocument, type SchemaNode } from "./schema-document.js";

/** Two keywords that no value can meet, in words, and the ones to point at. */
interface Contradiction {
  readonly lower: string;
  readonly upper: string;
  readonly keyword: string;
  readonly other: string;
}

/** Rules of different kinds beside each other that leave no value. */
export function* checkImpossible(
  { schema, path }: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const found = [
    integersBetween(schema),
    multiplesBetween(schema),
    ...requiredProperties(schema),
    closedProperties(schema),
    closedTuple(schema),
  ];
  for (const contradiction of found) {
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

/** Bounds that fractions can meet, where the type takes none. */
function integersBetween(schema: JsonObject): Contradiction | undefined {
  if (ownValue(schema, "type") !== "integer") return undefined;
  const lowers = ["minimum", "exclusiveMinimum"] as const;
  const uppers = ["maximum", "exclusiveMaximum"] as const;
  for (const other of lowers) {
    for (const keyword of uppers) {
      const low = numberUnder(schema, other);
      const high = numberUnder(schema, keyword);
      // Bounds without any number between them are reported as such.
      if (low === undefined || high === undefined || low >= high) continue;
      const first = other === "minimum" ? Math.ceil(low) : Math.floor(low) + 1;
      const last = keyword === "maximum" ? Math.floor(high) : Math.ceil(high) - 1;
      if (first <= last) continue;
      const lower = `type: integer, ${other}: ${low}`;
      return { lower, upper: `${keyword}: ${high}`, keyword, other };
    }
  }
  return undefined;
}

/** Bounds between which no multiple lies. */
function multiplesBetween(schema: JsonObject): Contradiction | undefined {
  const step = stepOf(schema);
  const isNumeric = ["number", "integer"].includes(String(ownValue(schema, "type")));
  if (step <= 0 || !Number.isFinite(step) || !isNumeric) return undefined;
  for (const other of ["minimum", "exclusiveMinimum"] as const) {
    for (const keyword of ["maximum", "exclusiveMaximum"] as const) {
      const low = numberUnder(schema, other);
      const high = numberUnder(schema, keyword);
      // Bounds without any number between them are reported as such.
      if (low === undefined || high === undefined || low >= high) continue;
      const [from, to] = [low / step, high / step];
      // What may be a rounding error is left alone.
      if (Math.max(Math.abs(from), Math.abs(to)) > MOST_MULTIPLES) continue;
      const least = Math.ceil(from - TOLERANCE) + (isWhole(from) && other !== "minimum" ? 1 : 0);
      const most = Math.floor(to + TOLERANCE) - (isWhole(to) && keyword !== "maximum" ? 1 : 0);
      if (least <= most) continue;
      const lower = `multipleOf: ${step}, ${other}: ${low}`;
      return { lower, upper: `${keyword}: ${high}`, keyword, other };
    }
  }
  return undefined;
}

/** Up to this quotient, two decimals are divided more exactly than the tolerance. */
const MOST_MULTIPLES = 1e9;
const TOLERANCE = 1e-6;

function isWhole(quotient: number): boolean {
  return Number.isInteger(quotient);
}

/** More required properties than an object may have. */
function requiredProperties(schema: JsonObject): (Contradiction | undefined)[] {
  const required = ownValue(schema, "required");
  const most = numberUnder(schema, "maxProperties");
  if (!Array.isArray(required) || most === undefined) return [];
  const count = new Set(required).size;
  if (count <= most) return [];
  const lower = `${count} required properties`;
  return [{ lower, upper: `maxProperties: ${most}`, keyword: "maxProperties", other: "required" }];
}

/** More properties asked for than are described, where no others are allowed. */
function closedProperties(schema: JsonObject): Contradiction | undefined {
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

/** More items asked for than a tuple has, where no others are allowed. */
function closedTuple(schema: JsonObject): Contradiction | undefined {
  const { first, rest, keywords } = itemSchemas((keyword) => ownValue(schema, keyword));
  const least = numberUnder(schema, "minItems");
  if (least === undefined || rest !== false || least <= first.length) return undefined;
  const count = `${first.length} item${first.length === 1 ? "" : "s"}`;
  const upper = `${keywords.rest}: false after ${count}`;
  return { lower: `minItems: ${least}`, upper, keyword: "minItems", other: keywords.rest };
}
