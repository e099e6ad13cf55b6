import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../../model/json.js";
import { walkSchema } from "../../../schema/subschemas.js";
import { randomNumbers } from "../runner/random-numbers.js";
import { RandomSchemas } from "./random-schemas.js";

/** Two schemas, of which the second is the first after a few edits such as people make. */
export interface SchemaPair {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Pairs of small schemas and values that often fit them; the same for the same seed. */
export class RandomSchemaPairs {
  readonly #schemas: RandomSchemas;
  readonly #below: (limit: number) => number;

  constructor(seed: number) {
    this.#schemas = new RandomSchemas(seed);
    this.#below = randomNumbers(seed);
  }

  pair(): SchemaPair {
    const before = this.#pick([() => this.#schemas.schema(), () => this.#plainSchema()])();
    for (let count = this.#below(3); count > 0; count -= 1) this.#edit(before);
    const after = structuredClone(before);
    for (let count = 1 + this.#below(2); count > 0; count -= 1) this.#edit(after);
    return { before, after };
  }

  value(): JsonValue {
    const value = this.#schemas.value();
    return this.#below(2) === 0 && isJsonObject(value) ? { ...value, ...this.#members() } : value;
  }

  #members(): JsonObject {
    return Object.fromEntries(
      NAMES.filter(() => this.#below(3) > 0).map((name) => [name, this.#scalar()]),
    );
  }

  /** An object of scalars, as most tools' inputs are. */
  #plainSchema(): JsonObject {
    const properties = NAMES.filter(() => this.#below(3) > 0).map((name): [string, JsonObject] => [
      name,
      { type: this.#pick(["string", "integer", "number", ["string", "null"], "boolean"]) },
    ]);
    const required = properties.map(([name]) => name).filter(() => this.#below(3) === 0);
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      required,
      ...(this.#below(2) === 0 && { additionalProperties: false }),
      $defs: { one: { type: "string", maxLength: 2 } },
    };
  }

  /** Changes one keyword somewhere in a schema. */
  #edit(root: JsonObject): void {
    const places = [...walkSchema(root)].map(([, schema]) => schema).filter(isJsonObject);
    const place = this.#pick(places);
    const names = Object.keys(place).filter((name) => name !== "$defs" && name !== "type");
    const isRemoval = this.#below(3) === 0 && names.length > 0;
    if (isRemoval) delete place[this.#pick(names)];
    else Object.assign(place, this.#addition(place));
  }

  #addition(place: JsonObject): JsonObject {
    const additions = place["type"] === "object" ? OBJECT_ADDITIONS : ADDITIONS;
    return this.#pick(additions)(this.#scalar(), this.#leaf());
  }

  #leaf(): JsonSchema {
    return this.#pick<() => JsonSchema>([
      () => true,
      () => false,
      () => ({ type: this.#pick(["string", "integer", "number", "null", "boolean"]) }),
      () => ({ type: "integer", minimum: this.#below(3), maximum: 2 + this.#below(3) }),
      () => ({ type: "string", maxLength: this.#below(4) }),
      () => ({ enum: [this.#scalar(), this.#scalar()] }),
      () => ({ $ref: "#/$defs/one" }),
    ])();
  }

  #scalar(): JsonValue {
    return this.#pick<JsonValue>([
      null,
      true,
      false,
      0,
      1,
      2,
      3,
      1.5,
      "",
      "x",
      "y",
      "abc",
      "2020-01-01",
    ]);
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item;
  }
}

const NAMES = ["a", "b", "c", "d"];

type Addition = (scalar: JsonValue, leaf: JsonSchema) => JsonObject;

const numberOf = (scalar: JsonValue): number => (typeof scalar === "number" ? scalar : 2);
const countOf = (scalar: JsonValue): number => Math.floor(numberOf(scalar));

const OBJECT_ADDITIONS: readonly Addition[] = [
  () => ({ required: ["a"] }),
  () => ({ required: ["b", "c"] }),
  () => ({ additionalProperties: false }),
  (_, leaf) => ({ additionalProperties: leaf }),
  (_, leaf) => ({ properties: { a: leaf, d: true } }),
  (_, leaf) => ({ patternProperties: { "^[ab]$": leaf } }),
  () => ({ propertyNames: { maxLength: 1 } }),
  () => ({ propertyNames: { enum: ["a", "b"] } }),
  (scalar) => ({ minProperties: countOf(scalar) }),
  (scalar) => ({ maxProperties: countOf(scalar) }),
  () => ({ dependentRequired: { a: ["b"] } }),
  (_, leaf) => ({ dependentSchemas: { a: { properties: { b: leaf } } } }),
  (_, leaf) => ({ anyOf: [{ required: ["a"] }, { properties: { b: leaf } }] }),
  (_, leaf) => ({ if: { required: ["a"] }, then: { properties: { b: leaf } } }),
  (_, leaf) => ({ unevaluatedProperties: leaf }),
];

const ADDITIONS: readonly Addition[] = [
  ...OBJECT_ADDITIONS,
  () => ({ type: "integer" }),
  () => ({ type: ["string", "null"] }),
  () => ({ type: ["integer", "string", "object"] }),
  (scalar) => ({ const: scalar }),
  (scalar) => ({ const: { a: scalar } }),
  (scalar) => ({ const: [scalar, 1] }),
  (scalar) => ({ enum: [scalar, "x", 1] }),
  (scalar) => ({ minimum: numberOf(scalar) }),
  (scalar) => ({ maximum: numberOf(scalar) }),
  (scalar) => ({ exclusiveMinimum: numberOf(scalar) - 1 }),
  (scalar) => ({ exclusiveMaximum: numberOf(scalar) }),
  (scalar) => ({ multipleOf: numberOf(scalar) || 0.5 }),
  (scalar) => ({ minLength: countOf(scalar) }),
  (scalar) => ({ maxLength: countOf(scalar) }),
  () => ({ pattern: "^[a-z]*$" }),
  () => ({ pattern: "b" }),
  () => ({ format: "date" }),
  () => ({ uniqueItems: true }),
  (_, leaf) => ({ items: leaf }),
  (_, leaf) => ({ prefixItems: [leaf] }),
  (_, leaf) => ({ contains: leaf }),
  (_, leaf) => ({ unevaluatedItems: leaf }),
  (_, leaf) => ({ allOf: [leaf] }),
  (_, leaf) => ({ anyOf: [leaf, { type: "null" }] }),
  (_, leaf) => ({ oneOf: [leaf, { type: "string" }] }),
  (_, leaf) => ({ not: leaf }),
  () => ({ title: "T", description: "D", default: 1, "x-order": 1 }),
];
