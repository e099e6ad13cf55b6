import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { KeywordShape } from "../schema/keywords/definition.js";
import { KEYWORDS } from "../schema/keywords/index.js";
import { NotImportable, NotSendable, referenceIn, type Located } from "./api-document.js";
import { withDiscriminatorValues } from "./discriminator.js";
import { lossOf, VALUE_KEYWORDS } from "./lost-keywords.js";
import { withNull, withReference } from "./joined-keywords.js";
import { withOneNull } from "./null-alternatives.js";
import { endingAlternatives, endingParts } from "./reference-cycles.js";
import {
  MOST_ALL_OF_LEVELS,
  type SchemaContext,
  type KeywordConversion,
} from "./schema-context.js";
import {
  convertDefault,
  convertEnum,
  convertFormat,
  isExact,
  isOnlyNull,
  convertPattern,
  patternProblem,
  convertType,
  withoutContradiction,
} from "./schema-values.js";
import { plainText, shortened } from "./texts.js";

const schemaIn: (key: string) => KeywordConversion = (key) => (value, at, context) => ({
  [key]: convertPart({ value, path: [...at.path, key] }, context),
});

const schemasIn: (key: string) => KeywordConversion = (key) => (value, at, context) => {
  if (!Array.isArray(value) || value.length === 0) return {};
  return {
    [key]: value.map((schema, index) =>
      convertPart({ value: schema, path: [...at.path, key, index] }, context),
    ),
  };
};

const schemasByNameIn: (key: string) => KeywordConversion = (key) => (value, at, context) => {
  if (!isJsonObject(value)) return {};
  const entries = Object.entries(value).map(([name, schema]): [string, JsonSchema] => [
    name,
    convertPart({ value: schema, path: [...at.path, key, name] }, context),
  ]);
  return { [key]: Object.fromEntries(entries) };
};

const namesByNameIn: (key: string) => KeywordConversion = (key) => (value) =>
  isJsonObject(value) ? { [key]: value } : {};

const textOf: (key: string) => KeywordConversion = (key) => (value) => {
  const text = typeof value === "string" ? shortened(plainText(value)) : "";
  return text === "" ? {} : { [key]: text };
};

const countOf: (key: string) => KeywordConversion = (key) => (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? { [key]: value } : {};

const numberOf: (key: string) => KeywordConversion = (key) => (value) =>
  typeof value === "number" ? { [key]: value } : {};

/** A bound. In OpenAPI 3.0 another keyword says that it is exclusive; in JSON Schema 2020-12 it has its own keyword. */
const boundOf: (key: string, exclusive: string) => KeywordConversion =
  (key, exclusive) => (value, at) => {
    if (typeof value !== "number") return {};
    return { [ownValue(at.value, exclusive) === true ? exclusive : key]: value };
  };

const positiveNumberOf: (key: string) => KeywordConversion = (key) => (value) =>
  typeof value === "number" && value > 0 ? { [key]: value } : {};

const trueOf: (key: string) => KeywordConversion = (key) => (value) =>
  value === true ? { [key]: value } : {};

/** Conversions of keywords with the same meaning in every dialect, by the form of their values. */
const BY_SHAPE: Readonly<Partial<Record<KeywordShape, (key: string) => KeywordConversion>>> = {
  schema: schemaIn,
  "schema list": schemasIn,
  "schema map": schemasByNameIn,
  "name list map": namesByNameIn,
  count: countOf,
  number: numberOf,
  "positive number": positiveNumberOf,
  boolean: trueOf,
};

/** The conversion of a keyword. Undefined if the keyword is not known, or is no condition for values. */
function conversionOf(name: string): KeywordConversion | undefined {
  const special = SPECIAL_CONVERSIONS.get(name);
  const keyword = KEYWORDS.get(name);
  if (special !== undefined || keyword === undefined) return special;
  const { dialects, shape, subject } = keyword;
  const isAnnotation = subject === undefined && (shape === "boolean" || shape === "schema map");
  return isAnnotation || !dialects.includes("2020-12") ? undefined : BY_SHAPE[shape]?.(name);
}

/** Conversions of keywords that differ between dialects, or that need more checks. */
const SPECIAL_CONVERSIONS: ReadonlyMap<string, KeywordConversion> = new Map<
  string,
  KeywordConversion
>([
  ["title", textOf("title")],
  ["description", textOf("description")],
  ["type", (value, at) => ({ type: convertType(value, at) })],
  ["enum", (value, at) => convertEnum(value, at)],
  ["const", (value) => ({ const: value })],
  ["default", (value, at, context) => convertDefault(value, at, context)],
  ["pattern", (value, at, context) => convertPattern(value, at, context)],
  ["format", (value, _, { direction }) => (direction === "request" ? convertFormat(value) : {})],
  ["minimum", boundOf("minimum", "exclusiveMinimum")],
  ["maximum", boundOf("maximum", "exclusiveMaximum")],
  ["items", (value, at, context) => convertItems(value, at, context)],
  ["properties", (value, at, context) => convertProperties(value, at, context)],
  ["required", (value, at, context) => convertRequired(value, at, context)],
  ["additionalProperties", (value, at, context) => convertAdditional(value, at, context)],
  ["unevaluatedProperties", (value, at, context) => convertUnevaluated(value, at, context)],
  ["patternProperties", (value, at, context) => convertPatternProperties(value, at, context)],
  ["allOf", (value, at, context) => convertAllOf(value, at, context)],
  ["anyOf", (value, at, context) => convertAnyOf(value, at, context)],
  ["oneOf", (value, at, context) => convertOneOf(value, at, context)],
]);

/**
 * Converts a schema of OpenAPI 2.0, 3.0 or 3.1 to JSON Schema 2020-12.
 *
 * @throws {NotImportable} if the value is no schema
 */
export function convertSchema(at: Located, context: SchemaContext): JsonSchema {
  const { value, path } = at;
  if (typeof value === "boolean") return value;
  if (!isJsonObject(value)) throw new NotImportable("has a schema that is no object", path);
  const reference = referenceIn(value);
  if (reference === undefined) return withNull(value, convertKeywords({ value, path }, context));
  if (!context.allowsReferenceSiblings || Object.keys(value).length === 1) {
    return withNull(value, referenceWithTexts(context.refer(reference, path), value));
  }
  // The default is left out, since the schema that it must fit is not known here.
  const { $ref: _, default: defaultValue, ...siblings } = value;
  if (defaultValue !== undefined && context.direction === "request")
    context.omit("default is left out, which stands beside a reference", [...path, "default"]);
  const rules = convertKeywords({ value: siblings, path }, context);
  const [part] = inheritedParts([{ $ref: reference }], { value, path }, context);
  return withNull(value, part === undefined ? rules : withReference(part, rules));
}

/**
 * Converts a schema within another one. If it cannot be described, it accepts everything, which is reported.
 *
 * @throws {NotSendable} if it describes what no request can send
 */
export function convertPart(at: Located, context: SchemaContext): JsonSchema {
  try {
    return convertSchema(at, context);
  } catch (error) {
    const isSendable = !(error instanceof NotSendable) || context.direction === "response";
    if (!(error instanceof NotImportable) || !isSendable) throw error;
    context.omit(`a schema is left out, since it ${error.message}`, error.path);
    const text = isJsonObject(at.value) ? ownValue(at.value, "description") : undefined;
    return textOf("description")(text ?? null, { value: {}, path: at.path }, context);
  }
}

function referenceWithTexts(reference: JsonObject, value: JsonObject): JsonObject {
  const at = { value, path: [] };
  const description = ownValue(value, "description") ?? null;
  return { ...reference, ...textOf("description")(description, at, undefined as never) };
}

/** Converts all keywords of a schema, and reports keywords that get lost. */
function convertKeywords(at: Located<JsonObject>, context: SchemaContext): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(at.value)) {
    const convert = VALUE_KEYWORDS.has(key) && !isExact(value) ? undefined : conversionOf(key);
    const convertedKeywords = convert?.(value, at, context) ?? {};
    Object.assign(result, convertedKeywords);
    const problem = lossOf(
      key,
      value,
      convert !== undefined,
      Object.keys(convertedKeywords).length > 0,
      context,
    );
    if (problem !== undefined) context.omit(`${key} is left out, ${problem}`, [...at.path, key]);
  }
  return withoutContradiction(result, at.path, context);
}

/** In older dialects, a list of schemas describes a tuple. */
function convertItems(
  value: JsonValue,
  at: Located<JsonObject>,
  context: SchemaContext,
): JsonObject {
  return Array.isArray(value)
    ? schemasIn("prefixItems")(value, at, context)
    : schemaIn("items")(value, at, context);
}

/** False for properties that only the other side sends: `readOnly` in requests, `writeOnly` in answers. */
function isSent(property: Located, { direction, follow }: SchemaContext): boolean {
  const key = direction === "request" ? "readOnly" : "writeOnly";
  const flag = isJsonObject(property.value) ? ownValue(property.value, key) : undefined;
  const { value } = flag === undefined ? follow(property) : property;
  return !isJsonObject(value) || ownValue(value, key) !== true;
}

function convertProperties(
  value: JsonValue,
  at: Located<JsonObject>,
  context: SchemaContext,
): JsonObject {
  if (!isJsonObject(value)) throw new NotImportable("has properties that are no object", at.path);
  const required = ownValue(at.value, "required");
  const entries = Object.entries(value).flatMap(([name, property]): [string, JsonSchema][] => {
    const located = { value: property, path: [...at.path, "properties", name] };
    if (!isSent(located, context)) return [];
    try {
      return [[name, convertPart(located, context)]];
    } catch (error) {
      const isRequired = Array.isArray(required) && required.includes(name);
      if (!(error instanceof NotSendable) || isRequired) throw error;
      const reason = `the optional property "${name}" is left out, which ${error.message}`;
      context.omit(reason, located.path);
      return [];
    }
  });
  return { properties: Object.fromEntries(entries) };
}

function convertRequired(
  value: JsonValue,
  at: Located<JsonObject>,
  context: SchemaContext,
): JsonObject {
  if (!Array.isArray(value)) return {};
  const unsent = unsentNames(at, context);
  const names = [...new Set(value)].filter((name) => typeof name === "string" && !unsent.has(name));
  return names.length === 0 ? {} : { required: names };
}

/** Names of properties that only the other side sends. Properties that `allOf` adds are included. */
function unsentNames(from: Located, context: SchemaContext, depth = 0): Set<string> {
  const { value, path } = context.follow(from);
  if (!isJsonObject(value) || depth > MOST_ALL_OF_LEVELS) return new Set();
  const properties = ownValue(value, "properties");
  const unsentProperties = Object.entries(isJsonObject(properties) ? properties : {}).filter(
    ([name, property]) =>
      !isSent({ value: property, path: [...path, "properties", name] }, context),
  );
  const parts = ownValue(value, "allOf");
  const inherited = (Array.isArray(parts) ? parts : []).flatMap((part, index) => [
    ...unsentNames({ value: part, path: [...path, "allOf", index] }, context, depth + 1),
  ]);
  return new Set([...unsentProperties.map(([name]) => name), ...inherited]);
}

/** `additionalProperties`. An answer may always have more properties than its description. */
function convertAdditional(
  value: JsonValue,
  at: Located<JsonObject>,
  context: SchemaContext,
): JsonObject {
  if (value === false) {
    if (context.direction === "response") return {};
    if (!("allOf" in at.value)) return { additionalProperties: false };
    const reason = "additionalProperties: false is left out, which refuses what allOf adds";
    context.omit(reason, [...at.path, "additionalProperties"]);
    return {};
  }
  return isJsonObject(value) && Object.keys(value).length > 0
    ? schemaIn("additionalProperties")(value, at, context)
    : { additionalProperties: true };
}

function convertUnevaluated(
  value: JsonValue,
  at: Located<JsonObject>,
  context: SchemaContext,
): JsonObject {
  const isClosed = value === false && context.direction === "response";
  return isClosed ? {} : schemaIn("unevaluatedProperties")(value, at, context);
}

/**
 * `patternProperties`. A server must match names only with expressions that take bounded time. If an expression is
 * slower, all patterns are replaced by one that allows every name.
 */
function convertPatternProperties(
  value: JsonValue,
  at: Located<JsonObject>,
  context: SchemaContext,
): JsonObject {
  const path = [...at.path, "patternProperties"];
  const problem = Object.keys(isJsonObject(value) ? value : {})
    .map((name) => patternProblem(name, Infinity))
    .find((reason) => reason !== undefined);
  if (problem === undefined) return schemasByNameIn("patternProperties")(value, at, context);
  context.omit(`patternProperties is left out: an expression ${problem}`, path);
  return { patternProperties: { "": true } };
}

/** The schemas of `allOf`, of which those that lead back to the schema itself are cut. */
function inheritedParts(
  value: readonly JsonValue[],
  at: Located<JsonObject>,
  context: SchemaContext,
): JsonSchema[] {
  const { parts, bases } = endingParts(value, at, context);
  return parts.map((part, index) => {
    const base = bases.get(index);
    return base === undefined ? convertPart(part, context) : context.referToBase(base);
  });
}

/** `allOf`. Removes names from `required` of each part if another part says that callers do not send the property. */
function convertAllOf(
  value: JsonValue,
  at: Located<JsonObject>,
  context: SchemaContext,
): JsonObject {
  if (!Array.isArray(value) || value.length === 0) return {};
  const parts = inheritedParts(value, at, context);
  if (parts.length === 0) return {};
  const unsent = unsentNames(at, context);
  const sentParts = parts.map((part) => {
    const required = isJsonObject(part) ? ownValue(part, "required") : undefined;
    if (!isJsonObject(part) || !Array.isArray(required)) return part;
    const { required: _, ...others } = part;
    const names = required.filter((name) => !unsent.has(String(name)));
    return names.length === 0 ? others : { ...others, required: names };
  });
  return { allOf: sentParts };
}

function convertAnyOf(
  value: JsonValue,
  at: Located<JsonObject>,
  context: SchemaContext,
): JsonObject {
  if (!Array.isArray(value) || value.length === 0) return {};
  const sources = endingAlternatives(value, at, "anyOf", context);
  if (sources.length === 0) return {};
  return { anyOf: convertAlternatives(sources, context) };
}

function convertAlternatives(sources: readonly Located[], context: SchemaContext): JsonSchema[] {
  return sources.map((source) =>
    sources.length > 1 && isOnlyNull(source.value)
      ? { type: "null" }
      : convertPart(source, context),
  );
}

/** `oneOf`. In answers it becomes `anyOf`: in many documents, a value fits more than one of the alternatives. */
function convertOneOf(
  value: JsonValue,
  at: Located<JsonObject>,
  context: SchemaContext,
): JsonObject {
  if (!Array.isArray(value) || value.length === 0) return {};
  const ending = endingAlternatives(value, at, "oneOf", context);
  const sources = context.direction === "request" ? withOneNull(ending, context) : ending;
  const alternatives = convertAlternatives(sources, context);
  if (alternatives.length === 0) return {};
  if (context.direction === "request")
    return { oneOf: withDiscriminatorValues(alternatives, sources, at, context) };
  return { [at.value["anyOf"] === undefined ? "anyOf" : "oneOf"]: alternatives };
}
