/** The types of JSON itself, which a module imports where it uses them. */
export type JsonTypeName = "JsonValue" | "JsonObject" | "JsonPrimitive";

export const JSON_TYPE_NAMES: readonly JsonTypeName[] = [
  "JsonValue",
  "JsonObject",
  "JsonPrimitive",
];
