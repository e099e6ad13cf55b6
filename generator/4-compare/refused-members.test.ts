import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonValue } from "../model/json.js";
import { refusedMembers } from "./refused-members.js";

const closed = (properties: JsonObject): JsonObject => ({
  type: "object",
  properties,
  additionalProperties: false,
});

function refused(former: JsonValue, present: JsonValue, schemas: JsonObject = {}): string[] {
  const manifest = { schemas };
  return [...refusedMembers({ manifest, schema: former }, { manifest, schema: present })];
}

test("a member that is gone is refused by a closed object, at any level and behind references", () => {
  const [both, one] = [closed({ a: {}, b: {} }), closed({ a: {} })];
  assert.equal(refused(both, one), ["b"]);
  assert.equal(refused({ type: "array", items: both }, { type: "array", items: one }), ["b"]);
  assert.equal(
    refused(closed({ x: both }), closed({ x: { $ref: "#/schemas/One" } }), { One: one }),
    ["b"],
  );
  assert.equal(refused(both, { type: "object", unevaluatedProperties: false }), ["a", "b"]);
});

test("an open object, one with patterns, and another schema refuse no member", () => {
  const both = closed({ a: {}, b: {} });
  assert.equal(refused(both, { type: "object", properties: { a: {} } }), []);
  assert.equal(refused(both, { ...closed({ a: {} }), patternProperties: { "^b": {} } }), []);
  assert.equal(refused(both, both), []);
  assert.equal(refused(undefinedSchema, both), []);
  const loop = closed({ self: { $ref: "#/schemas/Loop" }, b: {} });
  assert.equal(refused(loop, loop, { Loop: loop }), []);
});

const undefinedSchema = { $ref: "#/schemas/Missing" };

test.run();
