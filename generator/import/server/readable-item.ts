import { LIMITS } from "../../1-load/limits.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";

/** The most levels of an item. A manifest may have more, since the item is inside of a list. */
const MAX_DEPTH = LIMITS.depth - 4;

/**
 * Why a manifest cannot contain a value that a server sent; undefined if it can. Does not use recursion, since values can
 * have any depth.
 */
export function whyUnreadable(value: JsonValue): string | undefined {
  const pending: { readonly value: JsonValue; readonly depth: number }[] = [{ value, depth: 1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { depth } = next;
    if (depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    const problem = unreadableScalar(next.value);
    if (problem !== undefined) return problem;
    for (const [key, member] of membersOf(next.value)) {
      if (unreadableScalar(key) !== undefined) return "has a key that is not Unicode";
      if (key === "__proto__") return "has the key `__proto__`, which no manifest may have";
      pending.push({ value: member, depth: depth + 1 });
    }
    if (isJsonObject(next.value) && Object.keys(next.value).length > LIMITS.keys) {
      return `has an object with more than ${LIMITS.keys} keys`;
    }
  }
  return undefined;
}

function unreadableScalar(value: JsonValue): string | undefined {
  if (typeof value === "string" && /\p{Surrogate}/u.test(value)) {
    return "has a text that is not Unicode";
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    return "has a number that is too large";
  }
  return undefined;
}

function membersOf(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (Array.isArray(value)) return value.map((member) => ["", member]);
  return isJsonObject(value) ? Object.entries(value) : [];
}
