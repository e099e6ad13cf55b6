import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { ManifestPath } from "../model/loaded-manifest.js";
import { ownValue } from "../schema/json-schema.js";
import { KEYWORDS } from "../schema/keywords/index.js";

/** A keyword of a schema, or a schema within another one. */
export interface PlaceInSchema {
  readonly at: ManifestPath;
  readonly isKeyword: boolean;
}

/** The keyword that a path in a schema leads into, or the schema that it ends at. Properties are no keywords. */
export function placeInSchema(schema: JsonValue, path: ManifestPath): PlaceInSchema {
  let at = 0;
  for (let value: JsonValue = schema; at < path.length;) {
    if (!isJsonObject(value)) return { at: path.slice(0, at), isKeyword: false };
    const keyword = String(path[at]);
    const { shape = "" } = KEYWORDS.get(keyword) ?? {};
    const member: JsonValue = ownValue(value, keyword) ?? null;
    const holdsOne = shape.startsWith("schema") && !/list$|map$/.test(shape);
    const holdsOneHere = holdsOne || (shape === "schema or schema list" && !Array.isArray(member));
    const holdsMore = !holdsOneHere && /^schema|^dependency/.test(shape);
    if (!holdsOneHere && (!holdsMore || at + 1 === path.length)) {
      return { at: path.slice(0, at + 1), isKeyword: true };
    }
    value = holdsMore ? memberOf(member, path[at + 1]) : member;
    at += holdsMore ? 2 : 1;
  }
  return { at: path, isKeyword: false };
}

function memberOf(value: JsonValue, key: string | number | undefined): JsonValue {
  if (Array.isArray(value)) return value[Number(key)] ?? null;
  return isJsonObject(value) ? (ownValue(value, String(key)) ?? null) : null;
}

/**
 * A copy of a value in which something else, or nothing, is at a path. The same value if the path leads to nothing.
 *
 * @param replacement undefined to leave out what is there
 */
export function withAt<Value extends JsonValue>(
  value: Value,
  path: ManifestPath,
  replacement?: JsonValue,
): Value {
  const [key, ...inner] = path;
  if (key === undefined || typeof value !== "object" || value === null) return value;
  const changed = (member: JsonValue): JsonValue[] => {
    if (inner.length > 0) return [withAt(member, inner, replacement)];
    return replacement === undefined ? [] : [replacement];
  };
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => (index === key ? changed(item) : [item])) as Value;
  }
  const entries = Object.entries(value as JsonObject).flatMap(([name, member]) =>
    name === String(key)
      ? changed(member).map((now) => [name, now] as const)
      : [[name, member] as const],
  );
  return Object.fromEntries(entries) as Value;
}
