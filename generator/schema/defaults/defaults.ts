import { isJsonObject, type JsonValue } from "../../model/json.js";

/**
 * The defaults of a schema as a tree. Both the runtime's `Defaults` and the types of handlers' arguments
 * are made from it. The tree is a JSON object.
 */
export type Defaults = {
  /** The value for a missing property; the defaults inside it are already applied. */
  readonly value?: JsonValue;
  readonly properties?: { readonly [key: string]: Defaults };
  readonly items?: Defaults;
};

/** What a keyword can call to collect the defaults of its subschemas. */
export interface Collecting {
  /** The defaults of a subschema. */
  collect(schema: JsonValue): Defaults;
  /** The defaults of the schema to which a reference leads. */
  follow(reference: string): Defaults;
}

/** The defaults inside a value, without the default for the value itself. */
export function innerDefaults({ properties, items }: Defaults): Defaults {
  return { ...(properties && { properties }), ...(items && { items }) };
}

export function isEmpty(defaults: Defaults): boolean {
  return Object.keys(defaults).length === 0;
}

/** Joins the defaults of several schemas for one value; an earlier schema wins over a later one. */
export function joinDefaults(defaults: readonly Defaults[]): Defaults {
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
    const nearDefaults = merged.get(key);
    merged.set(key, nearDefaults === undefined ? defaults : merge(nearDefaults, defaults));
  }
  return Object.fromEntries(merged);
}

/** A copy of a value with the defaults inside it applied. */
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
