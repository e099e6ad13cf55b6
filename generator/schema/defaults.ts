import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { dialectOf, type Dialect } from "./json-schema.js";
import { keywordsWithin } from "./subschemas.js";
import { onceForEach } from "../model/once-for-each.js";
import { resolveReference, type SharedSchemas } from "./schema-reference.js";

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

/** How many references are followed for one schema, and how deep; past it defaults are left alone. */
const MAX_REFERENCES = 1000;
const MAX_DEPTH = 128;

/** What the search knows at a place. */
interface Search {
  readonly root: JsonSchema;
  /** The references that led here: one that leads back to any of them ends the search. */
  readonly following: readonly JsonSchema[];
  readonly depth: number;
}

/**
 * Finds the defaults that are applied to a value of a schema before a handler sees it: those that
 * are reached through `properties`, a single `items`, `$ref` and `allOf`. A default in an
 * alternative (`anyOf`, `if`, …) is documentation, since it would depend on which one holds. Inside
 * itself a recursive schema has none.
 *
 * @param schema in wire form, or as authored where `shared` finds the manifest's schemas
 * @returns undefined where nothing is ever filled in
 */
export function collectDefaults(schema: JsonSchema, shared?: SharedSchemas): Defaults | undefined {
  if (typeof schema === "boolean") return undefined;
  return shared === undefined ? defaultsOfWireForm(schema) : findDefaults(schema, shared);
}

const defaultsOfWireForm = onceForEach((schema: JsonObject) =>
  findDefaults(schema, () => undefined),
);

function findDefaults(schema: JsonObject, shared: SharedSchemas): Defaults | undefined {
  const keywords = keywordsWithin(schema);
  if (!keywords.has("default") && !keywords.has("$ref")) return undefined;
  const search = { root: schema, following: [schema], depth: 0 };
  const inside = innerDefaults(new DefaultsSearch(schema, shared).visit(schema, search));
  return isEmpty(inside) ? undefined : inside;
}

class DefaultsSearch {
  readonly #shared: SharedSchemas;
  readonly #dialect: Dialect;
  #references = 0;

  constructor(schema: JsonSchema, shared: SharedSchemas) {
    this.#shared = shared;
    this.#dialect = dialectOf(schema);
  }

  visit(schema: JsonSchema, search: Search): Defaults {
    if (typeof schema === "boolean" || search.depth > MAX_DEPTH) return {};
    const inside = { ...search, depth: search.depth + 1 };
    const referenced = this.#follow(schema["$ref"], inside);
    if (this.#dialect === "draft-07" && schema["$ref"] !== undefined) return referenced;
    const members = schemasIn(schema["allOf"]).map((member) => this.visit(member, inside));
    return [referenced, ...members].reduce(merge, this.#own(schema, inside));
  }

  #own(schema: JsonObject, search: Search): Defaults {
    const properties = Object.entries(
      isJsonObject(schema["properties"]) ? schema["properties"] : {},
    )
      .map(([key, property]) => [key, this.#visitValue(property, search)] as const)
      .filter(([, defaults]) => !isEmpty(defaults));
    const items = innerDefaults(this.#visitValue(schema["items"], search));
    return complete(schema["default"], {
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(!isEmpty(items) && { items }),
    });
  }

  #visitValue(value: JsonValue | undefined, search: Search): Defaults {
    return isJsonObject(value) ? this.visit(value, search) : {};
  }

  #follow(reference: JsonValue | undefined, { root, following, depth }: Search): Defaults {
    if (typeof reference !== "string" || this.#references >= MAX_REFERENCES) return {};
    const target = resolveReference(root, reference, this.#shared);
    if (target === undefined || following.includes(target.schema)) return {};
    this.#references++;
    return this.visit(target.schema, {
      root: target.root,
      following: [...following, target.schema],
      depth,
    });
  }
}

const schemasIn = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** What is filled in inside a value, where the value itself cannot be missing. */
export function innerDefaults({ properties, items }: Defaults): Defaults {
  return { ...(properties && { properties }), ...(items && { items }) };
}

const isEmpty = (defaults: Defaults): boolean => Object.keys(defaults).length === 0;

/** Both places' defaults; where they differ, the nearer one's. */
function merge(near: Defaults, far: Defaults): Defaults {
  const value = near.value === undefined ? far.value : near.value;
  const properties = mergeProperties(near.properties, far.properties);
  const items = near.items && far.items ? merge(near.items, far.items) : (near.items ?? far.items);
  return complete(value, { ...(properties && { properties }), ...(items && { items }) });
}

const complete = (value: JsonValue | undefined, inside: Defaults): Defaults =>
  value === undefined ? inside : { value: fill(value, inside), ...inside };

function mergeProperties(
  near: Defaults["properties"],
  far: Defaults["properties"],
): Defaults["properties"] {
  if (near === undefined || far === undefined) return near ?? far;
  const merged = new Map(Object.entries(near));
  for (const [key, defaults] of Object.entries(far)) {
    const known = merged.get(key);
    merged.set(key, known === undefined ? defaults : merge(known, defaults));
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
