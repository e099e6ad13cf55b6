import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { TYPE_NAMES } from "../../schema/json-schema.js";
import { onceForEach } from "../../model/once-for-each.js";
import { hasCircle } from "./bounded-run.js";
import type { PreparedSchema } from "./prepare-schema.js";

/**
 * Plain schemas are those of most tools: types, bounds, patterns, formats, choices of scalars, properties
 * and items, but no references and nothing that combines schemas. Writable schemas may have unions too, and readable
 * ones all of these. AJV takes milliseconds for each: of writable schemas, `plain-section.ts` writes the code that
 * would come of it, and of readable ones, `reading-validator.ts` says what it would find. Tests compare both.
 */

/** From so many entries on AJV loops over a list. */
const LOOP = 200;

const isNumber = (value: JsonValue): boolean => typeof value === "number";
const isString = (value: JsonValue): boolean => typeof value === "string";
const isBoolean = (value: JsonValue): boolean => typeof value === "boolean";
const isScalar = (value: JsonValue): boolean => typeof value !== "object" || value === null;

type Keywords = ReadonlyMap<string, (value: JsonValue) => boolean>;

/** The keywords of plain schemas, and what their values must be. */
const PLAIN_KEYWORDS: Keywords = new Map([
  ["type", isTypes],
  ["const", (value) => isString(value) || isNumber(value) || isBoolean(value)],
  ["enum", (value) => isShortList(value) && value.length > 0 && value.every(isScalar)],
  ...[
    ...["maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf"],
    ...["maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties"],
  ].map((keyword) => [keyword, isNumber] as const),
  ["pattern", isString],
  ["format", isString],
  ["uniqueItems", isBoolean],
  ["required", (value) => isShortList(value) && value.every(isOrdinaryName)],
  ["items", isPlainSubschema],
  ["additionalProperties", (value) => value === false || isPlainSubschema(value)],
  ["properties", (value) => isMap(value, isPlainSubschema)],
]);

/** The keywords of schemas whose code is written without AJV, and what their values must be. */
const WRITABLE_KEYWORDS: Keywords = new Map([
  ...PLAIN_KEYWORDS,
  ["items", isWritableSubschema],
  ["additionalProperties", (value) => value === false || isWritableSubschema(value)],
  ["properties", (value) => isMap(value, isWritableSubschema)],
  ["anyOf", isUnion],
  ["oneOf", isUnion],
]);

/** The keywords of readable schemas, and what their values must be. */
const READABLE_KEYWORDS: Keywords = new Map([
  ...PLAIN_KEYWORDS,
  ["const", () => true],
  ["enum", Array.isArray],
  ["$ref", isString],
  ["items", isReadableSubschema],
  ["additionalProperties", isReadableSubschema],
  ["properties", (value) => isMap(value, isReadableSubschema)],
  ...["allOf", "anyOf", "oneOf"].map(
    (keyword) =>
      [
        keyword,
        (value: JsonValue) => Array.isArray(value) && value.every(isReadableSubschema),
      ] as const,
  ),
]);

/** A schema that is plain. */
export type PlainSchema = PreparedSchema & { readonly schema: JsonObject };

export function isPlain(prepared: PreparedSchema): prepared is PlainSchema {
  return isWhollyPlain(prepared);
}

const isWhollyPlain = onceForEach(
  ({ schema, targets, usesUnevaluated }: PreparedSchema): boolean =>
    targets.size === 0 &&
    !usesUnevaluated &&
    isJsonObject(schema) &&
    Object.keys(schema).length > 0 &&
    isPlainSubschema(schema),
);

/** Whether plain schemas may have a keyword, with this value. */
export function isPlainKeyword(keyword: string, value: JsonValue): boolean {
  return PLAIN_KEYWORDS.get(keyword)?.(value) ?? false;
}

/** Whether a schema is plain, but for alternatives. */
export function isWritable(prepared: PreparedSchema): prepared is PlainSchema {
  if (isPlain(prepared)) return true;
  const { schema, targets, usesUnevaluated } = prepared;
  if (targets.size > 0 || usesUnevaluated || !isJsonObject(schema)) return false;
  return Object.keys(schema).length > 0 && isWritableSubschema(schema);
}

function isWritableSubschema(schema: JsonValue): boolean {
  return schema === true || (isJsonObject(schema) && hasOnly(schema, WRITABLE_KEYWORDS));
}

/** Whether there are several alternatives, and each looks at the value: AJV leaves out what is of no use. */
function isUnion(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 1 && value.every(isAlternative);
}

function isAlternative(schema: JsonValue): boolean {
  if (!isJsonObject(schema) || !isWritableSubschema(schema)) return false;
  return ["type", "const", "enum"].some((keyword) => schema[keyword] !== undefined);
}

/** Whether a schema has alternatives anywhere. */
export function hasAlternatives(schema: JsonValue | undefined): boolean {
  if (!isJsonObject(schema)) return false;
  const { anyOf, oneOf, items, additionalProperties, properties } = schema;
  return (
    anyOf !== undefined ||
    oneOf !== undefined ||
    hasAlternatives(items) ||
    hasAlternatives(additionalProperties) ||
    (isJsonObject(properties) && Object.values(properties).some(hasAlternatives))
  );
}

function isPlainSubschema(schema: JsonValue): boolean {
  return schema === true || (isJsonObject(schema) && hasOnly(schema, PLAIN_KEYWORDS));
}

function isReadableSubschema(schema: JsonValue): boolean {
  return isBoolean(schema) || (isJsonObject(schema) && hasOnly(schema, READABLE_KEYWORDS));
}

function hasOnly(schema: JsonObject, keywords: Keywords): boolean {
  for (const keyword of Object.keys(schema)) {
    if (keywords.get(keyword)?.(schema[keyword] ?? null) !== true) return false;
  }
  return true;
}

function isMap(value: JsonValue, isSchema: (schema: JsonValue) => boolean): boolean {
  if (!isJsonObject(value)) return false;
  for (const name of Object.keys(value)) {
    if (!isOrdinaryName(name) || !isSchema(value[name] ?? null)) return false;
  }
  return true;
}

/** More schemas than these that references lead to, and AJV's work is bounded. */
const MOST_TARGETS = 200;

/** Whether references lead to no schema from within itself, and nothing is left to AJV. */
export function isReadable(prepared: PreparedSchema): boolean {
  if (isPlain(prepared)) return true;
  const { schema, targets, usesUnevaluated } = prepared;
  const schemas = [schema, ...targets.values()];
  return (
    !usesUnevaluated &&
    targets.size <= MOST_TARGETS &&
    isJsonObject(schema) &&
    schemas.every(isReadableSubschema) &&
    (targets.size === 0 || !hasCircle(referencesOf(targets)))
  );
}

function referencesOf(targets: ReadonlyMap<string, JsonSchema>): Map<string, Set<string>> {
  return new Map([...targets].map(([key, schema]) => [key, new Set(referencesIn(schema))]));
}

function* referencesIn(value: JsonValue): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    // What only looks like a reference makes a circle at worst.
    if (name === "$ref" && typeof member === "string") yield member;
    else yield* referencesIn(member);
  }
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

/** Whether a name is that of a property like any other. */
export function isOrdinaryName(name: JsonValue): boolean {
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

export const GROUPED_KEYWORDS: ReadonlySet<string> = new Set(
  TYPE_GROUPS.flatMap(({ keywords }) => keywords),
);

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
  if (!name.includes("~") && !name.includes("/")) return `/${name}`;
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
