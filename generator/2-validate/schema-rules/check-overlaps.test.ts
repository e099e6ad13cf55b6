import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { checkSchemas } from "./check-schemas.js";

/** The values that are reported to fit two alternatives. */
function overlaps(schema: string, shared = ""): string[] {
  const yaml = `schemas: {${shared}}\ntools: [{name: a, description: x, outputSchema: ${schema}}]`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(yaml));
  if (manifest === undefined) throw new Error("not YAML");
  return checkSchemas(manifest).map(({ code, message }) => {
    assert.is(code, "MW3308", message);
    return /such as (.*), which fits the (.*)$/.exec(message)?.slice(1).join(": ") ?? message;
  });
}

test("a simple value that fits two alternatives of oneOf is reported", () => {
  for (const [schema, value] of [
    ["{oneOf: [{type: integer}, {type: number}]}", "1: 1st and the 2nd"],
    ['{oneOf: [{type: string}, {type: "null"}, {enum: [low, high]}]}', '"low": 1st and the 3rd'],
    [
      "{oneOf: [{type: string, format: date}, {type: string, format: date-time}, {type: string}]}",
      '"2026-01-15": 1st and the 3rd',
    ],
    [
      "{oneOf: [{type: object, properties: {city: {type: string}}}, {type: object, properties: {zone: {type: string}}}]}",
      "{}: 1st and the 2nd",
    ],
    [
      "{items: {oneOf: [{type: object, properties: {id: {type: integer}}, required: [id]}, {type: object}]}}",
      '{"id":1}: 1st and the 2nd',
    ],
    [
      "{oneOf: [{type: array, items: {type: integer}}, {type: array, items: {type: number}}]}",
      "[1]: 1st and the 2nd",
    ],
  ] as const) {
    assert.equal(overlaps(schema), [value], schema);
  }
  assert.equal(
    overlaps(
      '{oneOf: [{$ref: "#/schemas/Id"}, {type: integer}]}',
      "Id: {type: integer, minimum: 5}",
    ),
    ["5: 1st and the 2nd"],
  );
});

test("alternatives that exclude each other, and intended overlaps, are not reported", () => {
  for (const schema of [
    "{oneOf: [{type: string}, {type: number}, {type: object}]}",
    "{oneOf: [{type: object, properties: {kind: {const: a}}, required: [kind]}, {type: object, properties: {kind: {const: b}}, required: [kind]}]}",
    "{type: object, properties: {a: {}, b: {}}, oneOf: [{required: [a]}, {required: [b]}]}",
    "{anyOf: [{type: integer}, {type: number}]}",
    "{type: string, oneOf: [{type: integer}, {type: number}, {type: string}]}",
    "{oneOf: [{type: integer, maximum: 0}, {type: integer, minimum: 1}]}",
  ]) {
    assert.equal(overlaps(schema), [], schema);
  }
});

test.run();
