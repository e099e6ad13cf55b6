/** JSON values as they stand in a manifest and on the wire. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** A JSON Schema (2020-12, or draft-07 where `$schema` says so), already validated. */
export type JsonSchema = boolean | JsonObject;

/** True for a JSON object: neither null nor an array nor a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
