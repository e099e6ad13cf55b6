import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { TYPE_NAMES } from "../../model/json-schema.js";
import type { PreparedSchema } from "./prepare-schema.js";

/**
 * Plain schemas are those of most tools: types, bounds, patterns, formats, choices of scalars, properties
 * and items, but no references and nothing that combines schemas. AJV takes milliseconds for each; for
 * these, `plain-section.ts` writes the code that would come of it, and `plain-findings.ts` says what it
 * would find. Tests compare both.
 */

/** From so many entries on AJV loops over a list. */
const LOOP = 200;

const isNumber = (value: JsonValue): boolean => typeof value === "number";
const isString = (value: JsonValue): boolean => typeof value === "string";
const isBoolean = (value: JsonValue): boolean => typeof value === "boolean";
const isScalar = (value: JsonValue): boolean => typeof value !== "object" || value === null;

/** The keywords of plain schemas, and what their values must be. */
const PLAIN_KEYWORDS: ReadonlyMap<string, (value: JsonValue) => boolean> = new Map([
  ["type", isTypes],
  ["const", (value) => isString(value) || isNumber(value) || isBoolean(value)],
  ["enum", (value) => isShortList(value) && value.length > 0 && value.every(isScalar)],
  ...["maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf"].map(
    (keyword) => [keyword, isNumber] as const,
  ),
  ...["maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties"].map(
    (keyword) => [keyword, isNumber] as const,
  ),
  ["pattern", isString],
  ["format", isString],
  ["uniqueItems", isBoolean],
  ["items", isPlainSubschema],
  ["required", (value) => isShortList(value) && value.every(isOrdinaryName)],
  ["additionalProperties", (value) => value === false || isPlainSubschema(value)],
  [
    "properties",
    (value) =>
      isJsonObject(value) &&
      Object.entries(value).every(
        ([name, schema]) => isOrdinaryName(name) && isPlainSubschema(schema),
      ),
  ],
]);

/** A schema that is plain. */
export type PlainSchema = PreparedSchema & { readonly schema: JsonObject };

export function isPlain(prepared: PreparedSchema): prepared is PlainSchema {
  const { schema, targets, usesUnevaluated } = prepared;
  return (
    targets.size === 0 &&
    !usesUnevaluated &&
    isJsonObject(schema) &&
    Object.keys(schema).length > 0 &&
    isPlainSubschema(schema)
  );
}

function isPlainSubschema(schema: JsonValue): boolean {
  if (schema === true) return true;
  if (!isJsonObject(schema)) return false;
  return Object.entries(schema).every(([keyword, value]) => PLAIN_KEYWORDS.get(keyword)?.(value));
}

function isTypes(value: JsonValue): boolean {
  const types: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  const known: readonly JsonValue[] = TYPE_NAMES;
  return (
    types.length > 0 &&
    types.every((type, index) => known.includes(type) && types.indexOf(type) === index)
  );
}

function isShortList(value: JsonValue): value is JsonValue[] {
  return Array.isArray(value) && value.length < LOOP;
}

function isOrdinaryName(name: JsonValue): boolean {
  return typeof name === "string" && name !== "__proto__";
}

export type TypeName = (typeof TYPE_NAMES)[number];

/** The types that a schema names. */
export function typesIn({ type }: JsonObject): readonly TypeName[] {
  if (type === undefined) return [];
  return (Array.isArray(type) ? type : [type]) as TypeName[];
}

/** Whether a schema asserts nothing. */
export function allowsAll(schema: JsonSchema): boolean {
  return typeof schema === "boolean" ? schema : Object.keys(schema).length === 0;
}

/** The types with keywords of their own, in AJV's order, and these. */
export const TYPE_GROUPS = [
  {
    type: "number",
    keywords: "maximum minimum exclusiveMaximum exclusiveMinimum format multipleOf".split(" "),
  },
  { type: "string", keywords: "maxLength minLength format pattern".split(" ") },
  { type: "array", keywords: "maxItems minItems items uniqueItems".split(" ") },
  {
    type: "object",
    keywords: "maxProperties minProperties required additionalProperties properties".split(" "),
  },
] as const;

/** Whether the check of a single type stands behind that type's keywords, and not before all. */
export function isCheckedLast(schema: JsonObject, type: TypeName | undefined): boolean {
  const group = TYPE_GROUPS.find((one) => one.type === type);
  return group !== undefined && group.keywords.some((keyword) => schema[keyword] !== undefined);
}

/** What is said of a value that breaks a keyword. */
const MESSAGES: Readonly<Record<string, (value: JsonValue) => string>> = {
  type: (types) => `must be ${Array.isArray(types) ? types.join(",") : String(types)}`,
  const: () => "must be equal to constant",
  enum: () => "must be equal to one of the allowed values",
  maximum: (limit) => `must be <= ${String(limit)}`,
  minimum: (limit) => `must be >= ${String(limit)}`,
  exclusiveMaximum: (limit) => `must be < ${String(limit)}`,
  exclusiveMinimum: (limit) => `must be > ${String(limit)}`,
  multipleOf: (step) => `must be multiple of ${String(step)}`,
  maxLength: (limit) => `must NOT have more than ${String(limit)} characters`,
  minLength: (limit) => `must NOT have fewer than ${String(limit)} characters`,
  maxItems: (limit) => `must NOT have more than ${String(limit)} items`,
  minItems: (limit) => `must NOT have fewer than ${String(limit)} items`,
  maxProperties: (limit) => `must NOT have more than ${String(limit)} properties`,
  minProperties: (limit) => `must NOT have fewer than ${String(limit)} properties`,
  pattern: (pattern) => `must match pattern "${String(pattern)}"`,
  format: (format) => `must match format "${String(format)}"`,
  required: (name) => `must have required property '${String(name)}'`,
  additionalProperties: () => "must NOT have additional properties",
};

/** What is said of a value that breaks a keyword with this value. */
export function messageFor(keyword: string, value: JsonValue): string {
  const message = MESSAGES[keyword];
  if (message === undefined) throw new Error(`no plain schema has ${keyword}`);
  return message(value);
}

/** A segment of a JSON pointer. */
export function pointerSegment(name: string): string {
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
