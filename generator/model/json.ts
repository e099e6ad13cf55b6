import { onceForEach } from "./once-for-each.js";

/** JSON values as they stand in a manifest and on the wire. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** A JSON Schema (2020-12, or draft-07 where `$schema` says so), already validated. */
export type JsonSchema = boolean | JsonObject;

/** True for a JSON object: neither null nor an array nor a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON of an object, keys in their order; written once for each. */
export const writtenJson = onceForEach((value: object): string => JSON.stringify(value));

/** Whether two values are written alike, keys in their order. */
export function areWrittenAlike(
  value: JsonValue | undefined,
  other: JsonValue | undefined,
): boolean {
  if (!isJsonObject(value) || !isJsonObject(other)) {
    return JSON.stringify(value) === JSON.stringify(other);
  }
  return value === other || writtenJson(value) === writtenJson(other);
}
