import type { JsonObject, JsonValue } from "../../model/json.js";

/** The types that a schema states. Empty if it has no `type`. */
export function statedTypes(schema: JsonObject): JsonValue[] {
  return [schema["type"] ?? []].flat();
}

/** True if a schema states types, and a type is none of them. */
export function excludesType(schema: JsonObject, type: string): boolean {
  const types = statedTypes(schema);
  return types.length > 0 && !types.includes(type);
}
