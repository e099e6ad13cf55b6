import type { Defaults } from "./definition.js";
import { isObject } from "./request-parameters.js";

/**
 * The value with its schema's defaults filled in. The value itself stays as it is; what is filled
 * in is a copy, so that a handler may change what it gets.
 */
export function withDefaults(value: unknown, defaults: Defaults): unknown {
  const { items, properties } = defaults;
  if (Array.isArray(value) && items !== undefined) {
    return value.map((item) => withDefaults(item, items));
  }
  if (!isObject(value) || properties === undefined) return value;
  const filled = new Map(Object.entries(value));
  for (const [name, child] of Object.entries(properties)) {
    if (filled.has(name)) filled.set(name, withDefaults(filled.get(name), child));
    else if (Object.hasOwn(child, "value")) {
      filled.set(name, withDefaults(structuredClone(child.value), child));
    }
  }
  return Object.fromEntries(filled);
}
