/** The types of JSON itself, which a module has where they are used. */
export type JsonTypeName = "JsonValue" | "JsonObject" | "JsonPrimitive";

interface JsonType {
  readonly description: string;
  readonly type: string;
  readonly uses: readonly JsonTypeName[];
}

export const JSON_TYPE_NAMES: readonly JsonTypeName[] = [
  "JsonValue",
  "JsonObject",
  "JsonPrimitive",
];

export const JSON_TYPES: Readonly<Record<JsonTypeName, JsonType>> = {
  JsonValue: {
    description: "Any JSON value.",
    type: "JsonPrimitive | JsonValue[] | JsonObject",
    uses: ["JsonPrimitive", "JsonObject"],
  },
  JsonObject: {
    description: "Any JSON object.",
    type: "{ [key: string]: JsonValue }",
    uses: ["JsonValue"],
  },
  JsonPrimitive: {
    description: "A JSON value that holds no others.",
    type: "string | number | boolean | null",
    uses: [],
  },
};
