import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Validator } from "../../../templates/runtime/engine/definition.js";
import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import { importValidator, validatorCode } from "../../testing/emitted-validators.js";
import { compileValidator } from "./schema-compiler.js";

/** A schema's validators: of the generated module, and for this process. */
async function validatorsOf(schema: JsonSchema): Promise<[string, Validator][]> {
  return [
    ["emitted", await importValidator(schema)],
    ["in this process", compileValidator(schema)],
  ];
}

const operation = (name: string, ...more: JsonObject[]): JsonObject => ({
  type: "object",
  properties: { operand: { $ref: "#/$defs/node" }, operator: { const: name } },
  required: ["operator"],
  ...Object.assign({}, ...more),
});

function nested(depth: number, level: (inner: JsonValue) => JsonValue, innermost: JsonValue) {
  let value = innermost;
  for (let count = 0; count < depth; count++) value = level(value);
  return value;
}

/** As deep as a request may be; asked twice at each level, this takes longer than anyone waits. */
const DEPTH = 64;
const TOO_COSTLY = "is too deep or too costly to be checked";

const ALTERNATIVES: Readonly<Record<string, (all: JsonSchema[]) => JsonObject>> = {
  anyOf: (all) => ({ anyOf: all }),
  oneOf: (all) => ({ oneOf: all }),
  "not allOf not": (all) => ({ not: { allOf: all.map((one) => ({ not: one })) } }),
  "if else": ([first, second]) => ({ if: first!, else: second! }),
  "what is evaluated": (all) => ({ anyOf: all, unevaluatedProperties: false }),
};

for (const [name, combine] of Object.entries(ALTERNATIVES)) {
  test(`alternatives of a recursive schema are each asked once a value: ${name}`, async () => {
    const node = combine([operation("plus"), operation("minus")]);
    const schema = { $ref: "#/$defs/node", $defs: { node } };
    const tree = (operator: string) =>
      nested(DEPTH, (operand) => ({ operator, operand }), { operator: "minus" });
    for (const [kind, validate] of await validatorsOf(schema)) {
      assert.ok(validate(tree("plus")), kind);
      assert.ok(validate(tree("minus")), kind);
      assert.not.ok(validate(tree("times")), kind);
      const wrongInside = nested(DEPTH, (operand) => ({ operator: "minus", operand }), "x");
      assert.not.ok(validate(wrongInside), kind);
      assert.ok((validate.errors ?? []).every(({ message }) => message !== TOO_COSTLY));
    }
  });
}

test("an outcome is of one value, as it is now", async () => {
  const node = { anyOf: [operation("plus"), operation("minus")], unevaluatedProperties: false };
  const schema = {
    properties: { left: { $ref: "#/$defs/node" }, right: { $ref: "#/$defs/node" } },
    $defs: { node },
  };
  for (const [kind, validate] of await validatorsOf(schema)) {
    const inner = { operator: "plus", operand: { operator: "minus" } };
    assert.ok(validate({ left: inner, right: inner }), kind);
    inner.operand.operator = "times";
    assert.not.ok(validate({ left: inner, right: inner }), kind);
    inner.operand.operator = "minus";
    assert.ok(validate({ left: inner, right: inner }), kind);
    assert.not.ok(validate({ left: inner, right: { ...inner, other: 1 } }), kind);
  }
});

test("what takes too much effort is refused, wherever in the schema that is", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `d${index}`);
  const definitions = names.map((name, index): [string, JsonObject] => {
    const next = { $ref: `#/$defs/${names[(index + 1) % names.length]}` };
    const inPlace = index + 1 < names.length ? { allOf: [next] } : {};
    return [name, { properties: { self: { $ref: "#/$defs/d0" } }, ...inPlace }];
  });
  const $defs = Object.fromEntries(definitions);
  const each = { items: { $ref: "#/$defs/d0" } };
  const many = Array.from({ length: 50_000 }, () => ({ self: {} }));
  for (const schema of [each, { not: { not: each } }, { not: each }, { anyOf: [each, true] }]) {
    for (const [kind, validate] of await validatorsOf({ ...schema, $defs })) {
      assert.is(validate(many), false, kind);
      assert.equal(validate.errors, [{ instancePath: "", keyword: "cost", message: TOO_COSTLY }]);
      assert.is(validate(many.slice(0, 5)), !("not" in schema && "items" in schema.not), kind);
    }
  }
});

test("what the stack does not bear is refused", async () => {
  const names = Array.from({ length: 600 }, (_, index) => `d${index}`);
  const definitions = names.map((name, index): [string, JsonObject] => {
    const next = { $ref: `#/$defs/${names[index + 1]}` };
    const last = { properties: { self: { $ref: "#/$defs/d0" } } };
    return [name, index + 1 < names.length ? { minProperties: 0, ...next } : last];
  });
  const schema = { not: { not: { $ref: "#/$defs/d0" } }, $defs: Object.fromEntries(definitions) };
  for (const [kind, validate] of await validatorsOf(schema)) {
    assert.ok(validate({ self: {} }), kind);
    const deep = nested(DEPTH, (self) => ({ self }), {});
    assert.is(validate(deep), false, kind);
    assert.is(validate.errors?.[0]?.message, TOO_COSTLY);
    assert.ok(validate({ self: {} }), kind);
  }
});

test("a chain of references is no recursion at all", async () => {
  const chain = Array.from({ length: 9_000 }, (_, index): [string, JsonSchema] => [
    `d${index}`,
    index === 8_999 ? { type: "string" } : { $ref: `#/$defs/d${index + 1}`, title: "next" },
  ]);
  const schema = { $ref: "#/$defs/d0", $defs: Object.fromEntries(chain) };
  for (const [kind, validate] of await validatorsOf(schema)) {
    assert.ok(validate("x"), kind);
    assert.not.ok(validate(1), kind);
  }
});

test("schemas that do not lead back to themselves are checked without an account", () => {
  const schema = { items: { $ref: "#/$defs/a" }, $defs: { a: { type: "string" } } };
  const requests = [{ exportName: "testedInput", schema }];
  assert.not.match(validatorCode(requests), "startRun");
});

test.run();
