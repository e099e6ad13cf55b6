import { isObject, type RequestParameters } from "../engine/request-parameters.js";
import type { ToolEntry } from "./definition.js";

/**
 * The defaults of a schema, as a tree. They are applied to validated arguments before the handler runs.
 * `value` fills a missing property; `properties` and `items` have the defaults of members and items.
 */
export interface Defaults {
  /** What fills a missing property. */
  readonly value?: unknown;
  /** The defaults of an object's members. */
  readonly properties?: Readonly<Record<string, Defaults>>;
  /** The defaults within each item of a list. */
  readonly items?: Defaults;
}

/** The arguments of a call with the defaults of the tool's schema filled in. */
export function withDefaults(input: RequestParameters, { defaults }: ToolEntry): RequestParameters {
  return defaults === undefined ? input : (filledIn(input, defaults) as RequestParameters);
}

/**
 * Returns the value with its schema's defaults filled in: the value itself where none is missing, else a
 * copy. Defaults are copied too, so that a handler may change its arguments.
 */
export function filledIn(value: unknown, defaults: Defaults): unknown {
  const { items, properties } = defaults;
  if (Array.isArray(value) && items !== undefined) {
    return value.map((item) => filledIn(item, items));
  }
  if (!isObject(value) || properties === undefined) return value;
  let filled: Record<string, unknown> | undefined;
  for (const name in properties) {
    const child = properties[name]!;
    const isPresent = Object.hasOwn(value, name);
    if (!isPresent && !Object.hasOwn(child, "value")) continue;
    const completed = filledIn(isPresent ? value[name] : copyOf(child.value), child);
    if (isPresent && completed === value[name]) continue;
    filled ??= { ...value };
    setOwn(filled, name, completed);
  }
  return filled ?? value;
}

function copyOf(value: unknown): unknown {
  return typeof value === "object" ? structuredClone(value) : value;
}

/** Sets an own property. An assignment to `__proto__` would set the prototype instead. */
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
