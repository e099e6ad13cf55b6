/** JSON values as they stand in a manifest and on the wire. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** A JSON Schema (2020-12, or draft-07 where `$schema` says so), already validated. */
export type JsonSchema = boolean | JsonObject;

/** True for a JSON object: neither null nor an array nor a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** By object, its JSON. */
const written = new WeakMap<JsonObject, string>();

/** The JSON of a value, keys in their order. That of an object and of its members is written once. */
export function writtenJson(value: JsonValue): string {
  if (!isJsonObject(value)) return JSON.stringify(value);
  const cached = written.get(value);
  if (cached !== undefined) return cached;
  const members = Object.entries(value).map(([key, member]) => {
    const text = isJsonObject(member) ? writtenMember(member) : JSON.stringify(member);
    return `${JSON.stringify(key)}:${text}`;
  });
  const text = `{${members.join()}}`;
  written.set(value, text);
  return text;
}

function writtenMember(member: JsonObject): string {
  const text = written.get(member) ?? JSON.stringify(member);
  written.set(member, text);
  return text;
}

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
