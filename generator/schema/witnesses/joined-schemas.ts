import { isJsonObject, type JsonObject, type JsonSchema } from "../../model/json.js";
import type { SchemaNode, SchemaSource } from "../comparison/schema-node.js";
import type { Patterns } from "../comparison/patterns.js";
import { dialectOf } from "../json-schema.js";
import { MAXIMUM_STRING } from "../instances/sizes.js";
import { schemaEntries } from "../keyword-values.js";
import { hasKeywordShapes } from "../keyword-shapes.js";
import { mapSubschemas } from "../map-subschemas.js";
import { resolveReference, writeReference } from "../schema-reference.js";

/** The most subschemas of two schemas for which values are made. */
const MAX_SUBSCHEMAS = 2_000;
/** The most subschemas of two schemas of which values are made for every keyword. */
const MAX_OF_SMALL = 200;

/** Two schemas in one self-contained document, so that values can be made for both and judged by either. */
export interface JoinedSchemas {
  /** The schema of the values that both accept. */
  readonly both: JsonObject;
  readonly narrow: JsonObject;
  readonly wide: JsonObject;
  /** True if the values that are made reach every part of the schemas. */
  readonly isSmall: boolean;
  /** The schema from which a subschema of the document was copied. */
  originalOf(schema: JsonSchema): JsonSchema;
}

/**
 * Copies two root schemas, and the shared schemas to which they refer, into one document.
 *
 * @returns undefined if values cannot be judged by them: the schemas are large, a reference leads nowhere, the value of a
 *   keyword is none, or a pattern may take long. The schemas of a lock were never validated.
 */
export function joinSchemas(
  narrow: SchemaNode,
  wide: SchemaNode,
  patterns: Patterns,
): JoinedSchemas | undefined {
  const dialects = [narrow, wide].map(({ schema }) => dialectOf(schema));
  if (dialects[0] !== dialects[1]) return undefined;
  const joining = new Joining(patterns);
  const [before, after] = [joining.add(narrow.source), joining.add(wide.source)];
  const definitions = joining.finish();
  if (definitions === undefined) return undefined;
  const { $schema } = isJsonObject(narrow.schema) ? narrow.schema : {};
  const root = {
    ...($schema !== undefined && { $schema }),
    $defs: definitions,
  };
  const [ofNarrow, ofWide] = [before, after].map((slot) => ({
    $ref: writeReference(["$defs", slot]),
  }));
  return {
    both: { ...root, allOf: [ofNarrow!, ofWide!] },
    narrow: { ...root, ...ofNarrow },
    wide: { ...root, ...ofWide },
    isSmall: joining.subschemas <= MAX_OF_SMALL,
    originalOf: (schema) => joining.originalOf(schema),
  };
}

/** Copies root schemas into `$defs` of one document, each once. */
class Joining {
  readonly #slots = new Map<JsonSchema | SchemaSource, string>();
  readonly #waiting: { readonly slot: string; readonly source: SchemaSource }[] = [];
  readonly #originals = new Map<JsonSchema, JsonSchema>();
  /** How many subschemas were copied. */
  subschemas = 0;
  #isSound = true;

  constructor(private readonly patterns: Patterns) {}

  /** The name under `$defs` that the copy of a root schema gets. */
  add(source: SchemaSource): string {
    const key = isJsonObject(source.root) ? source.root : source;
    const existing = this.#slots.get(key);
    if (existing !== undefined) return existing;
    const slot = `root${this.#slots.size}`;
    this.#slots.set(key, slot);
    this.#waiting.push({ slot, source });
    return slot;
  }

  /** The copies by their names; undefined if one of them cannot be used. */
  finish(): JsonObject | undefined {
    const definitions: JsonObject = {};
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      definitions[next.slot] = this.#copy(next.source.root, next.source);
      if (!this.#isSound) return undefined;
    }
    return definitions;
  }

  originalOf(schema: JsonSchema): JsonSchema {
    return this.#originals.get(schema) ?? schema;
  }

  #copy(schema: JsonSchema, source: SchemaSource): JsonSchema {
    this.subschemas += 1;
    if (this.subschemas > MAX_SUBSCHEMAS) this.#isSound = false;
    if (!isJsonObject(schema) || !this.#isSound) return schema;
    if (!hasKeywordShapes(schema) || !this.#hasQuickPatterns(schema)) this.#isSound = false;
    if (!this.#isSound) return schema;
    const { $schema: _dialect, $anchor: _anchor, $dynamicAnchor: _dynamic, ...others } = schema;
    const copy = mapSubschemas(others, (subschema) => this.#copy(subschema, source));
    for (const name of ["$ref", "$dynamicRef"]) {
      const reference = copy[name];
      if (typeof reference === "string") copy[name] = this.#moved(reference, source);
    }
    this.#originals.set(copy, schema);
    return copy;
  }

  /** A reference that leads from a copy to a copy. */
  #moved(reference: string, source: SchemaSource): string {
    const target = resolveReference(source.root, reference, source.shared);
    if (target === undefined) {
      this.#isSound = false;
      return reference;
    }
    const { root, path } = target;
    return writeReference(["$defs", this.add({ ...source, root }), ...path]);
  }

  #hasQuickPatterns(schema: JsonObject): boolean {
    const { pattern } = schema;
    const sources = schemaEntries(schema["patternProperties"]).map(([source]) => source);
    if (typeof pattern === "string") sources.push(pattern);
    return sources.every((source) => this.patterns.isQuick(source, MAXIMUM_STRING));
  }
}
