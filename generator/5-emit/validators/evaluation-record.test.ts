import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../model/json.js";
import { importValidator } from "../../testing/harness/projects/emitted-validators.js";

const OPEN = { patternProperties: { "^a": true } };

test("unevaluatedProperties works beside a reference that fails, or that evaluates no or all properties", async () => {
  const targets: JsonObject[] = [
    { properties: { c: true }, unevaluatedProperties: false },
    { properties: { c: { $ref: "#/$defs/two" } }, unevaluatedProperties: false },
    { type: "string" },
    { anyOf: [{ type: "string" }, { required: ["b"] }] },
    { additionalProperties: true },
  ];
  for (const two of targets) {
    const schema = { ...OPEN, $ref: "#/$defs/two", unevaluatedProperties: false, $defs: { two } };
    const validate = await importValidator(schema);
    const isRefused = two["additionalProperties"] !== true;
    assert.is(validate({ a: 1, b: 2 }), !isRefused, JSON.stringify(two));
  }
});

test("a validator remembers no evaluated properties between values", async () => {
  const reference = { $ref: "#/$defs/two" };
  const schema = {
    properties: {
      open: { ...reference, ...OPEN },
      closed: { ...reference, unevaluatedProperties: false },
    },
    items: {
      dependentSchemas: { c: { patternProperties: { "^b": true } } },
      unevaluatedProperties: false,
      properties: { c: true },
    },
    $defs: { two: { properties: { c: true } } },
  };
  const validate = await importValidator(schema);
  assert.ok(validate({ open: { a: 1 } }));
  assert.not.ok(validate({ closed: { a: 1 } }));
  assert.ok(validate([{ c: 1, b: 1 }]));
  assert.not.ok(validate([{ c: 1, b: 1 }, { b: 1 }]));
});

test("properties in an alternative that failed do not count as evaluated", async () => {
  const schema = {
    anyOf: [
      { ...OPEN, required: ["z"] },
      { properties: { b: true }, required: ["b"] },
    ],
    unevaluatedProperties: false,
  };
  const validate = await importValidator(schema);
  assert.ok(validate({ b: 1 }));
  assert.not.ok(validate({ a: 1, b: 1 }));
});

test("unevaluatedProperties works for properties named like members of Object.prototype", async () => {
  const value: unknown = JSON.parse('{"__proto__":"x","toString":"y"}');
  const rest = { properties: { toString: true }, unevaluatedProperties: false };
  const scored = { patternProperties: { _: { type: "string" } } };
  const schemas: [JsonObject, boolean][] = [
    [{ ...scored, ...rest }, true],
    [{ anyOf: [scored, true], ...rest }, true],
    [{ $ref: "#/$defs/a", ...rest, $defs: { a: scored } }, true],
    [{ ...scored, unevaluatedProperties: false }, false],
    [rest, false],
  ];
  for (const [schema, accepts] of schemas) {
    assert.is((await importValidator(schema))(value), accepts, JSON.stringify(schema));
  }
});

test.run();
