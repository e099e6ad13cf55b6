/** JSON values as they stand in a manifest and on the wire. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** A JSON value that is only read, as the parts of models are. */
export type ReadonlyJson =
  | null
  | boolean
  | number
  | string
  | readonly ReadonlyJson[]
  | { readonly [key: string]: ReadonlyJson };

/** An object that consists of JSON, as JSON. TypeScript does not see this in the type of an interface. */
export function jsonObjectOf(value: object): JsonObject {
  return value as JsonObject;
}

/** A JSON Schema (2020-12, or draft-07 where `$schema` says so), already validated. */
export type JsonSchema = boolean | JsonObject;

/** True for a JSON object: neither null nor an array nor a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined for any other text. */
export function parsedJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** True for a list. `Array.isArray` does not narrow the type of a read-only one. */
export function isList(value: ReadonlyJson): value is readonly ReadonlyJson[] {
  return Array.isArray(value);
}

/** The JSON text of each object that was already serialized. */
const jsonOfObjects = new WeakMap<JsonObject, string>();

/**
 * The JSON text of a value, with the keys in their order. The texts of an object and of its direct members are
 * cached, so the object must not change afterwards.
 */
export function cachedJson(value: JsonValue): string {
  if (!isJsonObject(value)) return JSON.stringify(value);
  const cached = jsonOfObjects.get(value);
  if (cached !== undefined) return cached;
  const members = Object.entries(value).map(([key, member]) => {
    const text = isJsonObject(member) ? cachedMemberJson(member) : JSON.stringify(member);
    return `${JSON.stringify(key)}:${text}`;
  });
  const text = `{${members.join()}}`;
  jsonOfObjects.set(value, text);
  return text;
}

function cachedMemberJson(member: JsonObject): string {
  const text = jsonOfObjects.get(member) ?? JSON.stringify(member);
  jsonOfObjects.set(member, text);
  return text;
}

/** True if two values have the same JSON text. The order of keys matters. */
export function haveSameJson(value: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (!isJsonObject(value) || !isJsonObject(other)) {
    return JSON.stringify(value) === JSON.stringify(other);
  }
  return value === other || cachedJson(value) === cachedJson(other);
}
