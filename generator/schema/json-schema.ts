import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";

/** The dialects of JSON Schema that a manifest may use. */
export type Dialect = "2020-12" | "draft-07";

/** A path from the root of a schema to one of its subschemas: `["properties", "city"]`. */
export type SchemaPath = readonly (string | number)[];

/** The values of `$schema` that name a dialect; a trailing `#` is optional. */
export const DIALECT_URIS: Readonly<Record<Dialect, string>> = {
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
  "draft-07": "http://json-schema.org/draft-07/schema",
};

export const TYPE_NAMES = [
  "null",
  "boolean",
  "object",
  "array",
  "number",
  "integer",
  "string",
] as const;

export type TypeName = (typeof TYPE_NAMES)[number];

/** The type of a value; `integer` for whole numbers. */
export function typeOfValue(value: JsonValue): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "boolean" | "object" | "string";
}

/** The dialect that `$schema` at the root of a schema states; 2020-12 by default. */
export function dialectOf(root: JsonSchema): Dialect {
  const uri = typeof root === "boolean" ? undefined : root["$schema"];
  return typeof uri === "string" && uri.replace(/#$/, "") === DIALECT_URIS["draft-07"]
    ? "draft-07"
    : "2020-12";
}

export function isJsonSchema(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === "boolean" || isJsonObject(value);
}

/** The value of an object's own property; undefined for inherited ones such as `constructor`. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
