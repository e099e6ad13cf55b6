import { Expansion, MAX_PARTS } from "../2-validate/schema-rules/check-expansion.js";
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";

/**
 * The most parts of an imported schema, with references expanded. The manifest allows twice as many, so that a person
 * can add something.
 */
const MOST_PARTS = MAX_PARTS / 2;

/** Schemas with more parts than the threshold are not described. The thresholds are tried in this order. */
const THRESHOLDS = [20_000, 5_000, 1_000, 200];

/** How many levels of references to large schemas are still described if a schema is too large. */
const DESCRIBED_LEVELS = 1;

/** Finds the schema that a reference of the manifest names. */
type NamedSchema = (reference: string) => JsonSchema | undefined;

/** Makes schemas smaller that are too large for a manifest when their references are expanded. */
export class BoundedSchemas {
  readonly #find: NamedSchema;
  readonly #prefix: string;
  readonly #sizes = new Map<string, number>();

  /** @param prefix the beginning of references to shared schemas */
  constructor(named: NamedSchema, prefix: string) {
    this.#find = named;
    this.#prefix = prefix;
  }

  /**
   * The schema itself if it is small enough, or else a copy whose largest parts accept any value. Undefined if
   * that is still too large.
   */
  bounded(schema: JsonSchema): JsonSchema | undefined {
    if (!isJsonObject(schema) || this.#fits(schema)) return schema;
    for (const threshold of THRESHOLDS) {
      const smaller = this.#reduced(schema, threshold, DESCRIBED_LEVELS) as JsonObject;
      if (this.#fits(smaller)) return smaller;
    }
    return undefined;
  }

  #fits(schema: JsonObject): boolean {
    const parts = [...referencesIn(schema)].map((reference) => this.#sizeOf(reference));
    return parts.reduce((sum, size) => sum + size, 0) <= MOST_PARTS;
  }

  /**
   * The number of parts of a shared schema, with references expanded. Each schema is measured separately: inside of a
   * schema that it refers back to, it would seem smaller.
   */
  #sizeOf(reference: string): number {
    const cachedSize = this.#sizes.get(reference);
    if (cachedSize !== undefined) return cachedSize;
    const schema = this.#find(reference);
    const expansion = new Expansion((name) => this.#find(`${this.#prefix}${name}`));
    const size = isJsonObject(schema) ? expansion.partsOf(schema) : 1;
    this.#sizes.set(reference, size);
    return size;
  }

  /**
   * A copy of a schema without its large parts.
   *
   * @param levels how many levels of references to large schemas are replaced by these schemas
   */
  #reduced(value: JsonValue, threshold: number, levels: number): JsonValue {
    if (Array.isArray(value)) return value.map((item) => this.#reduced(item, threshold, levels));
    if (!isJsonObject(value)) return value;
    const target = this.#largeTarget(value, threshold);
    const { $ref: _, ...siblingKeywords } = value;
    if (target !== undefined && levels > 0) {
      return {
        ...(this.#reduced(target, threshold, levels - 1) as JsonObject),
        ...siblingKeywords,
      };
    }
    if (target !== undefined) return { ...openForm(target), ...siblingKeywords };
    const members = Object.entries(value).map(([key, member]): [string, JsonValue] => [
      key,
      this.#reduced(member, threshold, levels),
    ]);
    return Object.fromEntries(members);
  }

  #largeTarget(schema: JsonObject, threshold: number): JsonObject | undefined {
    const reference = ownValue(schema, "$ref");
    if (typeof reference !== "string" || this.#sizeOf(reference) <= threshold) return undefined;
    const target = this.#find(reference);
    return isJsonObject(target) ? target : undefined;
  }
}

/** All references in a schema. A reference that occurs twice is returned twice. */
function* referencesIn(value: JsonValue): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* referencesIn(item);
  if (!isJsonObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === "$ref" && typeof member === "string") yield member;
    else yield* referencesIn(member);
  }
}

/** A schema that accepts any value of the same type. */
function openForm(schema: JsonObject): JsonObject {
  const entries = ["title", "description", "type"].flatMap((key): [string, JsonValue][] => {
    const value = ownValue(schema, key);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}
