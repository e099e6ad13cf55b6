import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import { referencesTooDeep, schemaTooCostly } from "../../model/catalogue/schema-meaning.js";
import type { SharedSchemas } from "../../schema/schema-reference.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";
import { edgesOf, type SchemaPlace } from "../../schema/schema-graph.js";

/** The most parts that a schema may have. */
export const MAX_PARTS = 100_000;

/** The most levels that a schema may have. Compilers, validators and editors follow references as deep. */
const MAX_LEVELS = 300;

/** The size of a schema with every reference replaced by its target. */
interface Size {
  /** The number of schemas in it. */
  readonly parts: number;
  readonly levels: number;
}

/** The size of a reference back to a schema that is being measured. */
const RECURSION: Size = { parts: 1, levels: 0 };

/**
 * Measures schemas as if every reference were replaced by its target. It does not build such schemas
 * and measures each schema once, so that the work is linear. A recursive reference counts as one part.
 */
export class Expansion {
  readonly #shared: SharedSchemas;
  readonly #sizes = new Map<JsonObject, Size>();

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /** Reports a document that is too large or too deep. */
  *check(document: SchemaDocument): Generator<Diagnostic> {
    const { root } = document;
    const { parts, levels } = this.#measure({ schema: root, root, path: [] }, 0);
    if (levels > MAX_LEVELS) {
      yield referencesTooDeep(placeOf(document, [], "key"), { limit: MAX_LEVELS });
    } else if (parts > MAX_PARTS) {
      yield schemaTooCostly(placeOf(document, [], "key"), { limit: MAX_PARTS });
    }
  }

  /** The number of parts of a schema, with every reference replaced by its target. */
  partsOf(root: JsonObject): number {
    return this.#measure({ schema: root, root, path: [] }, 0).parts;
  }

  /** @param above the number of levels above the place, which limits this recursion */
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
