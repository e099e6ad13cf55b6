import type { JsonObject } from "./json.js";

/** The properties of `keys` that are present, in the order of `keys`. Gives wire items the protocol's key order. */
export function pickDefined<T extends object, K extends keyof T>(
  source: T,
  keys: readonly K[],
): { [P in K]?: Exclude<T[P], undefined> } {
  const picked: { [P in K]?: Exclude<T[P], undefined> } = {};
  for (const key of keys) {
    const value = source[key];
    if (value !== undefined) picked[key] = value as Exclude<T[K], undefined>;
  }
  return picked;
}

/** The result of `pickDefined` as a JSON object, for the items of the list methods. */
export function wireFields<T extends object>(source: T, keys: readonly (keyof T)[]): JsonObject {
  return pickDefined(source, keys) as JsonObject;
}
