import type { JsonObject, JsonSchema, JsonValue } from "../model/json.js";

/** Schemas and values made at random from few names and values, so that they often meet; the same for the same seed. */
export class RandomSchemas {
  #state: number;
  /** Whether the schema that is being made has `contains`, with which items are accounted otherwise. */
  #hasContains = true;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A schema of 2020-12 with `$defs` `one` and `two` that anything in it may refer to. */
  schema(): JsonObject {
    const $defs = { one: this.#schema(2), two: this.#schema(2) };
    return { type: "object", ...this.#objectSchema(3), $defs };
  }

  /** A schema in which much depends on what others have evaluated; `$defs` as in `schema`. */
  evaluating(): JsonObject {
    this.#hasContains = this.#chance(0.5);
    const $defs = { one: this.#evaluating(1), two: this.#evaluating(1) };
    return { ...this.#evaluating(2), $defs };
  }

  #evaluating(depth: number): JsonObject {
    const inner = (): JsonSchema => (depth === 0 ? this.#leaf() : this.#evaluating(depth - 1));
    const pair = (): JsonSchema[] => [inner(), inner()];
    return {
      ...this.#sometimes(0.4, () => ({ properties: { [this.#pick(NAMES)]: inner() } })),
      ...this.#sometimes(0.3, () => ({
        patternProperties: { "^[ab]": this.#pick([true, inner()]) },
      })),
      ...this.#sometimes(0.2, () => ({ required: [this.#pick(NAMES)] })),
      ...this.#sometimes(0.1, () => ({ additionalProperties: this.#restriction(depth) })),
      ...this.#sometimes(0.2, () => ({ prefixItems: [inner()] })),
      ...this.#sometimes(0.1, () => ({ items: inner() })),
      ...this.#sometimes(this.#hasContains ? 0.2 : 0, () => ({ contains: inner() })),
      ...this.#sometimes(0.1, () => ({ minContains: this.#below(3) })),
      ...this.#sometimes(0.2, () => ({ dependentSchemas: { [this.#pick(NAMES)]: inner() } })),
      ...this.#sometimes(0.2, () => ({ $ref: this.#pick(["#/$defs/one", "#/$defs/two"]) })),
      ...this.#sometimes(0.2, () => ({ [this.#pick(["allOf", "anyOf", "oneOf"])]: pair() })),
      ...this.#sometimes(0.1, () => ({ if: inner(), then: inner(), else: inner() })),
      ...this.#sometimes(0.4, () => ({ unevaluatedProperties: this.#restriction(depth) })),
      ...this.#sometimes(0.4, () => ({ unevaluatedItems: this.#restriction(depth) })),
    };
  }

  value(depth = 3): JsonValue {
    const kind = this.#below(depth > 0 ? 9 : 5);
    if (kind < 5) return this.#scalar();
    if (kind < 7) return Array.from({ length: this.#below(4) }, () => this.value(depth - 1));
    const keys = NAMES.filter(() => this.#chance(0.5));
    return Object.fromEntries(keys.map((key) => [key, this.value(depth - 1)]));
  }

  #schema(depth: number): JsonSchema {
    if (depth === 0 || this.#chance(0.1)) return this.#leaf();
    const type = this.#pick(["object", "object", "array", "string", ["object", "null"], undefined]);
    return {
      ...(type !== undefined && { type }),
      ...(type !== "array" && type !== "string" ? this.#objectSchema(depth) : {}),
      ...(type === "array" || type === undefined ? this.#arraySchema(depth) : {}),
      ...this.#combination(depth),
    };
  }

  #leaf(): JsonSchema {
    return this.#pick<JsonSchema>([
      true,
      false,
      { type: "string" },
      { type: ["integer", "null"] },
      { const: this.#scalar() },
      { enum: [this.#scalar(), this.value(1)] },
      { $ref: this.#pick(["#", "#/$defs/one", "#/$defs/two"]) },
    ]);
  }

  #objectSchema(depth: number): JsonObject {
    return {
      properties: this.#properties(depth),
      ...this.#sometimes(0.3, () => ({ required: [this.#pick(NAMES)] })),
      ...this.#sometimes(0.3, () => ({ additionalProperties: this.#restriction(depth) })),
      ...this.#sometimes(0.1, () => ({ patternProperties: { "^a": this.#schema(depth - 1) } })),
      ...this.#sometimes(0.1, () => ({ dependentRequired: { a: [this.#pick(NAMES)] } })),
      ...this.#sometimes(0.1, () => ({ unevaluatedProperties: this.#restriction(depth) })),
    };
  }

  #properties(depth: number): JsonObject {
    const described = NAMES.filter(() => this.#chance(0.6)).map((name) => {
      const schema = this.#schema(depth - 1);
      const hasDefault = typeof schema !== "boolean" && this.#chance(0.4);
      return [name, hasDefault ? { ...schema, default: this.value(1) } : schema] as const;
    });
    return Object.fromEntries(described);
  }

  #arraySchema(depth: number): JsonObject {
    return {
      ...this.#sometimes(0.6, () => ({ items: this.#schema(depth - 1) })),
      ...this.#sometimes(0.3, () => ({ prefixItems: [this.#schema(depth - 1)] })),
      ...this.#sometimes(0.3, () => ({ minItems: this.#below(3) })),
      ...this.#sometimes(0.3, () => ({ maxItems: this.#below(4) })),
      ...this.#sometimes(0.15, () => ({ contains: this.#schema(depth - 1) })),
      ...this.#sometimes(0.15, () => ({ unevaluatedItems: this.#restriction(depth) })),
    };
  }

  #combination(depth: number): JsonObject {
    const list = (): JsonSchema[] => [this.#schema(depth - 1), this.#schema(depth - 1)];
    return {
      ...this.#sometimes(0.15, () => ({ allOf: list() })),
      ...this.#sometimes(0.15, () => ({ anyOf: list() })),
      ...this.#sometimes(0.15, () => ({ oneOf: list() })),
      ...this.#sometimes(0.1, () => ({ not: this.#schema(depth - 1) })),
      ...this.#sometimes(0.1, () => ({
        if: this.#schema(depth - 1),
        then: this.#schema(depth - 1),
        ...this.#sometimes(0.5, () => ({ else: this.#schema(depth - 1) })),
      })),
      ...this.#sometimes(0.15, () => ({ $ref: this.#pick(["#/$defs/one", "#/$defs/two"]) })),
    };
  }

  #restriction(depth: number): JsonSchema {
    return depth === 0 || this.#chance(0.5) ? false : this.#schema(depth - 1);
  }

  #scalar(): JsonValue {
    return this.#pick<JsonValue>([null, true, 0, 1, 1.5, "x", "y"]);
  }

  #sometimes(probability: number, make: () => JsonObject): JsonObject {
    return this.#chance(probability) ? make() : {};
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item;
  }

  #chance(probability: number): boolean {
    return this.#below(1000) < probability * 1000;
  }

  /** A linear congruential generator; its low bits are too regular to use. */
  #below(limit: number): number {
    this.#state = (this.#state * 1103515245 + 12345) & 0x7fffffff;
    return (this.#state >> 12) % limit;
  }
}

const NAMES = ["a", "b", "c"];
