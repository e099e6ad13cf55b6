import { Expansion, MAX_PARTS } from "../2-validate/schema-rules/check-expansion.js";
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";

/** Most parts of an imported schema, references followed: room is left for what the manifest adds. */
const MOST_PARTS = MAX_PARTS / 2;

/** Parts from which on a schema is not described, from the mildest to the strictest. */
const THRESHOLDS = [20_000, 5_000, 1_000, 200];

/** References in references that are still described where a schema is too large. */
const DESCRIBED_LEVELS = 1;

/** A schema that a reference of the manifest names; undefined where there is none. */
type NamedSchema = (reference: string) => JsonSchema | undefined;

/** Makes schemas smaller that are too large for a manifest with their references followed. */
export class BoundedSchemas {
  readonly #named: NamedSchema;
  readonly #prefix: string;
  readonly #sizes = new Map<string, number>();

  /** @param prefix what references to shared schemas begin with */
  constructor(named: NamedSchema, prefix: string) {
    this.#named = named;
    this.#prefix = prefix;
  }

  /** The schema, or one whose largest parts are open; undefined where it is too large even so. */
  bounded(schema: JsonSchema): JsonSchema | undefined {
    if (!isJsonObject(schema) || this.#fits(schema)) return schema;
    for (const threshold of THRESHOLDS) {
      const smaller = this.#cut(schema, threshold, DESCRIBED_LEVELS) as JsonObject;
      if (this.#fits(smaller)) return smaller;
    }
    return undefined;
  }

  #fits(schema: JsonObject): boolean {
    const parts = [...referencesIn(schema)].map((reference) => this.#sizeOf(reference));
    return parts.reduce((sum, size) => sum + size, 0) <= MOST_PARTS;
  }

  /**
   * Parts of a shared schema, references followed. Each is measured by itself, since the size that a schema has
   * inside of one that it leads back to is smaller.
   */
  #sizeOf(reference: string): number {
    const measured = this.#sizes.get(reference);
    if (measured !== undefined) return measured;
    const schema = this.#named(reference);
    const expansion = new Expansion((name) => this.#named(`${this.#prefix}${name}`));
    const size = isJsonObject(schema) ? expansion.partsOf(schema) : 1;
    this.#sizes.set(reference, size);
    return size;
  }

  /** @param levels how many references to large schemas may become what they lead to */
  #cut(value: JsonValue, threshold: number, levels: number): JsonValue {
    if (Array.isArray(value)) return value.map((item) => this.#cut(item, threshold, levels));
    if (!isJsonObject(value)) return value;
    const target = this.#largeTarget(value, threshold);
    const { $ref: _, ...beside } = value;
    if (target !== undefined && levels > 0) {
      return { ...(this.#cut(target, threshold, levels - 1) as JsonObject), ...beside };
    }
    if (target !== undefined) return { ...openForm(target), ...beside };
    const members = Object.entries(value).map(([key, member]): [string, JsonValue] => [
      key,
      this.#cut(member, threshold, levels),
    ]);
    return Object.fromEntries(members);
  }

  #largeTarget(schema: JsonObject, threshold: number): JsonObject | undefined {
    const reference = ownValue(schema, "$ref");
    if (typeof reference !== "string" || this.#sizeOf(reference) <= threshold) return undefined;
    const target = this.#named(reference);
    return isJsonObject(target) ? target : undefined;
  }
}

/** The references of a schema, each as often as it is there. */
function* referencesIn(value: JsonValue): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* referencesIn(item);
  if (!isJsonObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === "$ref" && typeof member === "string") yield member;
    else yield* referencesIn(member);
  }
}

/** What remains of a schema that is not described: any value of its type. */
function openForm(schema: JsonObject): JsonObject {
  const kept = ["title", "description", "type"].flatMap((key): [string, JsonValue][] => {
    const value = ownValue(schema, key);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(kept);
}
