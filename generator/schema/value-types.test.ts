import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonSchema } from "../model/json.js";
import { asShared, isShared } from "../model/shared-objects.js";
import { withValueTypes } from "./value-types.js";

const CASES: readonly (readonly [schema: JsonObject, type: string | string[]])[] = [
  [{ enum: ["a", "b"] }, "string"],
  [{ const: 1 }, "integer"],
  [{ const: 1.5 }, "number"],
  [{ enum: [1, 1.5] }, "number"],
  [{ enum: ["a", null] }, ["string", "null"]],
  [{ enum: [true, 1, "a"] }, ["boolean", "integer", "string"]],
  [{ const: null }, "null"],
  [{ const: { a: 1 } }, "object"],
  [{ enum: [[1], [2]] }, "array"],
  [{ const: "a", enum: ["a", 1] }, "string"],
  [{ enum: ["a"], description: "One." }, "string"],
];

/** Schemas with another one inside of them. */
const AROUND: readonly ((inner: JsonSchema) => JsonObject)[] = [
  (inner) => ({ type: "object", properties: { enum: inner } }),
  (inner) => ({ type: "array", items: inner }),
  (inner) => ({ anyOf: [inner, { type: "string" }] }),
  (inner) => ({ not: inner }),
  (inner) => ({ $defs: { A: { allOf: [inner] } }, $ref: "#/$defs/A" }),
];

test("values that are listed without a type get it, at every depth", () => {
  for (const [schema, type] of CASES) {
    const typed = { type, ...schema };
    assert.equal(withValueTypes(schema), typed);
    for (const around of AROUND) assert.equal(withValueTypes(around(schema)), around(typed));
  }
});

test("a schema that has a type, or lists no values, stays the same object", () => {
  for (const schema of [
    true,
    {},
    { type: "string", enum: ["a"] },
    { type: ["string", "null"], const: "a" },
    { enum: [] },
    { type: "object", properties: { const: { type: "string" }, enum: { type: "array" } } },
    { type: "object", default: { enum: [1] }, examples: [{ const: 1 }] },
  ]) {
    assert.is(withValueTypes(schema), schema);
  }
});

test("an object that stands in many documents gets its types once, as one object for all of them", () => {
  const shared = asShared({ properties: { kind: { enum: ["a"] } } });
  const [one, other] = [{ $defs: { shared } }, { items: { $defs: { shared } } }].map(
    (schema) => withValueTypes(schema) as JsonObject,
  );
  const typed = (one?.["$defs"] as JsonObject)["shared"] as JsonObject;
  assert.equal(typed, { properties: { kind: { type: "string", enum: ["a"] } } });
  assert.is(((other?.["items"] as JsonObject)["$defs"] as JsonObject)["shared"], typed);
  assert.ok(isShared(typed));
});

test.run();
