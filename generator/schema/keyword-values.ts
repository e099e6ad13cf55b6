import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { isJsonSchema, ownValue } from "./json-schema.js";

/** Functions that read the value of a keyword, and ignore what does not have the keyword's shape. */

/** The schemas of a list such as `allOf`. */
export function schemasIn(value: JsonValue | undefined): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isJsonSchema) : [];
}

/** The schemas of a map such as `properties`, with their keys. */
export function schemaEntries(value: JsonValue | undefined): [string, JsonSchema][] {
  const entries: [string, JsonSchema][] = [];
  if (!isJsonObject(value)) return entries;
  for (const name of Object.keys(value)) {
    const schema = value[name];
    if (isJsonSchema(schema)) entries.push([name, schema]);
  }
  return entries;
}

/** The names of a list such as `required`. */
export function namesIn(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

/** The types that a schema states. Empty if it has no `type`. */
export function statedTypes(schema: JsonObject): JsonValue[] {
  return [ownValue(schema, "type") ?? []].flat();
}

/** True if a schema states types, and a type is none of them. */
export function excludesType(schema: JsonObject, type: string): boolean {
  const types = statedTypes(schema);
  return types.length > 0 && !types.includes(type);
}
