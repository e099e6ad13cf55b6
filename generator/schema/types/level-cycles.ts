import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { Definition, Definitions, SchemaScope } from "./definition.js";
import { inPlaceSchemas, type ScopedSchema } from "./in-place.js";

/** How long a chain of schemas that apply to one value may be before it counts as endless. */
const MAX_CHAIN = 200;

/**
 * Finds references that lead to themselves without going into a property or an item, such as
 * `{ $ref: "#" }`. They say nothing about a value, and TypeScript refuses their like.
 */
export class LevelCycles {
  readonly #definitions: Definitions;
  readonly #answers = new Map<SchemaScope, Map<JsonObject, boolean>>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  reachesItself({ schema, scope }: Definition): boolean {
    return isJsonObject(schema) && this.#isEndless({ schema, scope }, 0);
  }

  #isEndless(place: ScopedSchema, chain: number): boolean {
    const answers = this.#answers.get(place.scope) ?? new Map<JsonObject, boolean>();
    this.#answers.set(place.scope, answers);
    const answer = answers.get(place.schema);
    if (answer !== undefined) return answer;
    // Met again before it has its answer, the schema has led to itself.
    answers.set(place.schema, true);
    const isEndless =
      chain > MAX_CHAIN ||
      inPlaceSchemas(place, this.#definitions).some((next) => this.#isEndless(next, chain + 1));
    answers.set(place.schema, isEndless);
    return isEndless;
  }
}
