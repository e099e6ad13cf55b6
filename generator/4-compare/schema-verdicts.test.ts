import { test } from "uvu";
import * as assert from "uvu/assert";
import { edgesOf, type SchemaPlace } from "../schema/schema-graph.js";
import { canonicalManifest } from "../3-normalize/canonical.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { makeInstances } from "../schema/instances/make-instances.js";
import { accepts } from "../schema/interpret.js";
import { walkSchema } from "../schema/subschemas.js";
import { randomNumbers } from "../testing/harness/runner/random-numbers.js";
import {
  RandomSchemaPairs,
  type SchemaPair,
} from "../testing/harness/random/random-schema-pairs.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";
import { widened } from "../testing/harness/random/wider-schemas.js";
import { compareManifests } from "./compare.js";

type Role = "inputSchema" | "outputSchema";

/** The changes of a tool whose schema changes. */
function changesOf({ before, after }: SchemaPair, role: Role): SemanticChange[] {
  const [former, present] = [before, after].map((schema) =>
    canonicalManifest({
      name: "demo",
      version: "1.0.0",
      tools: [{ name: "a", description: "Does it.", [role]: schema }],
    }),
  );
  return compareManifests(former!, present!);
}

const isBreaking = (pair: SchemaPair, role: Role): boolean =>
  changesOf(pair, role).some(({ severity }) => severity === "breaking");

const base: JsonObject = {
  type: "object",
  properties: {
    a: { type: "string" },
    b: { type: ["integer", "null"] },
    c: { enum: ["x", "y"] },
    d: { type: "object", properties: { e: { type: "number" } } },
  },
};

/** What may stand beside a change without hiding that it breaks callers. */
const BESIDE: readonly JsonObject[] = [
  { minProperties: 2 },
  { maxProperties: 3 },
  { minProperties: 1, additionalProperties: false },
  { propertyNames: { pattern: "^[a-z]+$" } },
  { dependentRequired: { a: ["b"] } },
  { dependentSchemas: { c: { required: ["b"] } } },
  { unevaluatedProperties: false },
  { patternProperties: { "^x-": { type: "string" } } },
  { not: { required: ["a", "d"] } },
  { if: { required: ["d"] }, then: { required: ["b"] } },
  { anyOf: [{ required: ["a"] }, { required: ["b"] }, { required: ["c"] }] },
  { oneOf: [{ required: ["a"] }, { required: ["b", "c"] }] },
  { allOf: [{ minProperties: 1 }] },
  {
    $ref: "#/$defs/more",
    $defs: { more: { minProperties: 1, properties: { f: { type: "array" } } } },
  },
  {
    $schema: "http://json-schema.org/draft-07/schema#",
    dependencies: { a: ["b"] },
    minProperties: 1,
  },
];

/** Plain changes, each of which refuses what was accepted. */
const NARROWED: readonly (readonly [string, JsonObject])[] = [
  ["a property newly required", { required: ["d"] }],
  [
    "a type narrowed",
    { properties: { ...(base["properties"] as JsonObject), b: { type: "integer" } } },
  ],
  [
    "an enum narrowed",
    { properties: { ...(base["properties"] as JsonObject), c: { enum: ["x"] } } },
  ],
  [
    "an enum that is new",
    { properties: { ...(base["properties"] as JsonObject), a: { enum: ["s", "t"] } } },
  ],
  [
    "a type narrowed further in",
    {
      properties: {
        ...(base["properties"] as JsonObject),
        d: { type: "object", properties: { e: { type: "integer" } } },
      },
    },
  ],
];

for (const [name, change] of NARROWED) {
  test(`${name} is breaking, whatever stands beside it`, () => {
    for (const beside of BESIDE) {
      const before = { ...base, ...beside };
      const after = { ...before, ...change };
      assert.ok(
        isBreaking({ before, after }, "inputSchema"),
        `input beside ${JSON.stringify(beside)}`,
      );
      const results = { before: after, after: before };
      assert.ok(isBreaking(results, "outputSchema"), `output beside ${JSON.stringify(beside)}`);
      assert.not(isBreaking(results, "inputSchema"), `taken back beside ${JSON.stringify(beside)}`);
    }
  });
}

test("a change that is proven by a value alone is reported with the value", () => {
  const schema = (name: string): JsonObject => ({ ...base, not: { required: [name] } });
  const changes = changesOf({ before: schema("a"), after: schema("b") }, "inputSchema");
  assert.equal(
    changes.map(({ rule, path, message }) => `${rule} ${path}: ${message}`)[0],
    'input-values-refused tools.a.inputSchema.not: no longer accepted: values such as {"b":0}',
  );
});

const PAIRS = Number(process.env["PAIRS"] ?? shortOrLong(30, 10_000));
const SEED = Number(process.env["SEED"] ?? 20_261_128);
/** Random values for each pair, besides those that are made for its schemas. */
const RANDOM_VALUES = 60;

test("a schema that refuses what was accepted is never compatible, nor its change less than breaking", () => {
  const random = new RandomSchemaPairs(SEED);
  let refusing = 0;
  for (let count = 0; count < PAIRS; count += 1) {
    const { before, after } = pairOf(random);
    const described = newlyDescribed(before, after);
    const values = [
      ...Array.from({ length: RANDOM_VALUES }, () => random.value()),
      ...unlessFailing([], () => instancesOf(before, after)),
    ].filter((value) => !hasMember(value, described));
    const refused = (value: JsonValue): boolean =>
      unlessFailing(false, () => accepts(before, value) && !accepts(after, value));
    const [asInput, asOutput] = [values.filter(isJsonObject).find(refused), values.find(refused)];
    if (asOutput === undefined) continue;
    refusing += 1;
    const words = (value: JsonValue | undefined): string =>
      JSON.stringify({ before, after, value });
    if (asInput !== undefined) {
      assert.ok(isBreaking({ before, after }, "inputSchema"), words(asInput));
    }
    assert.ok(isBreaking({ before: after, after: before }, "outputSchema"), words(asOutput));
  }
  console.log(`${PAIRS} pairs: ${refusing} refuse a value that was accepted, and all are breaking`);
  assert.ok(refusing > PAIRS / 30, "hardly any pair breaks anything");
});

test("a schema that was made to accept more is never a breaking change", () => {
  const random = new RandomSchemaPairs(SEED + 1);
  const below = randomNumbers(SEED);
  let different = 0;
  for (let count = 0; count < PAIRS; count += 1) {
    const { narrow, wide } = widened(pairOf(random).after, below);
    if (JSON.stringify(narrow) !== JSON.stringify(wide)) different += 1;
    const words = JSON.stringify({ narrow, wide });
    assert.not(isBreaking({ before: narrow, after: wide }, "inputSchema"), words);
    // An output that promises more is as harmless as an input that takes more, if it still describes every property.
    const promising = changesOf({ before: wide, after: narrow }, "outputSchema");
    const breaking = promising.filter(({ severity }) => severity === "breaking");
    assert.ok(
      breaking.every(({ rule }) => rule === "output-property-removed"),
      words,
    );
  }
  console.log(`${PAIRS} pairs: ${different} differ, and none is breaking`);
  assert.ok(different > PAIRS / 2, "hardly any schema was widened");
});

/** A pair without schemas that apply themselves to the same value, which no manifest may have. */
function pairOf(random: RandomSchemaPairs): SchemaPair {
  for (;;) {
    const pair = random.pair();
    if (![pair.before, pair.after].some(appliesItself)) return pair;
  }
}

function appliesItself(root: JsonObject): boolean {
  const places = walkSchema(root).flatMap(([path, schema]) =>
    isJsonObject(schema) ? [{ schema, root, path }] : [],
  );
  const isOnCircle = (start: SchemaPlace): boolean => {
    const reached = new Set<JsonObject>();
    const waiting = [start];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      for (const { to, samePlace } of edgesOf(place, () => undefined)) {
        if (!samePlace || reached.has(to.schema)) continue;
        reached.add(to.schema);
        waiting.push(to);
      }
    }
    return reached.has(start.schema);
  };
  return places.some(isOnCircle);
}

/** The names of properties that only the new schema describes: who gave them before did so at their own risk. */
function newlyDescribed(before: JsonObject, after: JsonObject): ReadonlySet<string> {
  const former = new Map(walkSchema(before).map(([path, schema]) => [path.join("\0"), schema]));
  const names = walkSchema(after).flatMap(([path, schema]) => {
    const known = namesOf(former.get(path.join("\0")));
    return namesOf(schema).filter((name) => !known.includes(name));
  });
  return new Set(names);
}

function namesOf(schema: JsonValue | undefined): string[] {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

function hasMember(value: JsonValue, names: ReadonlySet<string>): boolean {
  if (typeof value !== "object" || value === null) return false;
  const isNamed = !Array.isArray(value) && Object.keys(value).some((name) => names.has(name));
  return isNamed || Object.values(value).some((member) => hasMember(member, names));
}

function instancesOf(before: JsonObject, after: JsonObject): JsonValue[] {
  const { valid, breaking } = makeInstances(after);
  return [...makeInstances(before).valid, ...valid, ...breaking.map(({ value }) => value)];
}

/** The result of `attempt`; `otherwise` for random schemas that refer to themselves and cannot be interpreted. */
function unlessFailing<Result>(otherwise: Result, attempt: () => Result): Result {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return otherwise;
    throw error;
  }
}

test.run();
