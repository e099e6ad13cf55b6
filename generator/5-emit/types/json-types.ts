/** Names of the types for any JSON value. Modules import those that they use. */
export type JsonTypeName = "JsonValue" | "JsonObject" | "JsonPrimitive";

export const JSON_TYPE_NAMES: readonly JsonTypeName[] = [
  "JsonValue",
  "JsonObject",
  "JsonPrimitive",
];
