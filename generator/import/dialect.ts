import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { KeywordShape } from "../schema/keywords/definition.js";
import { KEYWORDS } from "../schema/keywords/index.js";
import { NotImportable, referenceIn, type Located } from "./api-document.js";
import { toldApart } from "./discriminator.js";
import type { Reading, Rewriting } from "./schema-reading.js";
import {
  defaultFrom,
  enumeration,
  format,
  isExact,
  mayBeNull,
  pattern,
  patternProblem,
  typeFrom,
  withoutContradiction,
} from "./schema-values.js";
import { plainText, shortened } from "./texts.js";

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

const schemasByNameIn: (key: string) => Rewriting = (key) => (value, at, reading) => {
  if (!isJsonObject(value)) return {};
  const entries = Object.entries(value).map(([name, schema]): [string, JsonSchema] => [
    name,
    schemaFrom({ value: schema, path: [...at.path, key, name] }, reading),
  ]);
  return { [key]: Object.fromEntries(entries) };
};

const namesByNameIn: (key: string) => Rewriting = (key) => (value) =>
  isJsonObject(value) ? { [key]: value } : {};

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
  "schema map": schemasByNameIn,
  "name list map": namesByNameIn,
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
  const isAnnotation = subject === undefined && (shape === "boolean" || shape === "schema map");
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
  ["unevaluatedProperties", (value, at, reading) => unevaluated(value, at, reading)],
  ["patternProperties", (value, at, reading) => patternProperties(value, at, reading)],
  ["allOf", (value, at, reading) => allOf(value, at, reading)],
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
  if (reference === undefined) return withNull(value, rewritten({ value, path }, reading));
  const schema = reading.refer(reference, path);
  if (!reading.mayStandBesideReferences) return withNull(value, referenceWithTexts(schema, value));
  // Whether a default fits what the reference leads to is not known here.
  const { $ref: _, default: _default, ...beside } = value;
  return withNull(value, joined(schema, rewritten({ value: beside, path }, reading)));
}

/** A reference and what stands beside it. */
function joined(reference: JsonObject, beside: JsonObject): JsonObject {
  const { title, description, ...rules } = beside;
  if (Object.keys(rules).length === 0) return { ...reference, ...beside };
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    allOf: [reference, rules],
  };
}

function referenceWithTexts(reference: JsonObject, value: JsonObject): JsonObject {
  const at = { value, path: [] };
  const said = ownValue(value, "description") ?? null;
  return { ...reference, ...textOf("description")(said, at, undefined as never) };
}

function rewritten(at: Located<JsonObject>, reading: Reading): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(at.value)) {
    const rewrite = SAID_VALUES.has(key) && !isExact(value) ? undefined : rewritingOf(key);
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
  if (SAID_VALUES.has(key) && !isExact(value))
    return "since JavaScript knows no number of so many digits";
  if (!isKnown) return UNREAD.has(key) ? "which is not carried over" : undefined;
  if (isThere) return undefined;
  const isCount = shape === "count" || shape === "number" || shape === "positive number";
  if (isCount && typeof value !== "boolean") return "since its value is no number that it can have";
  if (shape === "schema list" && subject === undefined) return "since it is no list of schemas";
  const isWhole = isJsonObject(value) || (Array.isArray(value) && value.length > 0);
  if (key === "default" && direction === "request" && isWhole) return "since it is no single value";
  return undefined;
}

/** Keywords that hold values of their own. */
const SAID_VALUES: ReadonlySet<string> = new Set(["const", "enum", "default"]);

/** What would say something about values. */
const UNREAD: ReadonlySet<string> = new Set(["$dynamicRef", "$recursiveRef", "dependencies"]);

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
  const unsent = unsentNames(at, reading);
  const names = [...new Set(value)].filter((name) => typeof name === "string" && !unsent.has(name));
  return names.length === 0 ? {} : { required: names };
}

/** Names of properties, those that `allOf` adds included, that only the other side sends. */
function unsentNames(from: Located, reading: Reading, depth = 0): Set<string> {
  const { value, path } = reading.follow(from);
  if (!isJsonObject(value) || depth > DEEPEST) return new Set();
  const properties = ownValue(value, "properties");
  const own = Object.entries(isJsonObject(properties) ? properties : {}).filter(
    ([name, property]) =>
      !isSent({ value: property, path: [...path, "properties", name] }, reading),
  );
  const parts = ownValue(value, "allOf");
  const inherited = (Array.isArray(parts) ? parts : []).flatMap((part, index) => [
    ...unsentNames({ value: part, path: [...path, "allOf", index] }, reading, depth + 1),
  ]);
  return new Set([...own.map(([name]) => name), ...inherited]);
}

/** Levels of `allOf` in which properties are looked for. */
const DEEPEST = 8;

/** What answers have beyond their description harms nobody. */
function additional(value: JsonValue, at: Located<JsonObject>, reading: Reading): JsonObject {
  if (value === false) {
    if (reading.direction === "response") return {};
    if (!("allOf" in at.value)) return { additionalProperties: false };
    const reason = "additionalProperties: false is left out, which refuses what allOf adds";
    reading.leave(reason, [...at.path, "additionalProperties"]);
    return {};
  }
  return isJsonObject(value) && Object.keys(value).length > 0
    ? schemaIn("additionalProperties")(value, at, reading)
    : { additionalProperties: true };
}

function unevaluated(value: JsonValue, at: Located<JsonObject>, reading: Reading): JsonObject {
  const isClosed = value === false && reading.direction === "response";
  return isClosed ? {} : schemaIn("unevaluatedProperties")(value, at, reading);
}

/** Names are matched only by expressions whose time is bounded; without one of them, any name may be meant. */
function patternProperties(
  value: JsonValue,
  at: Located<JsonObject>,
  reading: Reading,
): JsonObject {
  const path = [...at.path, "patternProperties"];
  const problem = Object.keys(isJsonObject(value) ? value : {})
    .map(patternProblem)
    .find((found) => found !== undefined);
  if (problem === undefined) return schemasByNameIn("patternProperties")(value, at, reading);
  reading.leave(`patternProperties is left out: an expression ${problem}`, path);
  return { patternProperties: { "": true } };
}

/** What one part requires may be a property of another that callers do not send. */
function allOf(value: JsonValue, at: Located<JsonObject>, reading: Reading): JsonObject {
  const { allOf: parts } = schemasIn("allOf")(value, at, reading);
  if (!Array.isArray(parts)) return {};
  const unsent = unsentNames(at, reading);
  const sent = parts.map((part) => {
    const required = isJsonObject(part) ? ownValue(part, "required") : undefined;
    if (!isJsonObject(part) || !Array.isArray(required)) return part;
    const { required: _, ...others } = part;
    const names = required.filter((name) => !unsent.has(String(name)));
    return names.length === 0 ? others : { ...others, required: names };
  });
  return { allOf: sent };
}

/** Of answers, alternatives are not told apart: documents seldom say them so that one alone fits. */
function oneOf(value: JsonValue, at: Located<JsonObject>, reading: Reading): JsonObject {
  const { oneOf: alternatives } = schemasIn("oneOf")(value, at, reading);
  if (!Array.isArray(alternatives)) return {};
  if (reading.direction === "request")
    return { oneOf: toldApart(alternatives as JsonSchema[], at, reading) };
  return { [at.value["anyOf"] === undefined ? "anyOf" : "oneOf"]: alternatives };
}
