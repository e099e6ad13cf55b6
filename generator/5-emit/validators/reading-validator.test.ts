import { test } from "uvu";
import * as assert from "uvu/assert";
import { CHECKED_FORMATS } from "../../schema/formats/format-checks.js";
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { DIALECT_URIS } from "../../schema/json-schema.js";
import { RandomPlainSchemas } from "../../testing/random-plain-schemas.js";
import { InstanceBuilder } from "../../schema/instances/instance-builder.js";
import { Places } from "../../schema/instances/places.js";
import { TYPICAL } from "../../schema/instances/wish.js";
import { compilePrepared } from "./schema-compiler.js";
import { isReadable } from "./plain-schema.js";
import { prepareSchema, type PreparedSchema } from "./prepare-schema.js";
import { readingValidator, type RunningValidator } from "./reading-validator.js";

/** What is found by reading a schema is what AJV finds. */

const SCHEMAS = 200;
const VALUES_EACH = 8;

const random = new RandomPlainSchemas(11);

/** Schemas that combine no others. */
function plainSchemas(): PreparedSchema[] {
  return Array.from({ length: SCHEMAS }, () => {
    const made = random.schema(3);
    const $schema = DIALECT_URIS[random.chance(70) ? "2020-12" : "draft-07"];
    return prepareSchema({ $schema, ...(isJsonObject(made) && made) }, CHECKED_FORMATS);
  }).filter(isReadable);
}

const SCHEMAS_TRIED = plainSchemas();

test("what is found of values is what AJV finds", () => {
  const schemas = [...SCHEMAS_TRIED, ...readableSchemas()];
  assert.ok(schemas.length > SCHEMAS_TRIED.length * 1.5, `${schemas.length}`);
  let refused = 0;
  for (const prepared of schemas) {
    for (const purpose of prepared.hasUnions ? (["study", "use"] as const) : (["study"] as const)) {
      const own = readingValidator(prepared, purpose);
      const expected = compilePrepared(prepared, purpose);
      for (const value of valuesFor(prepared)) {
        if (!isComparable(prepared, value)) continue;
        const what = JSON.stringify([purpose, prepared.schema, [...prepared.targets], value]);
        const findings = findingsOf(own, value, purpose === "study");
        assert.equal(findings, findingsOf(expected, value, purpose === "study"), what);
        refused += findings.length;
      }
    }
  }
  assert.ok(refused > SCHEMAS, `${refused}`);
});

/** AJV throws where it compares objects that have a `toString` of their own, which only those that are not plain do. */
function isComparable({ whole }: ReadSchema, value: JsonValue): boolean {
  return whole === undefined || !JSON.stringify(value).includes('"toString":');
}

/** With unions and references; the schemas that these lead to stand under `$defs`. */
function readableSchemas(): ReadSchema[] {
  return Array.from({ length: SCHEMAS }, () => {
    const root = combined(2, ["#/$defs/one", "#/$defs/two"]);
    const $defs = { one: combined(1, ["#/$defs/two"]), two: random.schema(1) };
    const $schema = DIALECT_URIS[random.chance(70) ? "2020-12" : "draft-07"];
    const whole = { $schema, ...(typeof root === "boolean" ? { allOf: [root] } : root), $defs };
    return { ...prepareSchema(whole, CHECKED_FORMATS), whole };
  }).filter((prepared) => isReadable(prepared));
}

type ReadSchema = PreparedSchema & { readonly whole?: JsonObject };

function combined(depth: number, references: readonly string[]): JsonSchema {
  const made = random.schema(depth);
  const inner = (): JsonSchema =>
    depth === 0 || random.chance(40)
      ? random.pick<() => JsonSchema>([
          () => random.schema(0),
          () => ({ $ref: random.pick(references) }),
          () => false,
        ])()
      : combined(depth - 1, references);
  if (typeof made === "boolean") return inner();
  const keyword = random.pick(["allOf", "anyOf", "oneOf", "$ref", "properties", "items", "const"]);
  switch (keyword) {
    case "$ref":
      return { ...made, $ref: random.pick(references) };
    case "properties":
      return { ...made, properties: { [random.name()]: inner(), a: inner() } };
    case "items":
      return { ...made, items: inner() };
    case "const":
      return {
        ...made,
        enum: [
          [random.scalar(), [null]],
          random.scalar(),
          { a: random.scalar() },
          { 1: [2], a: 1 },
        ],
      };
    default:
      return { ...made, [keyword]: [inner(), ...random.several(3, inner)] };
  }
}

function findingsOf(
  validate: RunningValidator,
  value: JsonValue,
  isStudy: boolean,
): readonly object[] {
  const isValid = validate(value);
  const findings = validate.errors ?? [];
  assert.is(isValid, findings.length === 0);
  return findings.map(({ instancePath, keyword, params, message, parentSchema }) => {
    const isRead = ["const", "enum", "additionalProperties", "oneOf"].includes(keyword);
    const said = isRead ? (params ?? {}) : {};
    const from = isStudy ? parentSchema : undefined;
    return { instancePath, keyword, params: said, message: message ?? "", from };
  });
}

/** Values that the schema accepts, spoilt a little, and any others. */
function* valuesFor({ schema: prepared, whole, dialect }: ReadSchema): Generator<JsonValue> {
  const root = whole ?? prepared;
  const builder = new InstanceBuilder(new Places(root, dialect));
  for (let round = 0; round < VALUES_EACH; round += 1) {
    const bound = random.pick(["low", "high", "typical"] as const);
    const made = builder.build([root], {
      ...TYPICAL,
      bound,
      seed: random.below(3),
      alternative: random.below(3),
    });
    yield made === undefined || random.chance(20) ? random.value(3) : spoilt(made);
  }
}

function spoilt(value: JsonValue): JsonValue {
  if (random.chance(15)) return random.value(2);
  if (typeof value === "string") return random.chance(60) ? value : value + random.text();
  if (typeof value === "number") return random.chance(60) ? value : value + random.number();
  if (Array.isArray(value)) return [...value, ...(random.chance(40) ? value : [])].map(spoilt);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(() => random.chance(85));
  const further = random
    .several(2, () => [random.name(), random.value(1)] as const)
    .filter(() => random.chance(30));
  return Object.fromEntries([
    ...kept.map(([key, item]) => [key, spoilt(item)] as const),
    ...further,
  ]);
}

test.run();
