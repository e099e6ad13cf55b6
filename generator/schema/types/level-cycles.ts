import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { Definition, Definitions, SchemaScope } from "./definition.js";
import { inPlaceSchemas, type ScopedSchema } from "./in-place.js";

/** A longer chain of schemas that apply to one value counts as endless. */
const MAX_CHAIN = 200;

/**
 * Finds schemas whose references lead back to them for the same value, such as `{ $ref: "#" }`. They do not constrain
 * values, and TypeScript refuses such type aliases.
 */
export class LevelCycles {
  readonly #definitions: Definitions;
  readonly #results = new Map<SchemaScope, Map<JsonObject, boolean>>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  reachesItself({ schema, scope }: Definition): boolean {
    return isJsonObject(schema) && this.#isEndless({ schema, scope }, 0);
  }

  #isEndless(scoped: ScopedSchema, chainLength: number): boolean {
    const results = this.#results.get(scoped.scope) ?? new Map<JsonObject, boolean>();
    this.#results.set(scoped.scope, results);
    const result = results.get(scoped.schema);
    if (result !== undefined) return result;
    // If the schema is visited again before its result is known, it leads back to itself.
    results.set(scoped.schema, true);
    const isEndless =
      chainLength > MAX_CHAIN ||
      inPlaceSchemas(scoped, this.#definitions).some((next) =>
        this.#isEndless(next, chainLength + 1),
      );
    results.set(scoped.schema, isEndless);
    return isEndless;
  }
}
