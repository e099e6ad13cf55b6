/** Any JSON value. */
export type JsonValue = JsonPrimitive | JsonValue[] | JsonObject;

/** Any JSON object. */
export type JsonObject = { [key: string]: JsonValue };

/** A JSON value that contains no others. */
export type JsonPrimitive = string | number | boolean | null;
