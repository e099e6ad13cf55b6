import { test } from "uvu";
import * as assert from "uvu/assert";
import { CHECKED_FORMATS } from "../../model/formats/format-checks.js";
import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import { DIALECT_URIS, TYPE_NAMES } from "../../model/json-schema.js";
import { PAYLOADS } from "../../testing/hostile-text.js";
import { randomNumbers } from "../../testing/random-numbers.js";
import { InstanceBuilder } from "../instances/instance-builder.js";
import { Places } from "../instances/places.js";
import { TYPICAL } from "../instances/wish.js";
import { compilePrepared, compileToSource } from "./compile-schema.js";
import { isPlain, isReadable, type PlainSchema } from "./plain-schema.js";
import { writePlainSection } from "./plain-section.js";
import { prepareSchema, type PreparedSchema } from "./prepare-schema.js";
import { readingValidator, type RunningValidator } from "./reading-validator.js";
import { writeSection } from "./write-section.js";

/** What is made of plain schemas without AJV is what is made of them with it. */

const SCHEMAS = 600;
const VALUES_EACH = 8;

const random = randomNumbers(11);
const chance = (percentage: number): boolean => random(100) < percentage;
function pick<Item>(items: readonly Item[]): Item {
  return items[random(items.length)]!;
}

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

const name = (): string => (chance(85) ? pick(NAMES) : pick(PAYLOADS));
const text = (): string => (chance(85) ? pick(TEXTS) : pick(PAYLOADS));
const number = (): number => pick([0, 1, 2, 3, -1, 1.5, 0.1, 1e21, 5e-7, -0]);
const scalar = (): JsonValue =>
  pick<() => JsonValue>([text, number, () => null, () => chance(50)])();
const count = (): number => random(4);

function several<Item>(most: number, make: () => Item): Item[] {
  return Array.from({ length: random(most + 1) }, make);
}

/** By keyword, a value for it. */
const KEYWORDS: Readonly<Record<string, (depth: number) => JsonValue>> = {
  type: () =>
    chance(80)
      ? pick(TYPE_NAMES)
      : TYPE_NAMES.filter(() => chance(40))
          .concat("string")
          .filter((one, at, all) => all.indexOf(one) === at),
  description: () => text(),
  const: () => pick<() => JsonValue>([text, number, () => chance(50), () => null])(),
  enum: () => (chance(95) ? [scalar(), ...several(4, scalar)] : [{ a: 1 }, scalar()]),
  maximum: number,
  minimum: number,
  exclusiveMaximum: number,
  exclusiveMinimum: number,
  multipleOf: () => pick([1, 2, 0.01, 1e3]),
  maxLength: count,
  minLength: count,
  maxItems: count,
  minItems: count,
  maxProperties: count,
  minProperties: count,
  pattern: () => pick(PATTERNS),
  format: () => pick(FORMATS),
  uniqueItems: () => chance(70),
  items: (depth) => schema(depth - 1),
  required: () => [...new Set(several(3, name))],
  additionalProperties: (depth) => (chance(50) ? chance(20) : schema(depth - 1)),
  properties: (depth) =>
    Object.fromEntries(several(chance(15) ? 14 : 4, () => [name(), schema(depth - 1)])),
};

/** Keywords of a type with a few that say nothing of it. */
function schema(depth: number): JsonSchema {
  if (chance(6)) return chance(85);
  const likely = pick([
    ["type", "minLength", "maxLength", "pattern", "format", "enum", "description"],
    ["type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"],
    ["type", "const", "enum", "description"],
    ["type", "minItems", "maxItems", "items", "uniqueItems"],
    ["type", "properties", "required", "additionalProperties", "minProperties", "maxProperties"],
    ["type", "properties", "required"],
    Object.keys(KEYWORDS),
  ]);
  const chosen = likely.filter((keyword) => {
    const isDeep = depth <= 0 && ["items", "properties", "additionalProperties"].includes(keyword);
    return !isDeep && chance(keyword === "type" ? 75 : 45);
  });
  const entries = chosen.map((keyword) => [keyword, KEYWORDS[keyword]!(depth)] as const);
  const object: JsonObject = Object.fromEntries(entries);
  // Mostly the type that the keywords are about.
  if (object["type"] !== undefined && chance(60))
    object["type"] = TYPES_OF.get(likely[1] ?? "") ?? "string";
  return object;
}

const TYPES_OF: ReadonlyMap<string, string> = new Map([
  ["minLength", "string"],
  ["minimum", "number"],
  ["minItems", "array"],
  ["properties", "object"],
]);

function plainSchemas(): PlainSchema[] {
  const found: PlainSchema[] = [];
  for (let index = 0; index < SCHEMAS; index += 1) {
    const made = schema(3);
    if (typeof made === "boolean") continue;
    const $schema = DIALECT_URIS[chance(70) ? "2020-12" : "draft-07"];
    const prepared = prepareSchema({ $schema, ...made }, CHECKED_FORMATS);
    if (isPlain(prepared)) found.push(prepared);
  }
  return found;
}

const SCHEMAS_TRIED = plainSchemas();

test("the code of plain schemas is what AJV's comes to", () => {
  assert.ok(SCHEMAS_TRIED.length > SCHEMAS / 2, `${SCHEMAS_TRIED.length}`);
  for (const [index, prepared] of SCHEMAS_TRIED.entries()) {
    for (const namesKeywordsOnly of [false, true]) {
      const exportName = `schema${index}Input`;
      const own = writePlainSection(exportName, prepared.schema, namesKeywordsOnly);
      const reading = { namesKeywordsOnly, hasUnions: prepared.hasUnions };
      const expected = writeSection(exportName, compileToSource(prepared), reading);
      assert.is(own.text, expected.text, JSON.stringify(prepared.schema));
      assert.equal([...own.pieces].sort(), [...expected.pieces].sort());
      assert.equal([...own.formats].sort(), [...expected.formats].sort());
    }
  }
});

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
    const $defs = { one: combined(1, ["#/$defs/two"]), two: schema(1) };
    const $schema = DIALECT_URIS[chance(70) ? "2020-12" : "draft-07"];
    const whole = { $schema, ...(typeof root === "boolean" ? { allOf: [root] } : root), $defs };
    return { ...prepareSchema(whole, CHECKED_FORMATS), whole };
  }).filter((prepared) => isReadable(prepared));
}

type ReadSchema = PreparedSchema & { readonly whole?: JsonObject };

function combined(depth: number, references: readonly string[]): JsonSchema {
  const made = schema(depth);
  const inner = (): JsonSchema =>
    depth === 0 || chance(40)
      ? pick<() => JsonSchema>([() => schema(0), () => ({ $ref: pick(references) }), () => false])()
      : combined(depth - 1, references);
  if (typeof made === "boolean") return inner();
  const keyword = pick(["allOf", "anyOf", "oneOf", "$ref", "properties", "items", "const"]);
  switch (keyword) {
    case "$ref":
      return { ...made, $ref: pick(references) };
    case "properties":
      return { ...made, properties: { [name()]: inner(), a: inner() } };
    case "items":
      return { ...made, items: inner() };
    case "const":
      return { ...made, enum: [[scalar(), [null]], scalar(), { a: scalar() }, { 1: [2], a: 1 }] };
    default:
      return { ...made, [keyword]: [inner(), ...several(3, inner)] };
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
    const bound = pick(["low", "high", "typical"] as const);
    const made = builder.build([root], {
      ...TYPICAL,
      bound,
      seed: random(3),
      alternative: random(3),
    });
    yield made === undefined || chance(20) ? anyValue(3) : spoilt(made);
  }
}

function spoilt(value: JsonValue): JsonValue {
  if (chance(15)) return anyValue(2);
  if (typeof value === "string") return chance(60) ? value : value + text();
  if (typeof value === "number") return chance(60) ? value : value + number();
  if (Array.isArray(value)) return [...value, ...(chance(40) ? value : [])].map(spoilt);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(() => chance(85));
  const further = several(2, () => [name(), anyValue(1)] as const).filter(() => chance(30));
  return Object.fromEntries([
    ...kept.map(([key, item]) => [key, spoilt(item)] as const),
    ...further,
  ]);
}

function anyValue(depth: number): JsonValue {
  if (depth === 0 || chance(60)) return scalar();
  if (chance(50)) return several(3, () => anyValue(depth - 1));
  return Object.fromEntries(several(3, () => [name(), anyValue(depth - 1)]));
}

test("what is not plain is left to AJV", () => {
  for (const schema of [
    { $ref: "#/$defs/a", $defs: { a: { type: "string" } } },
    { anyOf: [{ type: "string" }, { type: "null" }] },
    { type: "object", properties: { a: false } },
    { type: "object", properties: { ["__proto__"]: { type: "string" } } },
    { type: "object", patternProperties: { a: { type: "string" } } },
    { type: "array", prefixItems: [{ type: "string" }] },
    { enum: [{ a: 1 }] },
    { enum: Array.from({ length: 200 }, (_, index) => index) },
    { const: null },
    { not: { type: "string" } },
    {},
  ]) {
    assert.not.ok(isPlain(prepareSchema(schema, CHECKED_FORMATS)), JSON.stringify(schema));
  }
});

test.run();
