import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { PatternCosts } from "../schema/patterns/pattern-cost.js";
import { hasFormat, CHECKED_FORMATS } from "../schema/formats/format-checks.js";
import { accepts } from "../schema/interpret.js";
import { ownValue, TYPE_NAMES } from "../schema/json-schema.js";
import type { KeywordShape } from "../schema/keywords/definition.js";
import { KEYWORDS } from "../schema/keywords/index.js";
import { NotImportable, referenceIn, type DocumentPath, type Located } from "./api-document.js";
import { plainText, shortened } from "./texts.js";

/** Whether a schema is for what callers give, or for what the upstream answers. */
export type Direction = "request" | "response";

/** What the reading of a schema needs to know besides the schema. */
export interface Reading {
  readonly direction: Direction;
  /** A schema that stands for the one that a reference leads to. */
  readonly refer: (reference: string, from: DocumentPath) => JsonSchema;
  /** Whether keywords beside a reference say something: before OpenAPI 3.1, they do not. */
  readonly mayStandBesideReferences: boolean;
  /** Says that a part of a schema is not carried over. */
  readonly leave: (reason: string, path: DocumentPath) => void;
  /** The schema that a reference leads to, for what is said of its properties. */
  readonly follow: (schema: Located) => Located;
}

type Rewriting = (value: JsonValue, at: Located<JsonObject>, reading: Reading) => JsonObject;

const KNOWN_TYPES: ReadonlySet<string> = new Set(TYPE_NAMES);

const schemaIn: (key: string) => Rewriting = (key) => (value, at, reading) => ({
  [key]: schemaFrom({ value, path: [...at.path, key] }, reading),
});

const schemasIn: (key: string) => Rewriting = (key) => (value, at, reading) => {
  if (!Array.isArray(value) || value.length === 0) return {};
  return {
    [key]: value.map((schema, index) =>
      schemaFrom({ value: schema, path: [...at.path, key, index] }, reading),
    ),
  };
};

const textOf: (key: string) => Rewriting = (key) => (value) => {
  const text = typeof value === "string" ? shortened(plainText(value)) : "";
  return text === "" ? {} : { [key]: text };
};

const countOf: (key: string) => Rewriting = (key) => (value) =>
  Number.isInteger(value) && (value as number) >= 0 ? { [key]: value } : {};

const numberOf: (key: string) => Rewriting = (key) => (value) =>
  typeof value === "number" ? { [key]: value } : {};

/** A bound that is exclusive by a keyword beside it (OpenAPI 3.0) or by itself (JSON Schema 2020-12). */
const bound: (key: string, exclusive: string) => Rewriting = (key, exclusive) => (value, at) => {
  if (typeof value !== "number") return {};
  return { [ownValue(at.value, exclusive) === true ? exclusive : key]: value };
};

const positiveNumberOf: (key: string) => Rewriting = (key) => (value) =>
  typeof value === "number" && value > 0 ? { [key]: value } : {};

const trueOf: (key: string) => Rewriting = (key) => (value) =>
  value === true ? { [key]: value } : {};

/** What keywords become that mean the same in every dialect, by what their values must look like. */
const BY_SHAPE: Readonly<Partial<Record<KeywordShape, (key: string) => Rewriting>>> = {
  schema: schemaIn,
  "schema list": schemasIn,
  count: countOf,
  number: numberOf,
  "positive number": positiveNumberOf,
  boolean: trueOf,
};

/** What becomes of a keyword; undefined where it says nothing about values. */
function rewritingOf(name: string): Rewriting | undefined {
  const own = OWN_REWRITINGS.get(name);
  const keyword = KEYWORDS.get(name);
  if (own !== undefined || keyword === undefined) return own;
  const { dialects, shape, subject } = keyword;
  const isAnnotation = shape === "boolean" && subject === undefined;
  return isAnnotation || !dialects.includes("2020-12") ? undefined : BY_SHAPE[shape]?.(name);
}

/** What keywords become that the dialects spell in their own ways, or that need a closer look. */
const OWN_REWRITINGS: ReadonlyMap<string, Rewriting> = new Map<string, Rewriting>([
  ["title", textOf("title")],
  ["description", textOf("description")],
  ["type", (value, at) => ({ type: typeFrom(value, at) })],
  ["enum", (value, at) => enumeration(value, at)],
  ["const", (value) => ({ const: value })],
  ["default", (value, at, { direction }) => defaultFrom(value, at, direction)],
  ["pattern", (value, at, reading) => pattern(value, at, reading)],
  ["format", (value, _, { direction }) => (direction === "request" ? format(value) : {})],
  ["minimum", bound("minimum", "exclusiveMinimum")],
  ["maximum", bound("maximum", "exclusiveMaximum")],
  ["items", (value, at, reading) => itemsFrom(value, at, reading)],
  ["properties", (value, at, reading) => propertiesFrom(value, at, reading)],
  ["required", (value, at, reading) => requiredFrom(value, at, reading)],
  ["additionalProperties", (value, at, reading) => additional(value, at, reading)],
  ["oneOf", (value, at, reading) => oneOf(value, at, reading)],
]);

/**
 * A schema of OpenAPI 2.0, 3.0 or 3.1 → JSON Schema 2020-12.
 *
 * @throws {NotImportable} where it is no schema
 */
export function schemaFrom(at: Located, reading: Reading): JsonSchema {
  const { value, path } = at;
  if (typeof value === "boolean") return value;
  if (!isJsonObject(value)) throw new NotImportable("has a schema that is no object", path);
  const reference = referenceIn(value);
  const object = { value, path };
  const schema = reference === undefined ? {} : reading.refer(reference, path);
  if (reference !== undefined) {
    if (reading.mayStandBesideReferences) {
      for (const key of Object.keys(value)) leaveBeside(key, path, reading);
    }
    return withNull(value, referenceWithTexts(schema, value));
  }
  return withNull(value, rewritten(object, reading));
}

/** Says that a keyword beside a reference is not carried over, where it would say something about values. */
function leaveBeside(key: string, path: DocumentPath, reading: Reading): void {
  const isMap = MAPS.has(String(KEYWORDS.get(key)?.shape));
  if (TEXTS.has(key) || (rewritingOf(key) === undefined && !isMap)) return;
  reading.leave(`${key} beside a reference is left out`, [...path, key]);
}

/** What says nothing about values. */
const TEXTS: ReadonlySet<string> = new Set(["title", "description", "default"]);

function referenceWithTexts(schema: JsonSchema, value: JsonObject): JsonSchema {
  const description = textOf("description")(
    ownValue(value, "description") ?? null,
    { value, path: [] },
    undefined as never,
  );
  return typeof schema === "boolean" ? schema : { ...schema, ...description };
}

function rewritten(at: Located<JsonObject>, reading: Reading): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(at.value)) {
    const rewrite = rewritingOf(key);
    const part = rewrite?.(value, at, reading) ?? {};
    Object.assign(result, part);
    const problem = problemOf(
      key,
      value,
      rewrite !== undefined,
      Object.keys(part).length > 0,
      reading,
    );
    if (problem !== undefined) reading.leave(`${key} is left out, ${problem}`, [...at.path, key]);
  }
  return withoutContradiction(result, at.path, reading);
}

/** Why a keyword that says something about values is not carried over; undefined where nothing is lost. */
function problemOf(
  key: string,
  value: JsonValue,
  isKnown: boolean,
  isThere: boolean,
  { direction }: Reading,
): string | undefined {
  const { shape, subject } = KEYWORDS.get(key) ?? {};
  if (!isKnown) return MAPS.has(String(shape)) ? "which is not carried over" : undefined;
  if (isThere) return undefined;
  const isCount = shape === "count" || shape === "number" || shape === "positive number";
  if (isCount && typeof value !== "boolean") return "since its value is no number that it can have";
  if (shape === "schema list" && subject === undefined) return "since it is no list of schemas";
  const isWhole = isJsonObject(value) || (Array.isArray(value) && value.length > 0);
  if (key === "default" && direction === "request" && isWhole) return "since it is no single value";
  return undefined;
}

/** Shapes of keywords that hold schemas or names by name. */
const MAPS: ReadonlySet<string> = new Set(["schema map", "name list map", "dependency map"]);

/** Some documents have an enumeration and beside it bounds that refuse each of its values: the values are meant. */
function withoutContradiction(
  schema: JsonObject,
  path: DocumentPath,
  { leave }: Reading,
): JsonObject {
  const { enum: values } = schema;
  const bounds = Object.fromEntries(Object.entries(schema).filter(([key]) => BOUNDS.has(key)));
  const isRefused = (value: JsonValue): boolean => !accepts(bounds, value);
  if (!Array.isArray(values) || values.length === 0 || !values.every(isRefused)) return schema;
  const names = Object.keys(bounds);
  for (const key of names)
    leave(`${key} is left out, since enum has no value that it allows`, [...path, key]);
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !BOUNDS.has(key)));
}

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

const mayBeNull = (value: JsonObject): boolean =>
  ownValue(value, "nullable") === true || ownValue(value, "x-nullable") === true;

/** `nullable` beside a type joins it; beside anything else, null is an alternative. */
function withNull(value: JsonObject, schema: JsonSchema): JsonSchema {
  if (!mayBeNull(value) || typeof schema === "boolean") return schema;
  const type = ownValue(schema, "type");
  const { description, title, default: fallback, ...rest } = schema;
  const isPlain = ["$ref", "allOf", "anyOf", "oneOf", "not", "const"].every(
    (key) => !(key in rest),
  );
  if (isPlain && type === undefined && !("enum" in rest)) return schema;
  if (isPlain) {
    const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
    const values = ownValue(schema, "enum");
    return {
      ...schema,
      ...(types.length > 0 && !types.includes("null") && { type: [...types, "null"] }),
      ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
    };
  }
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
    anyOf: [rest, { type: "null" }],
  };
}

function typeFrom(value: JsonValue, { value: schema, path }: Located<JsonObject>): JsonValue {
  const types = Array.isArray(value) ? value : [value];
  if (types.includes("file")) throw new NotImportable("has a part that is a file", path);
  const wrong = types.find((type) => typeof type !== "string" || !KNOWN_TYPES.has(type));
  if (wrong !== undefined || types.length === 0) {
    throw new NotImportable(`has a schema with an unknown type (${JSON.stringify(value)})`, path);
  }
  const isBinary = ownValue(schema, "format") === "binary" && types.includes("string");
  if (isBinary) throw new NotImportable("has a part that is binary", path);
  const unique = [...new Set(types)];
  return unique.length === 1 ? (unique[0] ?? null) : unique;
}

function typesOf({ value }: Located<JsonObject>): JsonValue[] {
  const type = ownValue(value, "type");
  return Array.isArray(type) ? type : type === undefined ? [] : [type];
}

function enumeration(value: JsonValue, at: Located<JsonObject>): JsonObject {
  if (!Array.isArray(value) || value.length === 0) return {};
  if (value.length > 10_000)
    throw new NotImportable("has an enumeration of more than 10,000 values", at.path);
  const types = typesOf(at);
  const unique = new Map(value.map((item) => [JSON.stringify(asTyped(item, types)), item]));
  const values = [...unique.keys()].map((text) => JSON.parse(text) as JsonValue);
  const fitting = values.filter(
    (item) => types.length === 0 || fits(item, types) || (item === null && mayBeNull(at.value)),
  );
  return fitting.length === 0 ? {} : { enum: fitting };
}

/** A text that YAML read as a number or a boolean is a text where nothing else may stand. */
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

/** A default that the schema itself refuses is none. */
function defaultFrom(value: JsonValue, at: Located<JsonObject>, direction: Direction): JsonObject {
  if (direction === "response") return {};
  const types = typesOf(at);
  const typed = asTyped(value, types);
  const { enum: allowed, format: name } = at.value;
  if (types.length > 0 && !fits(typed, types)) return {};
  if (Array.isArray(allowed) && !allowed.some((item) => asTyped(item, types) === typed)) return {};
  if (typeof name === "string" && CHECKED_FORMATS.has(name) && !hasFormat(typed, name)) return {};
  return isJsonObject(typed) || Array.isArray(typed) ? {} : { default: typed };
}

/** Texts of callers are matched only by expressions whose time is bounded. */
const costs = new PatternCosts();

function pattern(value: JsonValue, at: Located<JsonObject>, reading: Reading): JsonObject {
  if (typeof value !== "string" || reading.direction === "response") return {};
  const path = [...at.path, "pattern"];
  try {
    new RegExp(value, "u");
  } catch {
    reading.leave("the pattern is left out, which is no regular expression of JSON Schema", path);
    return {};
  }
  const cost = costs.costOf(value);
  if (cost.kind === "polynomial" && cost.degree <= 1) return { pattern: value };
  reading.leave("the pattern is left out, since matching it may take too long", path);
  return {};
}

function format(value: JsonValue): JsonObject {
  return typeof value === "string" && CHECKED_FORMATS.has(value) ? { format: value } : {};
}

/** A list of schemas is a tuple in older dialects. */
function itemsFrom(value: JsonValue, at: Located<JsonObject>, reading: Reading): JsonObject {
  return Array.isArray(value)
    ? schemasIn("prefixItems")(value, at, reading)
    : schemaIn("items")(value, at, reading);
}

/** Properties that only the other side sends are not there. */
function isSent(property: Located, { direction, follow }: Reading): boolean {
  const key = direction === "request" ? "readOnly" : "writeOnly";
  const own = isJsonObject(property.value) ? ownValue(property.value, key) : undefined;
  const { value } = own === undefined ? follow(property) : property;
  return !isJsonObject(value) || ownValue(value, key) !== true;
}

function propertiesFrom(value: JsonValue, at: Located<JsonObject>, reading: Reading): JsonObject {
  if (!isJsonObject(value)) throw new NotImportable("has properties that are no object", at.path);
  const entries = Object.entries(value).flatMap(([name, property]): [string, JsonSchema][] => {
    const located = { value: property, path: [...at.path, "properties", name] };
    return isSent(located, reading) ? [[name, schemaFrom(located, reading)]] : [];
  });
  return { properties: Object.fromEntries(entries) };
}

function requiredFrom(value: JsonValue, at: Located<JsonObject>, reading: Reading): JsonObject {
  if (!Array.isArray(value)) return {};
  const properties = ownValue(at.value, "properties");
  const names = [...new Set(value)].filter((name) => {
    if (typeof name !== "string") return false;
    const property = isJsonObject(properties) ? ownValue(properties, name) : undefined;
    const path = [...at.path, "properties", name];
    return property === undefined || isSent({ value: property, path }, reading);
  });
  return names.length === 0 ? {} : { required: names };
}

/** What answers have beyond their description harms nobody. */
function additional(value: JsonValue, at: Located<JsonObject>, reading: Reading): JsonObject {
  if (value === false)
    return reading.direction === "response" ? {} : { additionalProperties: false };
  return isJsonObject(value) && Object.keys(value).length > 0
    ? schemaIn("additionalProperties")(value, at, reading)
    : { additionalProperties: true };
}

/** Of answers, alternatives are not told apart: documents seldom say them so that one alone fits. */
function oneOf(value: JsonValue, at: Located<JsonObject>, reading: Reading): JsonObject {
  const { oneOf: alternatives } = schemasIn("oneOf")(value, at, reading);
  if (alternatives === undefined) return {};
  return {
    [reading.direction === "response" && !("anyOf" in at.value) ? "anyOf" : "oneOf"]: alternatives,
  };
}
