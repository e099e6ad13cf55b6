import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { isJsonSchema, KEYWORDS, type Dialect } from "../../model/json-schema.js";

/** Reads a schema's keywords in a dialect: one that the dialect ignores, or of another shape, reads as absent. */
export interface KeywordReader {
  value(name: string): JsonValue | undefined;
  count(name: string): number | undefined;
  string(name: string): string | undefined;
  strings(name: string): readonly string[];
  schema(name: string): JsonSchema | undefined;
  schemas(name: string): readonly JsonSchema[];
  schemaMap(name: string): ReadonlyMap<string, JsonSchema>;
}

export function readKeywords(schema: JsonObject, dialect: Dialect): KeywordReader {
  const ignoresSiblings = dialect === "draft-07" && typeof schema["$ref"] === "string";
  const value = (name: string): JsonValue | undefined => {
    const ignored = ignoresSiblings && name !== "$ref";
    return !ignored && KEYWORDS.get(name)?.dialects.includes(dialect) ? schema[name] : undefined;
  };
  return {
    value,
    count: (name) => numberOf(value(name)),
    string: (name) => stringOf(value(name)),
    strings: (name) => listOf(value(name)).filter((item) => typeof item === "string"),
    schema: (name) => schemaOf(value(name)),
    schemas: (name) => listOf(value(name)).filter(isJsonSchema),
    schemaMap: (name) => schemaMapOf(value(name)),
  };
}

const numberOf = (value: JsonValue | undefined): number | undefined =>
  typeof value === "number" ? value : undefined;

const stringOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? value : [];

const schemaOf = (value: JsonValue | undefined): JsonSchema | undefined =>
  isJsonSchema(value) ? value : undefined;

function schemaMapOf(value: JsonValue | undefined): ReadonlyMap<string, JsonSchema> {
  const map = new Map<string, JsonSchema>();
  for (const [key, item] of isJsonObject(value) ? Object.entries(value) : []) {
    if (isJsonSchema(item)) map.set(key, item);
  }
  return map;
}
