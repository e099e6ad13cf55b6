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
import {
  innerDefaults,
  isEmpty,
  joinDefaults,
  type Collecting,
  type Defaults,
} from "./defaults.js";

/** The most references that are followed for one schema; defaults behind further ones are ignored. */
const MAX_REFERENCES = 1000;
/** The deepest level of subschemas in which defaults are searched. */
const MAX_DEPTH = 128;

/** A position of the search. */
interface SearchPosition {
  readonly root: JsonSchema;
  /** The targets of the references that led here. A reference to one of them is not followed again. */
  readonly following: readonly JsonSchema[];
  readonly depth: number;
}

/**
 * Finds the defaults that a generated server applies to a value before the handler gets it: those
 * under `properties`, a single `items`, `$ref` and `allOf`. A default within an alternative (`anyOf`,
 * `if`, …) is documentation only, since it would depend on the alternative that fits. A recursive
 * schema has no defaults within itself.
 *
 * @param schema in wire form, or as written in the manifest if `shared` finds the manifest's schemas
 * @returns undefined if there are no defaults
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
  const position = { root: schema, following: [schema], depth: 0 };
  const inside = innerDefaults(new DefaultsSearch(schema, shared).collect(schema, position));
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

  /** The defaults of a schema and of its subschemas. */
  collect(schema: JsonValue, position: SearchPosition): Defaults {
    if (!isJsonObject(schema) || position.depth > MAX_DEPTH) return {};
    const inside = { ...position, depth: position.depth + 1 };
    const collecting: Collecting = {
      collect: (inner) => this.collect(inner, inside),
      follow: (reference) => this.#follow(reference, inside),
    };
    const assertions = nearestFirst(assertionsOf(schema, this.#dialect));
    return joinDefaults(
      assertions.map(({ definition, rule }) => definition.defaults?.(rule, collecting) ?? {}),
    );
  }

  #follow(reference: string, { root, following, depth }: SearchPosition): Defaults {
    if (this.#references >= MAX_REFERENCES) return {};
    const target = resolveReference(root, reference, this.#shared);
    if (target === undefined || following.includes(target.schema)) return {};
    this.#references++;
    const position = { root: target.root, following: [...following, target.schema], depth };
    return this.collect(target.schema, position);
  }
}
