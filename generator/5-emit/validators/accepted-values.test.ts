import { test } from "uvu";
import * as assert from "uvu/assert";
import { importValidator } from "../../testing/harness/projects/emitted-validators.js";

test("a lone surrogate counts as a character", async () => {
  const validate = await importValidator({ enum: ["\ud800"], maxLength: 1, pattern: "\ud800" });
  assert.ok(validate("\ud800"));
  assert.not.ok(validate("\ud800\udc00"));
});

test("lengths of texts are counted in characters, not in UTF-16 units", async () => {
  const texts = Array.from(
    { length: 36 },
    (_, index) => "🙂".repeat(index % 6) + "a".repeat(index / 6),
  );
  for (const bound of [0, 1, 2, 3, 4]) {
    const atMost = await importValidator({ type: "string", maxLength: bound });
    const atLeast = await importValidator({ type: "string", minLength: bound });
    for (const text of texts) {
      const { length } = [...text];
      assert.is(atMost(text), length <= bound, `${text} has ${length}, at most ${bound}`);
      assert.is(atLeast(text), length >= bound, `${text} has ${length}, at least ${bound}`);
    }
  }
});

test("uniqueItems takes linear time and compares values as JSON", async () => {
  const validate = await importValidator({ uniqueItems: true });
  const many = 50_000;
  const items = Array.from({ length: many }, (_, index) => ({ index, name: "x" }));
  assert.ok(validate(items));
  assert.not.ok(validate([...items, { name: "x", index: 7 }]));
  assert.is(
    validate.errors?.[0]?.message,
    `must NOT have duplicate items (items ## 7 and ${many} are identical)`,
  );
  assert.ok(validate([1, "1", true, null, [1], ["1"], { a: 1 }, { b: 1 }]));
  assert.not.ok(validate([0, -0]));
});

test("members that are named like methods are compared, not called", async () => {
  const second = { toString: 2 };
  const choices = [{ toString: 1 }, second, [{ valueOf: null }]];
  const schema = { if: { const: second }, then: { maxProperties: 1 }, enum: choices };
  const validate = await importValidator(schema);
  for (const choice of choices) assert.is(validate(structuredClone(choice)), true);
  assert.is(validate({ toString: 3 }), false);
  assert.is(validate([{ valueOf: 1 }]), false);
  assert.is(validate({}), false);
});

test("a pattern is not run on a text that exceeds maxLength", async () => {
  const validate = await importValidator({ type: "string", pattern: "^b$", maxLength: 3 });
  const messages = (value: string): (string | undefined)[] => {
    validate(value);
    return (validate.errors ?? []).map(({ message }) => message);
  };
  for (const text of ["aaaaaaa", "aaaa", "🙂🙂🙂🙂"]) {
    assert.equal(messages(text), ["must NOT have more than 3 characters"]);
  }
  assert.equal(messages("🙂🙂🙂"), ['must match pattern "^b$"']);
  assert.equal(messages("b"), []);
});

test("properties of Object.prototype do not count as properties of a value", async () => {
  const validate = await importValidator({
    required: ["constructor"],
    properties: { toString: { type: "number" }, valueOf: false },
    dependentRequired: { hasOwnProperty: ["x"] },
  });
  assert.not.ok(validate({}));
  assert.ok(validate({ constructor: 1 }));
  assert.not.ok(validate({ constructor: 1, toString: "x" }));
  const closed = await importValidator({
    anyOf: [{ properties: { a: true } }],
    unevaluatedProperties: false,
  });
  assert.ok(closed({ a: 1 }));
  assert.not.ok(closed({ toString: 1 }));
});

test("a list that is shorter than its tuple is checked against the other keywords, too", async () => {
  const schema = { prefixItems: [{ type: "string" }], contains: { const: 1 } };
  const negated = await importValidator({ not: schema });
  assert.ok(negated([]));
  assert.not.ok(negated(["x", 1]));
  const chosen = await importValidator({ if: schema, then: false });
  assert.ok(chosen([]));
  assert.not.ok(chosen(["x", 1]));
});

test("a validator never changes the value", async () => {
  const schema = {
    properties: { a: { type: "integer", default: 1 } },
    additionalProperties: false,
  };
  const validate = await importValidator(schema);
  for (const value of [{}, { a: "1" }, { b: 1 }]) {
    validate(Object.freeze(value));
  }
  assert.ok(validate({}));
});

test("propertyNames may refer to a schema at any depth", async () => {
  const schema = {
    propertyNames: { $ref: "#/$defs/short" },
    properties: { in: { propertyNames: { anyOf: [{ $ref: "#/$defs/short" }, false] } } },
    $defs: { short: { maxLength: 2, propertyNames: { $ref: "#/$defs/short" } } },
  };
  const validate = await importValidator(schema);
  assert.ok(validate({ in: { ab: 1 }, "": 2 }));
  assert.not.ok(validate({ in: { abc: 1 } }));
  assert.not.ok(validate({ in: { ab: 1 }, abc: 1 }));
  assert.equal(validate.errors, [
    { instancePath: "", message: "must NOT have more than 2 characters" },
    {
      instancePath: "",
      keyword: "propertyNames",
      params: { propertyName: "abc" },
      message: "property name must be valid",
    },
  ]);
});

test("multipleOf is computed in decimal", async () => {
  const cents = await importValidator({ multipleOf: 0.01 });
  for (const value of [19.99, 0.07, 1e21, 0, -4.35]) assert.ok(cents(value), String(value));
  for (const value of [19.999, 1e-7, 0.015]) assert.not.ok(cents(value), String(value));
  const tiny = await importValidator({ multipleOf: 1e-300 });
  assert.ok(tiny(1e300));
  assert.not.ok(tiny(1.5e-300));
});

test("keywords that only AJV knows have no effect", async () => {
  const validate = await importValidator({
    type: "string",
    nullable: true,
    $async: true,
    format: "no-such-format",
    discriminator: { propertyName: "kind" },
  });
  assert.ok(validate("x"));
  assert.not.ok(validate(null));
});

test("schemas of draft-07 are read by the rules of draft-07", async () => {
  const validate = await importValidator({
    $schema: "http://json-schema.org/draft-07/schema#",
    properties: {
      tuple: { items: [{ type: "string" }], additionalItems: { type: "number" } },
      reference: { $ref: "#/definitions/text", maxLength: 1 },
    },
    dependencies: { tuple: ["reference"], other: { required: ["tuple"] } },
    definitions: { text: { type: "string" } },
  });
  assert.ok(validate({ tuple: ["a", 1], reference: "long" }));
  assert.not.ok(validate({ tuple: ["a", "b"], reference: "long" }));
  assert.not.ok(validate({ tuple: [] }));
  assert.not.ok(validate({ other: 1 }));
});

test.run();
