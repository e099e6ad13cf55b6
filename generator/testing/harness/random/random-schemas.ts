import type { JsonObject, JsonSchema, JsonValue } from "../../../model/json.js";

/** Schemas and values made at random from few names and values, so that they often meet; the same for the same seed. */
export class RandomSchemas {
  #state: number;
  /** Whether the schema that is being made has `contains`, with which items are accounted otherwise. */
  #hasContains = true;
  /** What properties are called in the schema that was made last, and in values for it. */
  #names: readonly string[] = NAMES;
  /** Those of them that a manifest may have as keys. */
  #keys: readonly string[] = NAMES;
  #references: readonly string[] = ["#/$defs/one", "#/$defs/two"];

  /** @param isUnusual whether names are such as nobody expects, with keywords that few schemas have */
  constructor(
    seed: number,
    private readonly isUnusual = false,
  ) {
    this.#state = seed;
  }

  /** A schema of 2020-12 with `$defs` `one` and `two` that anything in it may refer to. */
  schema(): JsonObject {
    const $defs = this.#definitions(() => this.#schema(2));
    return { type: "object", ...this.#objectSchema(3), $defs };
  }

  /** Makes a schema in which much depends on the evaluated properties and items; `$defs` as in `schema`. */
  evaluating(): JsonObject {
    this.#hasContains = this.#chance(0.5);
    const $defs = this.#definitions(() => this.#evaluating(1));
    return { ...this.#evaluating(2), $defs };
  }

  #definitions(make: () => JsonSchema): JsonObject {
    if (!this.isUnusual) return { one: make(), two: make() };
    this.#keys = Array.from({ length: 3 }, () => this.#pick(UNUSUAL_NAMES));
    this.#names = [...this.#keys, "__proto__"];
    const name = this.#key();
    const step = encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
    this.#references = ["#/$defs/one", "#/$defs/two", `#/$defs/${step}`];
    return { one: make(), two: make(), [name]: make() };
  }

  #evaluating(depth: number): JsonObject {
    const inner = (): JsonSchema => (depth === 0 ? this.#leaf() : this.#evaluating(depth - 1));
    const pair = (): JsonSchema[] => [inner(), inner()];
    return {
      ...this.#sometimes(0.4, () => ({ properties: { [this.#key()]: inner() } })),
      ...this.#sometimes(0.3, () => ({
        patternProperties: { "^[ab]": this.#pick([true, inner()]) },
      })),
      ...this.#sometimes(0.2, () => ({ required: [this.#pick(this.#names)] })),
      ...this.#sometimes(0.1, () => ({ additionalProperties: this.#restriction(depth) })),
      ...this.#sometimes(0.2, () => ({ prefixItems: [inner()] })),
      ...this.#sometimes(0.1, () => ({ items: inner() })),
      ...this.#sometimes(this.#hasContains ? 0.2 : 0, () => ({ contains: inner() })),
      ...this.#sometimes(0.1, () => ({ minContains: this.#below(3) })),
      ...this.#sometimes(0.2, () => ({ dependentSchemas: { [this.#key()]: inner() } })),
      ...this.#sometimes(0.2, () => ({ $ref: this.#pick(this.#references) })),
      ...this.#sometimes(0.2, () => ({ [this.#pick(["allOf", "anyOf", "oneOf"])]: pair() })),
      ...this.#sometimes(0.1, () => ({ if: inner(), then: inner(), else: inner() })),
      ...(this.isUnusual && this.#unusualConditions(inner)),
      ...this.#sometimes(0.4, () => ({ unevaluatedProperties: this.#restriction(depth) })),
      ...this.#sometimes(0.4, () => ({ unevaluatedItems: this.#restriction(depth) })),
    };
  }

  value(depth = 3, names = this.#names): JsonValue {
    const kind = this.#below(depth > 0 ? 9 : 5);
    if (kind < 5) return this.#scalar();
    if (kind < 7) return Array.from({ length: this.#below(4) }, () => this.value(depth - 1, names));
    const keys = names.filter(() => this.#chance(0.5));
    return Object.fromEntries(keys.map((key) => [key, this.value(depth - 1, names)]));
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
      { enum: [this.#scalar(), this.value(1, this.#keys)] },
      { $ref: this.#pick(["#", ...this.#references]) },
    ]);
  }

  #objectSchema(depth: number): JsonObject {
    return {
      properties: this.#properties(depth),
      ...this.#sometimes(0.3, () => ({ required: [this.#pick(this.#names)] })),
      ...this.#sometimes(0.3, () => ({ additionalProperties: this.#restriction(depth) })),
      ...this.#sometimes(0.1, () => ({ patternProperties: { "^a": this.#schema(depth - 1) } })),
      ...this.#sometimes(0.1, () => ({ dependentRequired: { a: [this.#pick(this.#names)] } })),
      ...this.#sometimes(0.1, () => ({ unevaluatedProperties: this.#restriction(depth) })),
      ...(this.isUnusual && this.#unusualConditions(() => this.#schema(depth - 1))),
    };
  }

  /** Keywords that few schemas have: about names, and ones that hang on others. */
  #unusualConditions(inner: () => JsonSchema): JsonObject {
    const name = (): string => this.#pick(this.#names);
    return {
      ...this.#sometimes(0.15, () => ({ propertyNames: this.#nameSchema() })),
      ...this.#sometimes(0.1, () => ({
        dependentSchemas: { [this.#key()]: inner(), [this.#key()]: inner() },
      })),
      ...this.#sometimes(0.1, () => ({ dependentRequired: { [this.#key()]: [name(), name()] } })),
      ...this.#sometimes(0.1, () => ({ required: [...new Set([name(), name()])] })),
      ...this.#sometimes(0.1, () => ({ patternProperties: { "": inner(), "[^a-z]": inner() } })),
      ...this.#sometimes(0.05, () => ({ [this.#pick(["minProperties", "maxProperties"])]: 1 })),
      ...this.#sometimes(0.05, () => ({ if: inner(), [this.#pick(["then", "else"])]: inner() })),
      ...this.#sometimes(0.05, () => ({
        enum: [{ [this.#key()]: this.#scalar() }, this.value(2, this.#keys), "x"],
      })),
      ...this.#sometimes(0.05, () => ({ not: { const: { [this.#key()]: this.#scalar() } } })),
    };
  }

  #nameSchema(): JsonSchema {
    const name = this.#pick(this.#names);
    return this.#pick<JsonSchema>([
      true,
      false,
      { const: name },
      { not: { const: name } },
      { enum: [name, this.#pick(this.#names)] },
      { pattern: "^[a-z_]*$" },
      { maxLength: this.#below(10) },
      { minLength: 1 },
      { type: "string", not: { pattern: "[^a-z]" } },
      { type: ["integer", "object"] },
      { anyOf: [{ const: name }, { minLength: 5 }] },
      { if: { const: name }, else: { maxLength: 3 } },
      { $ref: this.#pick(this.#references) },
    ]);
  }

  #properties(depth: number): JsonObject {
    const described = this.#keys
      .filter(() => this.#chance(0.6))
      .map((name) => {
        const schema = this.#schema(depth - 1);
        const hasDefault = typeof schema !== "boolean" && this.#chance(0.4);
        return [
          name,
          hasDefault ? { ...schema, default: this.value(1, this.#keys) } : schema,
        ] as const;
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
      ...this.#sometimes(0.15, () => ({ $ref: this.#pick(this.#references) })),
    };
  }

  /** A name that a manifest may have as a key. */
  #key(): string {
    return this.#pick(this.#keys);
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

/** Names that every object has, that code uses, and that must be escaped somewhere. */
const UNUSUAL_NAMES = [
  ..."a constructor toString hasOwnProperty valueOf length errors data 0 -1".split(" "),
  ..."a/b a~b ~1 a~0b 50% %2F %zz a.b a-b ${a} */ // <!-- $ref # é 日本 😀".split(" "),
  ...["", " ", "it's", 'a"b', "a`b", "a\\", "\u2028", "e\u0301"],
];
