import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { CHECKED_FORMATS, hasFormat } from "../schema/formats/format-checks.js";
import { accepts } from "../schema/interpret.js";
import { ownValue, TYPE_NAMES } from "../schema/json-schema.js";
import { PatternCosts } from "../schema/patterns/pattern-cost.js";
import { NotImportable, NotSendable, type DocumentPath, type Located } from "./api-document.js";
import type { SchemaContext } from "./schema-context.js";

/** Conversions of keywords about scalar values: types, enumerations, defaults, formats, patterns. */

const TYPES: ReadonlySet<string> = new Set(TYPE_NAMES);

/** True if the schema allows null with a keyword of OpenAPI 2.0 or 3.0. */
export const mayBeNull = (value: JsonObject): boolean =>
  ownValue(value, "nullable") === true || ownValue(value, "x-nullable") === true;

/**
 * True for an alternative that says no more than that null is accepted: `{nullable: true}`, which generators of documents
 * of OpenAPI 3.0 write beside the schema of a value that may be absent. Taken by its letters, it would accept everything.
 */
export const isOnlyNull = (value: JsonValue): boolean =>
  isJsonObject(value) && mayBeNull(value) && Object.keys(value).every((key) => NULL_KEYS.has(key));

const NULL_KEYS: ReadonlySet<string> = new Set(["nullable", "x-nullable", "title", "description"]);

export function convertType(
  value: JsonValue,
  { value: schema, path }: Located<JsonObject>,
): JsonValue {
  const types = Array.isArray(value) ? value : [value];
  if (types.includes("file")) throw new NotSendable("has a part that is a file", path);
  const invalidType = types.find((type) => typeof type !== "string" || !TYPES.has(type));
  if (invalidType !== undefined || types.length === 0) {
    throw new NotImportable(`has a schema with an unknown type (${JSON.stringify(value)})`, path);
  }
  const isBinary = ownValue(schema, "format") === "binary" && types.includes("string");
  if (isBinary) throw new NotSendable("has a part that is binary", path);
  const uniqueTypes = [...new Set(types)];
  return uniqueTypes.length === 1 ? (uniqueTypes[0] ?? null) : uniqueTypes;
}

/** False if a number may have been rounded when the document was read, since it has too many digits. */
export function isExact(value: JsonValue): boolean {
  if (typeof value === "number") return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isExact);
}

function typesOf({ value }: Located<JsonObject>): JsonValue[] {
  const type = ownValue(value, "type");
  return Array.isArray(type) ? type : type === undefined ? [] : [type];
}

export function convertEnum(value: JsonValue, at: Located<JsonObject>): JsonObject {
  if (!Array.isArray(value) || value.length === 0) return {};
  if (value.length > 10_000)
    throw new NotImportable("has an enum of more than 10,000 values", at.path);
  const types = typesOf(at);
  const uniqueValues = new Map(value.map((item) => [JSON.stringify(asTyped(item, types)), item]));
  const values = [...uniqueValues.keys()].map((text) => JSON.parse(text) as JsonValue);
  const fittingValues = values.filter(
    (item) => types.length === 0 || fits(item, types) || (item === null && mayBeNull(at.value)),
  );
  return fittingValues.length === 0 ? {} : { enum: fittingValues };
}

/** A scalar in the type that the schema requires: YAML may have read a string as a number, or a number as a string. */
function asTyped(value: JsonValue, types: readonly JsonValue[]): JsonValue {
  const [type, ...others] = types.filter((name) => name !== "null");
  const isScalar = typeof value === "number" || typeof value === "boolean";
  if (others.length > 0) return value;
  if (type === "string" && isScalar) return String(value);
  const isNumeric = type === "integer" || type === "number";
  if (
    isNumeric &&
    typeof value === "string" &&
    value.trim() !== "" &&
    Number.isFinite(Number(value))
  ) {
    return Number(value);
  }
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

function fits(value: JsonValue, types: readonly JsonValue[]): boolean {
  if (value === null) return types.includes("null");
  if (Array.isArray(value)) return types.includes("array");
  if (typeof value === "number") {
    return types.includes("number") || (types.includes("integer") && Number.isInteger(value));
  }
  return types.includes(typeof value);
}

/** `default`. Left out if the schema itself refuses it, which is reported. */
export function convertDefault(
  value: JsonValue,
  at: Located<JsonObject>,
  { direction, omit }: SchemaContext,
): JsonObject {
  if (direction === "response") return {};
  const types = typesOf(at);
  const typedValue = asTyped(value, types);
  if (typedValue === null && mayBeNull(at.value)) return { default: null };
  if (isJsonObject(typedValue) || Array.isArray(typedValue)) return {};
  const { enum: allowed, format: name } = at.value;
  const isRefused =
    (types.length > 0 && !fits(typedValue, types)) ||
    (Array.isArray(allowed) && !allowed.some((item) => asTyped(item, types) === typedValue)) ||
    (typeof name === "string" && CHECKED_FORMATS.has(name) && !hasFormat(typedValue, name));
  if (!isRefused) return { default: typedValue };
  omit(REFUSED_DEFAULT, [...at.path, "default"]);
  return {};
}

const REFUSED_DEFAULT = "default is left out, which the schema refuses";

const costs = new PatternCosts();

/** `pattern`. Left out if it may take too long, since it is matched with texts of callers that `maxLength` allows. */
export function convertPattern(
  value: JsonValue,
  at: Located<JsonObject>,
  context: SchemaContext,
): JsonObject {
  if (typeof value !== "string" || context.direction === "response") return {};
  const maxLength = ownValue(at.value, "maxLength");
  const problem = patternProblem(value, typeof maxLength === "number" ? maxLength : Infinity);
  if (problem === undefined) return { pattern: value };
  context.omit(`the pattern is left out, which ${problem}`, [...at.path, "pattern"]);
  return {};
}

/** Why an expression must not be matched with texts of callers, which have at most so many characters. */
export function patternProblem(expression: string, maxLength: number): string | undefined {
  const cost = costs.costOf(expression);
  if (cost.kind === "invalid") return "is no regular expression of JSON Schema";
  const isQuick = cost.kind === "polynomial" && maxLength <= cost.longestText;
  return isQuick ? undefined : "may take too long to match";
}

export function convertFormat(value: JsonValue): JsonObject {
  return typeof value === "string" && CHECKED_FORMATS.has(value) ? { format: value } : {};
}

/**
 * Removes contradictions that occur in real documents. If the bounds refuse all values of an enum, the bounds are
 * left out. If the schema refuses the default, the default is left out.
 */
export function withoutContradiction(
  schema: JsonObject,
  path: DocumentPath,
  context: SchemaContext,
): JsonObject {
  return withFittingDefault(withFittingBounds(schema, path, context), path, context);
}

function withFittingBounds(
  schema: JsonObject,
  path: DocumentPath,
  { omit: reportLeftOut }: SchemaContext,
): JsonObject {
  const { enum: values } = schema;
  const bounds = boundsOf(schema);
  const isRefused = (value: JsonValue): boolean => !accepts(bounds, value);
  if (!Array.isArray(values) || values.length === 0 || !values.every(isRefused)) return schema;
  const names = Object.keys(bounds);
  for (const key of names)
    reportLeftOut(`${key} is left out, since enum has no value that it allows`, [...path, key]);
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !BOUNDS.has(key)));
}

function withFittingDefault(
  schema: JsonObject,
  path: DocumentPath,
  { omit: reportLeftOut }: SchemaContext,
): JsonObject {
  const { default: value, ...others } = schema;
  if (value === undefined || accepts(boundsOf(schema), value)) return schema;
  reportLeftOut(REFUSED_DEFAULT, [...path, "default"]);
  return others;
}

const boundsOf = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => BOUNDS.has(key)));

const BOUNDS: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
]);
