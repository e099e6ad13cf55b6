import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonSchema } from "../../model/json.js";
import {
  importValidator as emitted,
  importValidators,
  validatorCode,
} from "../../testing/emitted-validators.js";
import { RandomSchemas } from "../../testing/random-schemas.js";
import { ValidatorEmitter } from "./emit-validators.js";
import { sharedModules } from "./shared-modules.js";

const CITY = { type: "string", minLength: 1, pattern: "^[^/]+$" };
const FORECAST: JsonObject = {
  type: "object",
  description: "A forecast",
  properties: { city: CITY, days: { type: "integer", multipleOf: 0.5 }, mail: { format: "email" } },
  required: ["city", "toString"],
};

test("a module imports nothing but what validators share, and compiles nothing", () => {
  const place = { header: "// header", shared: "../shared" };
  const javascript = new ValidatorEmitter().module(
    [{ exportName: "input", schema: FORECAST }],
    place,
  );
  assert.not.match(javascript, /\brequire\(|import\(|\beval\b|new Function|use strict|sourceURL/);
  assert.ok(javascript.startsWith("// header\n\nimport { addIssue, conclude, "));
  const imports = [...javascript.matchAll(/^import .* from "(.*)";$/gm)].map(([, from]) => from);
  assert.equal(imports, ["../shared/checks.js", "../shared/formats.js", "../shared/values.js"]);
  assert.match(javascript, 'import { formatEmail } from "../shared/formats.js";');
  assert.not.match(javascript, "A forecast");
});

test("a project gets every module that its validators import", () => {
  const random = new RandomSchemas(7, false);
  const used = new Set<string>();
  for (let count = 0; count < 300; count += 1) {
    const schema = { ...random.schema(), anyOf: [random.evaluating(), { format: "date" }] };
    const code = validatorCode([{ exportName: "input", schema }]);
    const copied = sharedModules([code]).map(({ name }) => name);
    for (const [, module = ""] of code.matchAll(/from ".*\/([\w-]+)\.js";$/gm)) {
      assert.ok(copied.includes(module), `${module} for ${JSON.stringify(schema)}`);
      used.add(module);
    }
  }
  assert.ok(used.size >= 4, [...used].join());
});

test("the code of a module does not depend on what was compiled before it", () => {
  const emitter = new ValidatorEmitter();
  const place = { header: "// header", shared: "../shared" };
  const codeOf = (schema: JsonSchema): string =>
    emitter.module([{ exportName: "input", schema }], place);
  const first = codeOf(FORECAST);
  for (let most = 0; most < 50; most += 1) codeOf({ ...FORECAST, maxProperties: most });
  assert.is(codeOf({ ...FORECAST, title: "Other", "x-order": 1 }), first);
});

test("schemas that refer to different ones are told apart", async () => {
  const referring = (type: string) => ({ $ref: "#/$defs/a", $defs: { a: { type } } });
  const requests = [
    { exportName: "firstInput", schema: referring("string") },
    { exportName: "secondInput", schema: referring("number") },
  ];
  const { firstInput, secondInput } = await importValidators(requests);
  assert.ok(firstInput!("text") && secondInput!(1));
  assert.not.ok(firstInput!(1) || secondInput!("text"));
});

test("a long chain of references is no deep recursion", async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `d${index}`);
  const definitions = names.map((name, index) => {
    const next = { $ref: `#/$defs/${names[(index + 1) % names.length]}` };
    return [name, { type: "object", properties: { next } }];
  });
  const schema = { $ref: "#/$defs/d0", $defs: Object.fromEntries(definitions) };
  const validate = await emitted(schema);
  assert.ok(validate({ next: { next: {} } }));
  assert.not.ok(validate({ next: { next: 1 } }));
});

const HOSTILE_STRINGS = [
  '"];globalThis.pwned=1;//',
  "*/globalThis.pwned=1;/*",
  "${globalThis.pwned=1}",
  "`+(globalThis.pwned=1)+`",
  "\u2028globalThis.pwned=1//",
  "\nglobalThis.pwned=1\n",
  "\\",
  '\\";globalThis.pwned=1;"',
  "/;globalThis.pwned=1;/",
  "'+(globalThis.pwned=1)+'",
  "</script><!--",
  "schema0.properties",
  "vErrors = null;\nerrors++;",
  '{instancePath,schemaPath:"#",keyword:"x"}',
  "func0.call(schema0.enum, key0)",
  "{instancePath:1,parentData:2,parentDataProperty:3,rootData}",
  "{instancePath,parentData,parentDataProperty,rootData}",
  '{instancePath:"+globalThis.pwned++,parentData:',
  "constructor",
  "\u202e\ufeff\u200b",
];

/** A schema with a string wherever a schema can hold one. */
function schemaAround(text: string): JsonObject {
  const inner: JsonObject = { const: text, title: text, [`x-${text}`]: text };
  const pattern = text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return {
    description: text,
    type: "object",
    properties: { [text]: { enum: [text, { [text]: text }] }, ref: { $ref: "#here" } },
    patternProperties: { [pattern]: { not: { type: "string", pattern: `${pattern}x` } } },
    propertyNames: { pattern: `${pattern}|^ref$` },
    required: [text],
    dependentRequired: { [text]: [text, "ref"] },
    dependentSchemas: { [text]: { properties: { [text]: { format: text } } } },
    additionalProperties: false,
    $defs: { [text]: { $anchor: "here", anyOf: [inner, { const: { [text]: 1 } }] } },
  };
}

test("no string of a schema becomes code", async () => {
  const requests = HOSTILE_STRINGS.map((text, index) => ({
    exportName: `hostile${index}Input`,
    schema: schemaAround(text),
  }));
  const javascript = validatorCode(requests);
  const hidden =
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufeff\ud800-\udfff]/;
  assert.not.match(javascript, hidden);
  const validators = await importValidators(requests);
  for (const [index, text] of HOSTILE_STRINGS.entries()) {
    const validate = validators[`hostile${index}Input`]!;
    const own = { [text]: text, ref: text };
    assert.ok(validate(own), JSON.stringify([text, validate.errors]));
    assert.ok(validate({ [text]: { [text]: text }, ref: { [text]: 1 } }), text);
    assert.not.ok(validate({ [text]: "other", ref: text }), text);
    assert.not.ok(validate({ ref: text }), text);
  }
  assert.is((globalThis as { pwned?: unknown }).pwned, undefined);
});

const MANY = 50_000;

test("a property may be called as AJV's own variables are", async () => {
  const names = [
    ...["require", "this", "vErrors", "parentData", "rootData", "schemaPath", "schema1"],
    ...["errors", "_errs1", "issues", "instancePath", "data0", "len0", "i0", "count"],
  ];
  for (const name of names) {
    const validate = await emitted({
      type: "object",
      properties: {
        [name]: { type: "object", properties: { [name]: { const: 1 } } },
        list: { not: { items: { properties: { [name]: { not: { const: 1 } } } } } },
      },
      required: [name],
    });
    assert.is(validate({ [name]: { [name]: 1 } }), true, name);
    assert.is(validate({ [name]: { [name]: 2 } }), false, name);
    assert.is(validate.errors?.[0]?.instancePath, `/${name}/${name}`);
    for (const found of [1, 2]) {
      const list = [{ [name]: 2 }, { [name]: found }];
      assert.is(validate({ [name]: {}, list }), found === 1, name);
    }
  }
});

test("a lone surrogate is a character like others", async () => {
  const validate = await emitted({ enum: ["\ud800"], maxLength: 1, pattern: "\ud800" });
  assert.ok(validate("\ud800"));
  assert.not.ok(validate("\ud800\udc00"));
});

test("lengths are counted in characters, whichever way is the shorter", async () => {
  const texts = Array.from(
    { length: 36 },
    (_, index) => "🙂".repeat(index % 6) + "a".repeat(index / 6),
  );
  for (const bound of [0, 1, 2, 3, 4]) {
    const atMost = await emitted({ type: "string", maxLength: bound });
    const atLeast = await emitted({ type: "string", minLength: bound });
    for (const text of texts) {
      const { length } = [...text];
      assert.is(atMost(text), length <= bound, `${text} has ${length}, at most ${bound}`);
      assert.is(atLeast(text), length >= bound, `${text} has ${length}, at least ${bound}`);
    }
  }
});

test("the list of findings stays short whatever the value", async () => {
  const wrong = Array.from({ length: MANY }, () => 1);
  const tree = (depth: number): JsonObject =>
    depth === 0 ? {} : { left: tree(depth - 1), right: tree(depth - 1), value: 1 };
  const cases: [JsonSchema, unknown][] = [
    [{ items: { type: "string" } }, wrong],
    [
      {
        items: { $ref: "#/$defs/a" },
        $defs: { a: { type: "string", $ref: "#/$defs/b" }, b: false },
      },
      wrong,
    ],
    [{ contains: { type: "string" } }, wrong],
    [{ anyOf: [{ items: false }, { items: { type: "string" } }] }, wrong],
    [{ additionalProperties: { type: "string" } }, Object.fromEntries(wrong.entries())],
    [
      {
        properties: { left: { $ref: "#" }, right: { $ref: "#" }, value: { type: "string" } },
      },
      tree(12),
    ],
  ];
  for (const [schema, value] of cases) {
    const validate = await emitted(schema);
    assert.not.ok(validate(value));
    assert.is(validate.errors?.length, 20, JSON.stringify(schema));
  }
});

test("findings that were dropped still count", async () => {
  const many = { items: { type: "string" } };
  const validate = await emitted({
    anyOf: [many, { allOf: [many, { contains: { const: "last" } }] }, { maxItems: 100 }],
    not: { items: { type: "boolean" } },
  });
  assert.ok(validate(Array.from({ length: 100 }, () => 1)));
  assert.not.ok(validate(Array.from({ length: 101 }, () => 1)));
  assert.not.ok(validate(Array.from({ length: 100 }, () => true)));
});

test("uniqueItems is linear, and equality is JSON's", async () => {
  const validate = await emitted({ uniqueItems: true });
  const items = Array.from({ length: MANY }, (_, index) => ({ index, name: "x" }));
  assert.ok(validate(items));
  assert.not.ok(validate([...items, { name: "x", index: 7 }]));
  assert.is(
    validate.errors?.[0]?.message,
    `must NOT have duplicate items (items ## 7 and ${MANY} are identical)`,
  );
  assert.ok(validate([1, "1", true, null, [1], ["1"], { a: 1 }, { b: 1 }]));
  assert.not.ok(validate([0, -0]));
});

test("members that are named like methods are compared, not called", async () => {
  const second = { toString: 2 };
  const choices = [{ toString: 1 }, second, [{ valueOf: null }]];
  const schema = { if: { const: second }, then: { maxProperties: 1 }, enum: choices };
  const validate = await emitted(schema);
  for (const choice of choices) assert.is(validate(structuredClone(choice)), true);
  assert.is(validate({ toString: 3 }), false);
  assert.is(validate([{ valueOf: 1 }]), false);
  assert.is(validate({}), false);
});

test("a pattern is not run on a text that is too long anyway", async () => {
  const validate = await emitted({ type: "string", pattern: "^b$", maxLength: 3 });
  const messages = (value: string): (string | undefined)[] => {
    validate(value);
    return (validate.errors ?? []).map(({ message }) => message);
  };
  assert.equal(messages("aaaaaaa"), ["must NOT have more than 3 characters"]);
  assert.equal(messages("🙂🙂🙂"), ['must match pattern "^b$"']);
  assert.equal(messages("b"), []);
});

test("only own properties count", async () => {
  const validate = await emitted({
    required: ["constructor"],
    properties: { toString: { type: "number" }, valueOf: false },
    dependentRequired: { hasOwnProperty: ["x"] },
  });
  assert.not.ok(validate({}));
  assert.ok(validate({ constructor: 1 }));
  assert.not.ok(validate({ constructor: 1, toString: "x" }));
  const closed = await emitted({
    anyOf: [{ properties: { a: true } }],
    unevaluatedProperties: false,
  });
  assert.ok(closed({ a: 1 }));
  assert.not.ok(closed({ toString: 1 }));
});

const OPEN = { patternProperties: { "^a": true } };

test("what a reference evaluates is no error where it fails, or evaluates nothing or everything", async () => {
  const targets: JsonObject[] = [
    { properties: { c: true }, unevaluatedProperties: false },
    { properties: { c: { $ref: "#/$defs/two" } }, unevaluatedProperties: false },
    { type: "string" },
    { anyOf: [{ type: "string" }, { required: ["b"] }] },
    { additionalProperties: true },
  ];
  for (const two of targets) {
    const schema = { ...OPEN, $ref: "#/$defs/two", unevaluatedProperties: false, $defs: { two } };
    const validate = await emitted(schema);
    const isRefused = two["additionalProperties"] !== true;
    assert.is(validate({ a: 1, b: 2 }), !isRefused, JSON.stringify(two));
  }
});

test("a validator keeps nothing of what it evaluated", async () => {
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
  const validate = await emitted(schema);
  assert.ok(validate({ open: { a: 1 } }));
  assert.not.ok(validate({ closed: { a: 1 } }));
  assert.ok(validate([{ c: 1, b: 1 }]));
  assert.not.ok(validate([{ c: 1, b: 1 }, { b: 1 }]));
});

test("an alternative that failed has evaluated nothing", async () => {
  const schema = {
    anyOf: [
      { ...OPEN, required: ["z"] },
      { properties: { b: true }, required: ["b"] },
    ],
    unevaluatedProperties: false,
  };
  const validate = await emitted(schema);
  assert.ok(validate({ b: 1 }));
  assert.not.ok(validate({ a: 1, b: 1 }));
});

test("whatever a property is called, it is known whether it was evaluated", async () => {
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
    assert.is((await emitted(schema))(value), accepts, JSON.stringify(schema));
  }
});

test("a list shorter than its tuple still meets the rest of the schema", async () => {
  const schema = { prefixItems: [{ type: "string" }], contains: { const: 1 } };
  const negated = await emitted({ not: schema });
  assert.ok(negated([]));
  assert.not.ok(negated(["x", 1]));
  const chosen = await emitted({ if: schema, then: false });
  assert.ok(chosen([]));
  assert.not.ok(chosen(["x", 1]));
});

test("values are never changed", async () => {
  const schema = {
    properties: { a: { type: "integer", default: 1 } },
    additionalProperties: false,
  };
  const validate = await emitted(schema);
  for (const value of [{}, { a: "1" }, { b: 1 }]) {
    validate(Object.freeze(value));
  }
  assert.ok(validate({}));
});

test("names may be held against a referenced schema, wherever the object is", async () => {
  const schema = {
    propertyNames: { $ref: "#/$defs/short" },
    properties: { in: { propertyNames: { anyOf: [{ $ref: "#/$defs/short" }, false] } } },
    $defs: { short: { maxLength: 2, propertyNames: { $ref: "#/$defs/short" } } },
  };
  const validate = await emitted(schema);
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

test("multiples are counted in decimal", async () => {
  const cents = await emitted({ multipleOf: 0.01 });
  for (const value of [19.99, 0.07, 1e21, 0, -4.35]) assert.ok(cents(value), String(value));
  for (const value of [19.999, 1e-7, 0.015]) assert.not.ok(cents(value), String(value));
  const tiny = await emitted({ multipleOf: 1e-300 });
  assert.ok(tiny(1e300));
  assert.not.ok(tiny(1.5e-300));
});

test("keywords that only AJV knows mean nothing", async () => {
  const validate = await emitted({
    type: "string",
    nullable: true,
    $async: true,
    format: "no-such-format",
    discriminator: { propertyName: "kind" },
  });
  assert.ok(validate("x"));
  assert.not.ok(validate(null));
});

test("draft-07 keeps its own meanings", async () => {
  const validate = await emitted({
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

test("a name that cannot be exported is refused", () => {
  const request = { exportName: "x=1;y", schema: true };
  assert.throws(() => validatorCode([request]), "cannot be exported");
});

test.run();
