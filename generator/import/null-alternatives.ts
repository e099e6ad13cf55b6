import { isJsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { Located } from "./api-document.js";
import { MOST_ALL_OF_LEVELS, type SchemaContext } from "./schema-context.js";
import { isOnlyNull, mayBeNull } from "./schema-values.js";

/**
 * The alternatives of a `oneOf` without those that only say that null is accepted and that another one makes superfluous:
 * null would fit both, and be refused.
 */
export function withOneNull(sources: readonly Located[], context: SchemaContext): Located[] {
  const others = sources.filter(({ value }) => !isOnlyNull(value));
  if (others.some((source) => acceptsNull(source, context))) return others;
  const kept = sources.find(({ value }) => isOnlyNull(value));
  return sources.filter((source) => source === kept || !isOnlyNull(source.value));
}

/** True if a schema of the document accepts null. */
function acceptsNull(source: Located, context: SchemaContext, depth = 0): boolean {
  const { value, path } = context.follow(source);
  if (!isJsonObject(value) || depth > MOST_ALL_OF_LEVELS) return value === true;
  if (mayBeNull(value) || (isJsonObject(source.value) && mayBeNull(source.value))) return true;
  const { type = "null", enum: values = [null], const: constant = null } = value;
  const inside = (key: string): boolean[] => {
    const list = ownValue(value, key);
    const parts = Array.isArray(list) ? list : [];
    return parts.map((part, index) =>
      acceptsNull({ value: part, path: [...path, key, index] }, context, depth + 1),
    );
  };
  return (
    [type].flat().includes("null") &&
    [values].flat().includes(null) &&
    constant === null &&
    inside("allOf").every(Boolean) &&
    [inside("anyOf"), inside("oneOf")].every((list) => list.length === 0 || list.includes(true))
  );
}
