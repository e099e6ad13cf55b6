import { CHECKED_FORMATS } from "../schema/formats/format-checks.js";
import type { JsonObject, JsonSchema, JsonValue } from "../model/json.js";
import { TYPE_NAMES } from "../schema/json-schema.js";
import { PAYLOADS } from "./hostile-text.js";
import { randomNumbers } from "./random-numbers.js";

const NAMES = [
  "a",
  "b c",
  "x-y",
  "1",
  "toString",
  "constructor",
  "größe",
  "data0",
  "errors",
  "a/~b",
];
const TEXTS = [
  "",
  "a",
  "bb",
  "ccc",
  "2026-01-15",
  "https://example.com/",
  "it's",
  "\u{1f600}\u{1f600}",
];
const PATTERNS = ["^a+$", "^[\\w.\"'-]+$", "\\d{2}/", "^(?:x|y\\\\)*$"];
const FORMATS = [...CHECKED_FORMATS, "unknown"];

const TYPES_OF: ReadonlyMap<string, string> = new Map([
  ["minLength", "string"],
  ["minimum", "number"],
  ["minItems", "array"],
  ["properties", "object"],
]);

/** Schemas made at random, most of them plain, and values; the same for the same seed. */
export class RandomPlainSchemas {
  /** A whole number below this. */
  readonly below: (limit: number) => number;

  constructor(seed: number) {
    this.below = randomNumbers(seed);
  }

  chance(percentage: number): boolean {
    return this.below(100) < percentage;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  several<Item>(most: number, make: () => Item): Item[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }

  name(): string {
    return this.chance(85) ? this.pick(NAMES) : this.pick(PAYLOADS);
  }

  text(): string {
    return this.chance(85) ? this.pick(TEXTS) : this.pick(PAYLOADS);
  }

  number(): number {
    return this.pick([0, 1, 2, 3, -1, 1.5, 0.1, 1e21, 5e-7, -0]);
  }

  scalar(): JsonValue {
    const makers: (() => JsonValue)[] = [
      () => this.text(),
      () => this.number(),
      () => null,
      () => this.chance(50),
    ];
    return this.pick(makers)();
  }

  value(depth: number): JsonValue {
    if (depth === 0 || this.chance(60)) return this.scalar();
    if (this.chance(50)) return this.several(3, () => this.value(depth - 1));
    return Object.fromEntries(this.several(3, () => [this.name(), this.value(depth - 1)]));
  }

  /** Keywords of a type with a few that say nothing of it. */
  schema(depth: number): JsonSchema {
    if (this.chance(6)) return this.chance(85);
    const likely = this.pick([
      ["type", "minLength", "maxLength", "pattern", "format", "enum", "description", "default"],
      ["type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
      ["type", "const", "enum", "format", "description"],
      ["type", "minItems", "maxItems", "items", "uniqueItems"],
      ["type", "properties", "required", "additionalProperties", "minProperties", "maxProperties"],
      ["type", "properties", "required"],
      Object.keys(this.#keywords),
    ]);
    const chosen = likely.filter((keyword) => {
      const isDeep =
        depth <= 0 && ["items", "properties", "additionalProperties"].includes(keyword);
      return !isDeep && this.chance(keyword === "type" ? 75 : 45);
    });
    const entries = chosen.map((keyword) => [keyword, this.#keywords[keyword]!(depth)] as const);
    const object: JsonObject = Object.fromEntries(entries);
    // Mostly the type that the keywords are about.
    if (object["type"] !== undefined && this.chance(60))
      object["type"] = TYPES_OF.get(likely[1] ?? "") ?? "string";
    return object;
  }

  readonly #count = (): number => this.below(4);

  /** By keyword, a value for it. */
  readonly #keywords: Readonly<Record<string, (depth: number) => JsonValue>> = {
    type: () =>
      this.chance(80)
        ? this.pick(TYPE_NAMES)
        : TYPE_NAMES.filter(() => this.chance(40))
            .concat("string")
            .filter((one, at, all) => all.indexOf(one) === at),
    description: () => this.text(),
    default: () => this.value(1),
    examples: () => this.several(2, () => this.value(1)),
    const: () => this.scalar(),
    enum: () =>
      this.chance(95)
        ? [this.scalar(), ...this.several(4, () => this.scalar())]
        : [{ a: 1 }, this.scalar()],
    maximum: () => this.number(),
    minimum: () => this.number(),
    exclusiveMaximum: () => this.number(),
    exclusiveMinimum: () => this.number(),
    multipleOf: () => this.pick([1, 2, 0.01, 1e3]),
    maxLength: this.#count,
    minLength: this.#count,
    maxItems: this.#count,
    minItems: this.#count,
    maxProperties: this.#count,
    minProperties: this.#count,
    pattern: () => this.pick(PATTERNS),
    format: () => this.pick(FORMATS),
    uniqueItems: () => this.chance(70),
    items: (depth) => this.schema(depth - 1),
    required: () => [...new Set(this.several(3, () => this.name()))],
    additionalProperties: (depth) => (this.chance(50) ? this.chance(20) : this.schema(depth - 1)),
    properties: (depth) =>
      Object.fromEntries(
        this.several(this.chance(15) ? 14 : 4, () => [this.name(), this.schema(depth - 1)]),
      ),
  };
}
