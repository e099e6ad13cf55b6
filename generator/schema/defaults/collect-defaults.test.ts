import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonSchema } from "../../model/json.js";
import { collectDefaults } from "./collect-defaults.js";
import type { Defaults } from "./defaults.js";

const cases: readonly [name: string, schema: JsonSchema, expected: Defaults | undefined][] = [
  ["no defaults", { type: "object", properties: { a: { type: "string" } } }, undefined],
  ["a boolean schema", true, undefined],
  ["the root cannot be missing", { default: {} }, undefined],
  [
    "properties and items",
    {
      properties: {
        days: { default: 3 },
        stops: { items: { properties: { wait: { default: null } } } },
      },
    },
    {
      properties: {
        days: { value: 3 },
        stops: { items: { properties: { wait: { value: null } } } },
      },
    },
  ],
  [
    "through references; the nearer default wins",
    {
      properties: { a: { $ref: "#/$defs/n" }, b: { $ref: "#/$defs/n", default: 2 } },
      $defs: { n: { default: 1 } },
    },
    { properties: { a: { value: 1 }, b: { value: 2 } } },
  ],
  [
    "through allOf, not through alternatives",
    {
      allOf: [{ properties: { a: { default: 1 } } }, { properties: { a: { default: 2 } } }],
      anyOf: [{ properties: { b: { default: 1 } } }],
      if: { properties: { c: { default: 1 } } },
      not: { properties: { d: { default: 1 } } },
    },
    { properties: { a: { value: 1 } } },
  ],
  [
    "defaults inside a default value are applied to it",
    {
      properties: {
        page: { default: { size: 5 }, properties: { size: { default: 10 }, from: { default: 0 } } },
      },
    },
    {
      properties: {
        page: {
          value: { size: 5, from: 0 },
          properties: { size: { value: 10 }, from: { value: 0 } },
        },
      },
    },
  ],
  [
    "a recursive schema has no defaults within itself",
    { properties: { n: { default: 1 }, child: { $ref: "#" } } },
    { properties: { n: { value: 1 } } },
  ],
  [
    "a list of items has no defaults",
    { properties: { a: { items: [{ properties: { b: { default: 1 } } }] } } },
    undefined,
  ],
  [
    "draft-07 ignores keywords beside a reference",
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { a: { $ref: "#/definitions/n", default: 2 } },
      definitions: { n: { default: 1 } },
    },
    { properties: { a: { value: 1 } } },
  ],
];

for (const [name, schema, expected] of cases) {
  test(name, () => assert.equal(collectDefaults(schema), expected));
}

test("a property may have any name", () => {
  const schema = JSON.parse('{ "properties": { "__proto__": { "default": 1 } } }') as JsonSchema;
  const properties = collectDefaults(schema)?.properties ?? {};
  assert.equal(Object.entries(properties), [["__proto__", { value: 1 }]]);
});

test("references to shared schemas of the manifest are followed", () => {
  const schema: JsonSchema = { properties: { a: { $ref: "#/schemas/N" } } };
  const defaults = collectDefaults(schema, (name) => (name === "N" ? { default: 1 } : undefined));
  assert.equal(defaults, { properties: { a: { value: 1 } } });
});

test("the number of followed references is limited", () => {
  const $defs: Record<string, JsonSchema> = { d0: { properties: { x: { default: 1 } } } };
  for (let index = 1; index < 60; index++) {
    const below = { $ref: `#/$defs/d${index - 1}` };
    $defs[`d${index}`] = { properties: { a: below, b: below, x: { default: 1 } } };
  }
  const defaults = collectDefaults({ $ref: "#/$defs/d59", $defs });
  assert.ok(JSON.stringify(defaults).length < 100_000);
});

test.run();
