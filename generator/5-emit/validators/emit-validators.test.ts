import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonSchema } from "../../model/json.js";
import {
  importValidator,
  importValidators,
  validatorCode,
} from "../../testing/harness/projects/emitted-validators.js";
import { ValidatorEmitter } from "./emit-validators.js";

const CITY = { type: "string", minLength: 1, pattern: "^[^/]+$" };
const FORECAST: JsonObject = {
  type: "object",
  description: "A forecast",
  properties: { city: CITY, days: { type: "integer", multipleOf: 0.5 }, mail: { format: "email" } },
  required: ["city", "toString"],
};

test("a validator module imports only shared helpers, and compiles nothing when it is loaded", () => {
  const place = { header: "// header", sharedModules: "../shared/*.js" };
  const javascript = new ValidatorEmitter().module(
    [{ exportName: "input", schema: FORECAST }],
    place,
  );
  assert.not.match(javascript, /\brequire\(|import\(|\beval\b|new Function|use strict|sourceURL/);
  const imports = `import { addIssue, isShorter } from "../shared/checks.js";
import { formatEmail } from "../shared/formats.js";
import { isMultipleOf } from "../shared/values.js";
`;
  assert.ok(javascript.startsWith(`// header\n\n${imports}\n`), javascript);
  assert.is(javascript.match(/^import /gm)?.length, 3);
  assert.not.match(javascript, "A forecast");
});

test("the code of a module does not depend on what was compiled before it", () => {
  const emitter = new ValidatorEmitter();
  const place = { header: "// header", sharedModules: "../shared/*.js" };
  const codeOf = (schema: JsonSchema): string =>
    emitter.module([{ exportName: "input", schema }], place);
  const first = codeOf(FORECAST);
  for (let most = 0; most < 50; most += 1) codeOf({ ...FORECAST, maxProperties: most });
  assert.is(codeOf({ ...FORECAST, title: "Other", "x-order": 1 }), first);
});

test("equal schemas that refer to different shared schemas get different validators", async () => {
  const referring = (type: string) => ({ $ref: "#/$defs/a", $defs: { a: { type } } });
  const requests = [
    { exportName: "firstInput", schema: referring("string") },
    { exportName: "secondInput", schema: referring("number") },
  ];
  const { firstInput, secondInput } = await importValidators(requests);
  assert.ok(firstInput!("text") && secondInput!(1));
  assert.not.ok(firstInput!(1) || secondInput!("text"));
});

test("a format is checked among the values of its type only", () => {
  const codeOf = (format: string): string =>
    validatorCode([{ exportName: "input", schema: { format } }]);
  assert.not.match(codeOf("date"), '"number"');
  assert.not.match(codeOf("int32"), '"string"');
});

test("alternatives are not compiled where one accepts every value", async () => {
  const $defs = { named: { required: ["name"] } };
  const optional = { anyOf: [{ $ref: "#/$defs/named" }, { description: "Absent" }] };
  const schema = { properties: { by: optional }, $defs };
  assert.not.match(validatorCode([{ exportName: "input", schema }]), '"name"');

  // What alternatives evaluate counts here.
  const evaluated = { anyOf: [{ properties: { a: true } }, {}], unevaluatedProperties: false };
  const validate = await importValidator(evaluated);
  assert.ok(validate({ a: 1 }));
  assert.not.ok(validate({ b: 1 }));
});

test("a long chain of references does not overflow the stack", async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `d${index}`);
  const definitions = names.map((name, index) => {
    const next = { $ref: `#/$defs/${names[(index + 1) % names.length]}` };
    return [name, { type: "object", properties: { next } }];
  });
  const schema = { $ref: "#/$defs/d0", $defs: Object.fromEntries(definitions) };
  const validate = await importValidator(schema);
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

test("a property may have the name of a variable in AJV's code", async () => {
  const names = [
    ...["require", "this", "vErrors", "parentData", "rootData", "schemaPath", "schema1"],
    ...["errors", "_errs1", "issues", "instancePath", "data0", "len0", "i0", "count"],
  ];
  for (const name of names) {
    const validate = await importValidator({
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

test("a name that cannot be exported is refused", () => {
  const request = { exportName: "x=1;y", schema: true };
  assert.throws(() => validatorCode([request]), "cannot be exported");
});

test.run();
