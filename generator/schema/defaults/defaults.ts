import { isJsonObject, type JsonValue } from "../../model/json.js";

/**
 * Where a schema has defaults: what the runtime's `Defaults` are written from, and what the types
 * of handlers' arguments are made with, so that both follow one rule. A JSON object itself.
 */
export type Defaults = {
  /** Fills the property when it is missing; complete, with the defaults inside it applied. */
  readonly value?: JsonValue;
  readonly properties?: { readonly [key: string]: Defaults };
  readonly items?: Defaults;
};

/** What a keyword that leads to defaults is given beside its own value. */
export interface Collecting {
  /** The defaults of a schema within. */
  collect(schema: JsonValue): Defaults;
  /** The defaults of the schema that a reference leads to. */
  follow(reference: string): Defaults;
}

/** What is filled in inside a value, where the value itself cannot be missing. */
export function innerDefaults({ properties, items }: Defaults): Defaults {
  return { ...(properties && { properties }), ...(items && { items }) };
}

export function isEmpty(defaults: Defaults): boolean {
  return Object.keys(defaults).length === 0;
}

/** The defaults of several schemas for one value; where they differ, those of the first. */
export function withAll(defaults: readonly Defaults[]): Defaults {
  return defaults.reduce(merge, {});
}

function merge(near: Defaults, far: Defaults): Defaults {
  const value = near.value === undefined ? far.value : near.value;
  const properties = mergeProperties(near.properties, far.properties);
  const items = near.items && far.items ? merge(near.items, far.items) : (near.items ?? far.items);
  const inside = { ...(properties && { properties }), ...(items && { items }) };
  return value === undefined ? inside : { value: fill(value, inside), ...inside };
}

function mergeProperties(
  near: Defaults["properties"],
  far: Defaults["properties"],
): Defaults["properties"] {
  if (near === undefined || far === undefined) return near ?? far;
  const merged = new Map(Object.entries(near));
  for (const [key, defaults] of Object.entries(far)) {
    const own = merged.get(key);
    merged.set(key, own === undefined ? defaults : merge(own, defaults));
  }
  return Object.fromEntries(merged);
}

/** A value with the defaults inside it applied. */
function fill(value: JsonValue, { properties, items }: Defaults): JsonValue {
  if (Array.isArray(value)) return items ? value.map((item) => fill(item, items)) : value;
  if (!isJsonObject(value) || properties === undefined) return value;
  const filled = new Map(Object.entries(value));
  for (const [key, defaults] of Object.entries(properties)) {
    const present = filled.has(key) ? filled.get(key) : defaults.value;
    if (present !== undefined) filled.set(key, fill(present, defaults));
  }
  return Object.fromEntries(filled);
}
