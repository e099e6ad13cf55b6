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
  const filled = { ...value };
  for (const name of Object.keys(properties)) {
    const child = properties[name]!;
    if (Object.hasOwn(filled, name)) setOwn(filled, name, withDefaults(filled[name], child));
    else if (Object.hasOwn(child, "value")) {
      setOwn(filled, name, withDefaults(copyOf(child.value), child));
    }
  }
  return filled;
}

function copyOf(value: unknown): unknown {
  return typeof value === "object" ? structuredClone(value) : value;
}

/** Plain assignment to `__proto__` would set the prototype. */
function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") target[name] = value;
  else
    Object.defineProperty(target, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}
