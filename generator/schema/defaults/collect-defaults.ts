import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { onceForEach } from "../../model/once-for-each.js";
import { assertionsOf, nearestFirst } from "../assertions.js";
import { dialectOf, type Dialect } from "../json-schema.js";
import { resolveReference, type SharedSchemas } from "../schema-reference.js";
import { keywordsWithin } from "../subschemas.js";
import { innerDefaults, isEmpty, withAll, type Collecting, type Defaults } from "./defaults.js";

/** How many references are followed for one schema, and how deep; past it defaults are left alone. */
const MAX_REFERENCES = 1000;
const MAX_DEPTH = 128;

/** Where the search is. */
interface Place {
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
  const place = { root: schema, following: [schema], depth: 0 };
  const inside = innerDefaults(new DefaultsSearch(schema, shared).collect(schema, place));
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

  /** The defaults of a schema, which its keywords lead to. */
  collect(schema: JsonValue, place: Place): Defaults {
    if (!isJsonObject(schema) || place.depth > MAX_DEPTH) return {};
    const inside = { ...place, depth: place.depth + 1 };
    const collecting: Collecting = {
      collect: (inner) => this.collect(inner, inside),
      follow: (reference) => this.#follow(reference, inside),
    };
    const assertions = nearestFirst(assertionsOf(schema, this.#dialect));
    return withAll(
      assertions.map(({ definition, rule }) => definition.defaults?.(rule, collecting) ?? {}),
    );
  }

  #follow(reference: string, { root, following, depth }: Place): Defaults {
    if (this.#references >= MAX_REFERENCES) return {};
    const target = resolveReference(root, reference, this.#shared);
    if (target === undefined || following.includes(target.schema)) return {};
    this.#references++;
    const place = { root: target.root, following: [...following, target.schema], depth };
    return this.collect(target.schema, place);
  }
}
