import type { Defaults } from "../engine/definition.js";
import { isObject } from "../engine/request-parameters.js";

/**
 * The value with its schema's defaults filled in: the value itself where none is missing, else a
 * copy. What is filled in is a copy too, so that a handler may change what it gets.
 */
export function withDefaults(value: unknown, defaults: Defaults): unknown {
  const { items, properties } = defaults;
  if (Array.isArray(value) && items !== undefined) {
    return value.map((item) => withDefaults(item, items));
  }
  if (!isObject(value) || properties === undefined) return value;
  let filled: Record<string, unknown> | undefined;
  for (const name in properties) {
    const child = properties[name]!;
    const isGiven = Object.hasOwn(value, name);
    if (!isGiven && !Object.hasOwn(child, "value")) continue;
    const whole = withDefaults(isGiven ? value[name] : copyOf(child.value), child);
    if (isGiven && whole === value[name]) continue;
    filled ??= { ...value };
    setOwn(filled, name, whole);
  }
  return filled ?? value;
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
