import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import {
  importValidator,
  validatorCode,
} from "../../testing/harness/projects/emitted-validators.js";

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
  test(`each alternative of a recursive schema is checked once for each value: ${name}`, async () => {
    const node = combine([operation("plus"), operation("minus")]);
    const schema = { $ref: "#/$defs/node", $defs: { node } };
    const tree = (operator: string) =>
      nested(DEPTH, (operand) => ({ operator, operand }), { operator: "minus" });
    const validate = await importValidator(schema);
    assert.ok(validate(tree("plus")));
    assert.ok(validate(tree("minus")));
    assert.not.ok(validate(tree("times")));
    const wrongInside = nested(DEPTH, (operand) => ({ operator: "minus", operand }), "x");
    assert.not.ok(validate(wrongInside));
    assert.ok((validate.errors ?? []).every(({ message }) => message !== TOO_COSTLY));
  });
}

test("the cached result of an alternative is used only for the same unchanged value", async () => {
  const node = { anyOf: [operation("plus"), operation("minus")], unevaluatedProperties: false };
  const schema = {
    properties: { left: { $ref: "#/$defs/node" }, right: { $ref: "#/$defs/node" } },
    $defs: { node },
  };
  const validate = await importValidator(schema);
  const inner = { operator: "plus", operand: { operator: "minus" } };
  assert.ok(validate({ left: inner, right: inner }));
  inner.operand.operator = "times";
  assert.not.ok(validate({ left: inner, right: inner }));
  inner.operand.operator = "minus";
  assert.ok(validate({ left: inner, right: inner }));
  assert.not.ok(validate({ left: inner, right: { ...inner, other: 1 } }));
});

test("a value that takes too many steps to check is refused, also within not and anyOf", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `d${index}`);
  const definitions = names.map((name, index): [string, JsonObject] => {
    const next = { $ref: `#/$defs/${names[(index + 1) % names.length]}` };
    const inPlace = index + 1 < names.length ? { allOf: [next] } : {};
    return [name, { properties: { self: { $ref: "#/$defs/d0" } }, ...inPlace }];
  });
  const $defs = Object.fromEntries(definitions);
  const each = { items: { $ref: "#/$defs/d0" } };
  const many = Array.from({ length: 50_000 }, () => ({ self: {} }));
  for (const schema of [
    each,
    { not: { not: each } },
    { not: each },
    { anyOf: [each, { minItems: 1 }] },
  ]) {
    const validate = await importValidator({ ...schema, $defs });
    assert.is(validate(many), false);
    assert.equal(validate.errors, [{ instancePath: "", keyword: "cost", message: TOO_COSTLY }]);
    assert.is(validate(many.slice(0, 5)), !("not" in schema && "items" in schema.not));
  }
});

test("a value whose check would overflow the stack is refused", async () => {
  const names = Array.from({ length: 600 }, (_, index) => `d${index}`);
  const definitions = names.map((name, index): [string, JsonObject] => {
    const next = { $ref: `#/$defs/${names[index + 1]}` };
    const last = { properties: { self: { $ref: "#/$defs/d0" } } };
    return [name, index + 1 < names.length ? { minProperties: 0, ...next } : last];
  });
  const schema = { not: { not: { $ref: "#/$defs/d0" } }, $defs: Object.fromEntries(definitions) };
  const validate = await importValidator(schema);
  assert.ok(validate({ self: {} }));
  const deep = nested(DEPTH, (self) => ({ self }), {});
  assert.is(validate(deep), false);
  assert.is(validate.errors?.[0]?.message, TOO_COSTLY);
  assert.ok(validate({ self: {} }));
});

test("a long chain of references without a cycle is not limited", async () => {
  const chain = Array.from({ length: 9_000 }, (_, index): [string, JsonSchema] => [
    `d${index}`,
    index === 8_999 ? { type: "string" } : { $ref: `#/$defs/d${index + 1}`, title: "next" },
  ]);
  const schema = { $ref: "#/$defs/d0", $defs: Object.fromEntries(chain) };
  const validate = await importValidator(schema);
  assert.ok(validate("x"));
  assert.not.ok(validate(1));
});

test("validators of schemas without recursion count no steps", () => {
  const schema = { items: { $ref: "#/$defs/a" }, $defs: { a: { type: "string" } } };
  const requests = [{ exportName: "testedInput", schema }];
  assert.not.match(validatorCode(requests), "startRun");
});

test("the texts that one validation matches with slow patterns are limited", async () => {
  const texts = (pattern: string): JsonObject => ({
    type: "array",
    items: { type: "string", maxLength: 2000, pattern },
  });
  const many = (count: number, length: number) =>
    Array.from({ length: count }, () => `${"a".repeat(length - 1)}b`);
  const validate = await importValidator(texts("^a*a*b$"));
  const nested = await importValidator({ anyOf: [{ type: "null" }, texts("^a*a*b$")] });
  for (const check of [validate, nested]) {
    assert.ok(check(many(50, 2000)));
    assert.ok(check(many(50, 2000)), "each validation has a limit of its own");
    assert.ok(check(many(200_000, 30)), "short texts take less");
    assert.not.ok(check(many(51, 2000)));
    assert.equal(check.errors, [{ instancePath: "", keyword: "cost", message: TOO_COSTLY }]);
    assert.not.ok(check(many(51, 2001)), "maxLength is checked first");
    assert.ok((check.errors ?? []).every(({ message }) => message !== TOO_COSTLY));
  }
  const quick = await importValidator(texts("^a*b$"));
  assert.ok(quick(many(1000, 2000)));
});

test.run();
