import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import { referencesTooDeep, schemaTooCostly } from "../../model/catalogue/schema-meaning.js";
import type { SharedSchemas } from "../../schema/schema-reference.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";
import { edgesOf, type SchemaPlace } from "./schema-graph.js";

export const MAX_PARTS = 100_000;

/** Followed references nest the work of everything that reads a schema: compilers, validators, editors. */
const MAX_LEVELS = 300;

interface Size {
  readonly parts: number;
  readonly levels: number;
}

/** A reference back to a schema that is being measured. */
const RECURSION: Size = { parts: 1, levels: 0 };

/**
 * How large schemas are with every reference replaced by what it leads to. Counted, never built:
 * what is counted once is remembered, so that the work is linear. Recursion counts once.
 */
export class Expansion {
  readonly #shared: SharedSchemas;
  readonly #sizes = new Map<JsonObject, Size>();

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /** Whether the size and depth of a document are bearable. */
  *check(document: SchemaDocument): Generator<Diagnostic> {
    const { root } = document;
    const { parts, levels } = this.#measure({ schema: root, root, path: [] }, 0);
    if (levels > MAX_LEVELS) {
      yield referencesTooDeep(placeOf(document, [], "key"), { limit: MAX_LEVELS });
    } else if (parts > MAX_PARTS) {
      yield schemaTooCostly(placeOf(document, [], "key"), { limit: MAX_PARTS });
    }
  }

  /** How many parts a schema has with every reference followed. */
  partsOf(root: JsonObject): number {
    return this.#measure({ schema: root, root, path: [] }, 0).parts;
  }

  /** @param above levels above the place: how far this goes down has its limit too */
  #measure(place: SchemaPlace, above: number): Size {
    const measured = this.#sizes.get(place.schema);
    if (measured !== undefined) return measured;
    if (above > MAX_LEVELS) return { parts: 1, levels: 1 };
    this.#sizes.set(place.schema, RECURSION);
    let [parts, levels] = [1, 1];
    for (const { to } of edgesOf(place, this.#shared)) {
      const size = this.#measure(to, above + 1);
      parts += size.parts;
      levels = Math.max(levels, size.levels + 1);
    }
    this.#sizes.set(place.schema, { parts, levels });
    return { parts, levels };
  }
}
