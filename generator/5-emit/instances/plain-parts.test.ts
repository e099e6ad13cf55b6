import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonSchema } from "../../model/json.js";
import { TOOL_KINDS } from "../../testing/bench-compiler/bench-tools.js";
import { RandomPlainSchemas } from "../../testing/random-plain-schemas.js";
import { RandomSchemas } from "../../testing/random-schemas.js";
import { makeInstances, type Instances } from "./make-instances.js";
import { PlainParts } from "./plain-parts.js";

/** What is made of schemas of which parts are known to be plain is what is made of them without knowing it. */

class NothingPlain extends PlainParts {
  override heightOf(): undefined {
    return undefined;
  }
}

class CountedParts extends PlainParts {
  found = 0;

  override heightOf(schema: JsonObject): number | undefined {
    const height = super.heightOf(schema);
    if (height !== undefined) this.found += 1;
    return height;
  }
}

const WITH_PARAMS = ["enum", "const", "additionalProperties", "unevaluatedProperties"];

/** The instances with what is read of their findings: AJV says more. */
function readOf(instances: Instances): object {
  const breaking = instances.breaking.map(({ finding, ...instance }) => {
    const { instancePath, keyword, message, params } = finding;
    const read = WITH_PARAMS.includes(keyword) ? params : {};
    return { ...instance, instancePath, keyword, message, params: read };
  });
  return { ...instances, breaking };
}

/** Compares both ways; how much of a schema was found to be plain. */
function compare(schema: JsonSchema): number {
  const parts = new CountedParts();
  const own = readOf(makeInstances(schema, { plainParts: parts }));
  const expected = readOf(makeInstances(schema, { plainParts: new NothingPlain() }));
  // In JSON as the tests of projects hold it: with the order of names, and without `-0`.
  const text = JSON.stringify(own);
  if (text !== JSON.stringify(expected)) {
    assert.equal(own, expected, JSON.stringify(schema));
    assert.unreachable(`the order of names differs: ${JSON.stringify(schema)}`);
  }
  return parts.found;
}

function objectOf(random: RandomPlainSchemas): JsonObject {
  const entries = random.several(5, () => [random.name(), random.schema(3)] as const);
  const properties = Object.fromEntries(entries);
  return {
    type: "object",
    properties,
    required: Object.keys(properties).filter(() => random.chance(40)),
    ...(random.chance(20) && { additionalProperties: random.chance(30) || random.schema(1) }),
    ...(random.chance(10) && { $schema: "http://json-schema.org/draft-07/schema#" }),
  };
}

test("random schemas, most of them plain", () => {
  const random = new RandomPlainSchemas(5);
  let plain = 0;
  for (let round = 0; round < 300; round += 1) plain += compare(objectOf(random)) > 0 ? 1 : 0;
  for (let round = 0; round < 200; round += 1) compare(random.schema(3));
  assert.ok(plain > 250, `${plain} with plain parts`);
});

/** What is not plain, beside, around and within what is. */
test("plain parts of other schemas", () => {
  const random = new RandomPlainSchemas(6);
  const others: ((inner: () => JsonSchema) => JsonObject)[] = [
    (inner) => ({ anyOf: [inner(), inner()] }),
    (inner) => ({ oneOf: [inner(), { type: "null" }] }),
    (inner) => ({ allOf: [inner()] }),
    (inner) => ({ not: inner() }),
    (inner) => ({ patternProperties: { "^[ab]": inner() } }),
    (inner) => ({ prefixItems: [inner()], items: inner() }),
    (inner) => ({ contains: inner() }),
    (inner) => ({ $ref: "#/$defs/shared", description: "shared", title: String(inner()) }),
    () => ({ propertyNames: { pattern: "^[a-z]+$" } }),
    () => ({ dependentRequired: { a: ["1"] } }),
    () => ({ dependencies: { a: ["errors"] } }),
    () => ({ unevaluatedProperties: false }),
  ];
  for (let round = 0; round < 80; round += 1) {
    const inner = (): JsonSchema => random.schema(1);
    const odd = { ...random.pick(others)(inner), ...(random.chance(30) && objectOf(random)) };
    const root = objectOf(random);
    const properties = { ...(root["properties"] as JsonObject), odd };
    const $defs = { shared: random.schema(1) };
    compare(
      random.chance(80) ? { ...root, properties, $defs } : { ...root, ...odd, properties, $defs },
    );
  }
});

test("schemas that combine at random", () => {
  const random = new RandomSchemas(3);
  for (let round = 0; round < 10; round += 1) {
    compare(random.schema());
    compare(random.evaluating());
  }
});

test("schemas of tools", () => {
  let plain = 0;
  for (const { inputSchema, outputSchema } of TOOL_KINDS.different.tools(60)) {
    plain += compare(inputSchema) + (outputSchema === undefined ? 0 : compare(outputSchema));
  }
  assert.ok(plain > 1_000, `${plain}`);
});

function nested(depth: number): JsonObject {
  if (depth === 0) return { type: "string", maxLength: 3 };
  return {
    type: "object",
    properties: { a: nested(depth - 1), b: { type: "integer", maximum: 3 } },
  };
}

function wide(depth: number, width: number): JsonObject {
  if (depth === 0) return { type: "string", maxLength: 3 };
  const names = Array.from({ length: width }, (_, index) => `k${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, wide(depth - 1, width)]));
  return { type: "object", properties, required: ["k1"] };
}

function lists(depth: number, size: number): JsonObject {
  if (depth === 0) return { type: "integer", minimum: 2 };
  return { type: "array", items: lists(depth - 1, size), minItems: size, maxItems: size + 4 };
}

/** Where what is made has bounds: of depth, of size, of what has been written. */
test("large, deep and written values", () => {
  const point: JsonObject = {
    type: "object",
    properties: { x: { type: "integer", minimum: 1 }, y: { type: "string", maxLength: 3 } },
    required: ["x"],
  };
  const schemas: JsonObject[] = [
    ...[10, 11, 12, 13, 20].map(nested),
    ...(
      [
        [2, 32],
        [3, 10],
        [4, 5],
        [5, 4],
      ] as const
    ).map(([depth, width]) => wide(depth, width)),
    ...(
      [
        [3, 1],
        [2, 40],
        [2, 60],
      ] as const
    ).map(([depth, size]) => ({
      type: "object",
      properties: { list: lists(depth, size), more: lists(2, 30), last: { type: "string" } },
      required: ["more"],
    })),
    { type: "object", default: { a: "1" }, properties: { a: { type: "string" }, b: point } },
    { type: "object", examples: [{ c: { x: 5 } }], properties: { c: point } },
    { type: "object", properties: { long: { type: "string", default: "y".repeat(5_000) }, point } },
    { type: "object", properties: { list: { type: "array", uniqueItems: true, items: point } } },
    {
      type: "object",
      properties: { long: { type: "string", default: "y".repeat(5_000) }, point },
      required: ["long"],
    },
    // Without its keyword, the schema would refuse through a reference to it.
    {
      type: "object",
      properties: {
        short: { type: "string", maxLength: 3 },
        long: { type: "string", minLength: 4, not: { $ref: "#/properties/short" } },
      },
      required: ["long"],
    },
    // What a reference leads to comes after what stands beside it.
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      $ref: "#/definitions/whole",
      definitions: {
        whole: {
          type: "object",
          properties: { name: { type: "string" }, point },
          required: ["name"],
        },
      },
    },
    // One schema in several places, as an alias makes it.
    {
      type: "object",
      properties: { one: point, two: point, all: { type: "array", items: point } },
    },
    { type: "object", properties: { one: point }, additionalProperties: point, minProperties: 3 },
  ];
  for (const schema of schemas) compare(schema);
});

test.run();
