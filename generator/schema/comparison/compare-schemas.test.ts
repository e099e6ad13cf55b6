import { test } from "uvu";
import * as assert from "uvu/assert";
import { makeInstances } from "../instances/make-instances.js";
import { accepts } from "../interpret.js";
import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import { dialectOf } from "../json-schema.js";
import {
  RandomSchemaPairs,
  type SchemaPair,
} from "../../testing/harness/random/random-schema-pairs.js";
import { shortOrLong } from "../../testing/harness/runner/test-length.js";
import { SchemaComparison } from "./compare-schemas.js";
import { SameSchemas } from "./same-schema.js";
import { answerOf, type Answer, type Finding } from "./finding.js";
import { rootNode, type SchemaNode } from "./schema-node.js";

function nodeOf(root: JsonSchema): SchemaNode {
  return rootNode({ root, dialect: dialectOf(root), shared: () => undefined, at: [], name: [] });
}

function findings(narrow: JsonSchema, wide: JsonSchema): Finding[] {
  return new SchemaComparison().compare([nodeOf(narrow)], nodeOf(wide));
}

/** Whether `wide` accepts all values that `narrow` accepts. */
const isWithin = (narrow: JsonSchema, wide: JsonSchema): Answer => answerOf(findings(narrow, wide));

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});
const draft07 = { $schema: "http://json-schema.org/draft-07/schema#" };
const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } } };

/** Narrow and wide schemas, whether the narrow one is within the wide one, and the reverse. */
const CASES: readonly (readonly [string, JsonSchema, JsonSchema, Answer, Answer])[] = [
  ["equal", { type: "string" }, { type: "string" }, "compatible", "compatible"],
  [
    "annotations",
    object({ a: { type: "string", title: "A", description: "x", default: "y", examples: ["z"] } }),
    object({ a: { type: "string", "x-order": 2, $comment: "c", deprecated: true } }),
    "compatible",
    "compatible",
  ],
  ["types", { type: "integer" }, { type: ["number", "null"] }, "compatible", "incompatible"],
  ["values", { enum: [1, "a"] }, { enum: ["a", 1, null] }, "compatible", "incompatible"],
  ["values by type", { enum: [1, 2] }, { type: "integer", maximum: 2 }, "compatible", "unknown"],
  [
    "a constant",
    { const: { a: [1] } },
    object({ a: { items: { type: "integer" } } }),
    "compatible",
    "unknown",
  ],
  [
    "whole numbers",
    { type: "integer", exclusiveMinimum: 0 },
    { type: "integer", minimum: 1 },
    "compatible",
    "compatible",
  ],
  [
    "bounds",
    { type: "number", minimum: 1, maximum: 3 },
    { exclusiveMinimum: 0 },
    "compatible",
    "incompatible",
  ],
  [
    "multiples",
    { type: "integer", multipleOf: 6 },
    { multipleOf: 3 },
    "compatible",
    "incompatible",
  ],
  [
    "lengths",
    { type: "string", maxLength: 3 },
    { type: "string", maxLength: 4 },
    "compatible",
    "incompatible",
  ],
  [
    "a pattern",
    { type: "string", pattern: "^a+$" },
    { type: "string" },
    "compatible",
    "incompatible",
  ],
  [
    "two patterns",
    { type: "string", pattern: "^a+$" },
    { type: "string", pattern: "^[ab]+$" },
    "unknown",
    "unknown",
  ],
  [
    "a slow pattern",
    { type: "string" },
    { type: "string", pattern: "^(a+)+$" },
    "unknown",
    "compatible",
  ],
  [
    "a format",
    { type: "string", format: "date" },
    { type: "string" },
    "compatible",
    "incompatible",
  ],
  [
    "a format that is a note",
    { type: "string" },
    { type: "string", format: "money" },
    "compatible",
    "compatible",
  ],
  [
    "required",
    object({ a: {} }, { required: ["a"] }),
    object({ a: {} }),
    "compatible",
    "incompatible",
  ],
  ["closed", object({}, { additionalProperties: false }), object({}), "compatible", "incompatible"],
  [
    "a dropped property",
    object({}, { additionalProperties: false }),
    object({ a: { type: "string" } }, { additionalProperties: false }),
    "compatible",
    "incompatible",
  ],
  [
    "names of other objects' members",
    object({ constructor: { type: "string" } }),
    object({ toString: true }),
    "compatible",
    "incompatible",
  ],
  [
    "a map",
    object({}, { additionalProperties: { type: "integer" } }),
    object({ a: { type: "number" } }),
    "compatible",
    "incompatible",
  ],
  [
    "names by pattern",
    object({ ab: { type: "string" } }, { additionalProperties: false }),
    { type: "object", patternProperties: { "^a": { type: "string" } } },
    "compatible",
    "incompatible",
  ],
  [
    "items",
    { type: "array", items: { type: "integer" }, maxItems: 3 },
    { items: { type: "number" } },
    "compatible",
    "incompatible",
  ],
  [
    "a tuple",
    { type: "array", prefixItems: [{ type: "string" }], items: false },
    { type: "array", items: { type: "string" } },
    "compatible",
    "incompatible",
  ],
  [
    "a tuple of draft-07",
    { ...draft07, items: [{ type: "string" }], additionalItems: false },
    { ...draft07, items: { type: "string" } },
    "compatible",
    "incompatible",
  ],
  [
    "siblings of draft-07 references",
    { ...draft07, $ref: "#/definitions/a", type: "null", definitions: { a: { type: "string" } } },
    { ...draft07, type: "string" },
    "compatible",
    "compatible",
  ],
  [
    "a nullable",
    { type: ["string", "null"], maxLength: 3 },
    { anyOf: [{ type: "string" }, { type: "null" }] },
    "compatible",
    "incompatible",
  ],
  [
    "alternatives one by one",
    { oneOf: [{ type: "string" }, { type: "null" }] },
    { type: ["string", "null"] },
    "compatible",
    "compatible",
  ],
  [
    "tagged alternatives",
    { oneOf: [tagged("a"), tagged("b")] },
    { oneOf: [tagged("a"), tagged("b"), tagged("c")] },
    "compatible",
    "incompatible",
  ],
  [
    "allOf and references",
    { allOf: [{ $ref: "#/$defs/a" }, { maxLength: 3 }], $defs: { a: { type: "string" } } },
    { type: "string", maxLength: 3 },
    "compatible",
    "compatible",
  ],
  [
    "recursion",
    { $ref: "#/$defs/node", $defs: { node } },
    { $ref: "#/$defs/node", $defs: { node: { ...node, title: "Node" } } },
    "compatible",
    "compatible",
  ],
  [
    "deeper recursion",
    { $ref: "#/$defs/node", $defs: { node: { ...node, additionalProperties: false } } },
    { $ref: "#/$defs/node", $defs: { node } },
    "compatible",
    "incompatible",
  ],
  [
    "recursion at one place",
    { type: "string" },
    { $ref: "#/$defs/a", $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }, { type: "null" }] } } },
    "unknown",
    "incompatible",
  ],
  ["a reference to nothing", {}, { $ref: "#/$defs/none" }, "unknown", "compatible"],
  [
    "the same condition",
    { if: { type: "string" }, then: { minLength: 1 } },
    { if: { type: "string", title: "T" }, then: { minLength: 1 } },
    "compatible",
    "compatible",
  ],
  [
    "another condition",
    { if: { type: "string" }, then: { minLength: 1 } },
    { if: { type: "string" }, then: { minLength: 2 } },
    "unknown",
    "unknown",
  ],
  ["not", { type: "string" }, { not: { type: "null" } }, "compatible", "unknown"],
  ["nothing at all", false, { type: "string" }, "compatible", "incompatible"],
];

function tagged(tag: string): JsonObject {
  return object({ kind: { const: tag } }, { required: ["kind"] });
}

for (const [name, narrow, wide, forth, back] of CASES) {
  test(name, () => {
    assert.is(isWithin(narrow, wide), forth, JSON.stringify(findings(narrow, wide)));
    assert.is(isWithin(wide, narrow), back, JSON.stringify(findings(wide, narrow)));
  });
}

test("schemas that could take exponential time are compared quickly", () => {
  const deep = (leaf: JsonSchema): JsonObject => ({
    $defs: Object.fromEntries([
      ...Array.from({ length: 40 }, (_, level) => [
        `d${level}`,
        object({ a: { $ref: `#/$defs/d${level + 1}` }, b: { $ref: `#/$defs/d${level + 1}` } }),
      ]),
      ["d40", leaf],
    ]) as JsonObject,
    $ref: "#/$defs/d0",
  });
  const narrow = deep({ type: "string", maxLength: 1 });
  assert.is(isWithin(narrow, deep({ type: "string" })), "compatible", "each pair once");
  const many = (last: string): JsonObject => ({
    anyOf: Array.from({ length: 300 }, (_, index) => object({ [`p${index}`]: { const: last } })),
  });
  assert.is(isWithin(many("a"), many("b")), "unknown");
});

/** For a run with more or other pairs, set PAIRS=100000 SEED=1. */
const PAIRS = Number(process.env["PAIRS"] ?? shortOrLong(120, 10_000));
const SEED = Number(process.env["SEED"] ?? 20_261_121);
/** Random values tried on a pair. Instances are made only for each sixteenth pair, since making them is slow. */
const RANDOM_VALUES = 30;
const WITH_INSTANCES = 16;
/** Values are tried only on each n-th pair. TRY_EVERY=1 tries all. */
const TRY_EVERY = Number(process.env["TRY_EVERY"] ?? 4);

test("no value is refused by a schema that is `compatible` with one that accepts it", () => {
  const random = new RandomSchemaPairs(SEED);
  const counts: Record<Answer, number> = { compatible: 0, incompatible: 0, unknown: 0 };
  let compatiblePairs = 0;
  let values = 0;
  for (let count = 0; count < PAIRS; count += 1) {
    const pair = random.pair();
    const pairFindings = findings(pair.before, pair.after);
    const answer = answerOf(pairFindings);
    counts[answer] += 1;
    if (answer !== "compatible" || isTrivial(pair)) continue;
    compatiblePairs += 1;
    if (compatiblePairs % TRY_EVERY !== 0) continue;
    const tried = Array.from({ length: RANDOM_VALUES }, () => random.value());
    if (compatiblePairs % WITH_INSTANCES === 0) tried.push(...instancesFor(pair));
    values += tried.length;
    assert.equal(contradictions(pair, tried), [], JSON.stringify(pair));
  }
  const share = (answer: Answer): string =>
    `${((100 * counts[answer]) / PAIRS).toFixed(1)} % ${answer}`;
  console.log(
    `${PAIRS} pairs: ${share("compatible")}, ${share("incompatible")}, ${share("unknown")}; ` +
      `${values} values tried on one in ${TRY_EVERY} of the ${compatiblePairs} compatible ones that differ`,
  );
});

/** True if the schemas differ in annotations only. */
function isTrivial({ before, after }: SchemaPair): boolean {
  const ids = new Map<JsonObject, number>();
  const idOf = (schema: JsonObject): number => {
    if (!ids.has(schema)) ids.set(schema, ids.size);
    return ids.get(schema) ?? 0;
  };
  return new SameSchemas(idOf).areSame(nodeOf(before), nodeOf(after));
}

function instancesFor({ before, after }: SchemaPair): JsonValue[] {
  return unlessFailing([], () => {
    const wide = makeInstances(after);
    const breaking = wide.breaking.map(({ value }) => value);
    return [...makeInstances(before).valid, ...wide.valid, ...breaking];
  });
}

/** The values that the first schema accepts and the second refuses. */
function contradictions({ before, after }: SchemaPair, values: readonly JsonValue[]): JsonValue[] {
  return values.filter((value) =>
    unlessFailing(false, () => accepts(before, value) && !accepts(after, value)),
  );
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
