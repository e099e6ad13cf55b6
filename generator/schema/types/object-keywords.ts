import { isJsonObject, type JsonSchema } from "../../model/json.js";
import type { KeywordReader } from "./keyword-reader.js";
import { union } from "./type-algebra.js";
import {
  ANY,
  ANY_OBJECT,
  isNever,
  NEVER,
  type ObjectType,
  type Property,
  type Type,
} from "./type-model.js";

/** What a schema's own keywords say of objects; undefined where none is possible. */
export function readObject(
  keywords: KeywordReader,
  typeOf: (schema: JsonSchema) => Type,
): ObjectType | undefined {
  const rest = admitsNone(keywords) ? NEVER : restOf(keywords, typeOf);
  const properties = propertiesOf(keywords, rest, typeOf);
  if (properties.size === 0 && rest === ANY) return ANY_OBJECT;
  const isClosed = isNever(rest);
  for (const [key, { type, required }] of properties) {
    if (!isNever(type)) continue;
    if (required) return undefined;
    if (isClosed) properties.delete(key);
  }
  return { properties, rest, refinements: [] };
}

const admitsNone = (keywords: KeywordReader): boolean =>
  keywords.count("maxProperties") === 0 || keywords.schema("propertyNames") === false;

/** Properties that are not listed: those that match a pattern, and the additional ones. */
function restOf(keywords: KeywordReader, typeOf: (schema: JsonSchema) => Type): Type {
  const patterns = [...keywords.schemaMap("patternProperties").values()];
  const additional = keywords.schema("additionalProperties") ?? true;
  return union([typeOf(additional), ...patterns.map(typeOf)]);
}

function propertiesOf(
  keywords: KeywordReader,
  rest: Type,
  typeOf: (schema: JsonSchema) => Type,
): Map<string, Property> {
  const required = new Set(keywords.strings("required"));
  const properties = new Map<string, Property>();
  const described = admitsNone(keywords) ? [] : keywords.schemaMap("properties");
  for (const [key, schema] of described) {
    properties.set(key, { type: typeOf(schema), required: required.has(key), schema });
  }
  for (const key of required) {
    if (!properties.has(key)) properties.set(key, { type: rest, required: true });
  }
  return properties;
}

/** The only names that `propertyNames` allows, where it lists them. */
export function listedNames(keywords: KeywordReader): readonly string[] | undefined {
  const names = keywords.schema("propertyNames");
  if (!isJsonObject(names)) return undefined;
  const listed = names["enum"] ?? (names["const"] === undefined ? undefined : [names["const"]]);
  if (!Array.isArray(listed)) return undefined;
  return listed.filter((name) => typeof name === "string");
}

/** An object that may have these properties, and others only of a given type. */
export function onlyProperties(names: Iterable<string>, rest: Type): ObjectType {
  const properties = [...names].map((name) => [name, { type: ANY, required: false }] as const);
  return { properties: new Map(properties), rest, refinements: [] };
}
