import { test } from "uvu";
import * as assert from "uvu/assert";
import type { ValidationIssue } from "../../../templates/runtime/engine/item.js";
import { validationMessage } from "../../../templates/runtime/engine/validation-message.js";
import type { JsonObject, JsonSchema } from "../../model/json.js";
import {
  importValidator,
  validatorCode,
} from "../../testing/harness/projects/emitted-validators.js";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    unit: { enum: ["C", '}); {instancePath,keyword:"x",message:"y"});'] },
    never: false,
    kind: { anyOf: [{ const: "a" }, { const: "b" }] },
    parent: { $ref: "#" },
  },
  required: ["unit"],
  dependentRequired: { unit: ["kind"] },
  additionalProperties: false,
};

const WRONG = { unit: "K", never: 1, kind: "c", parent: { other: 1 } };

async function findings(namesKeywordsOnly: boolean): Promise<readonly ValidationIssue[]> {
  const validate = await importValidator(SCHEMA, namesKeywordsOnly);
  assert.is(validate({ unit: "C", kind: "a" }), true);
  assert.is(validate(WRONG), false);
  return validate.errors ?? [];
}

const placesOf = (issues: readonly ValidationIssue[]): string[] =>
  issues.map(({ instancePath }) => instancePath);

test("findings for the log have only their path, their keyword and the name of a missing property", async () => {
  const forCallers = await findings(false);
  const logged = await findings(true);
  assert.ok(forCallers.length === 5 && forCallers.every(({ message }) => message !== undefined));
  assert.equal(placesOf(logged), placesOf(forCallers));
  const keywords = ["enum", "false schema", "enum", "required"];
  assert.equal(
    logged.map(({ keyword }) => keyword),
    [...keywords, "additionalProperties"],
  );
  const [, , union] = logged;
  const [unit, , , missing, additional] = logged;
  assert.ok([unit!, additional!].every((issue) => Object.keys(issue).length === 2));
  assert.equal(missing?.params, { missingProperty: "unit" });
  assert.not.match(JSON.stringify(logged), /"(?:K|c)"|other/);
  assert.equal(union?.params, { allowedValues: [] });
  const named = new Set(forCallers.map(({ keyword }) => keyword));
  assert.equal([...named].sort(), ["additionalProperties", "enum", "false schema", undefined]);
});

test("the message about propertyNames contains the refused name", async () => {
  for (const propertyNames of [{ maxLength: 2 }, { pattern: "^.{1,2}$" }, { enum: ["ok", "no"] }]) {
    const validate = await importValidator({ type: "object", propertyNames });
    assert.is(validate({ ok: 1 }), true);
    assert.is(validate({ ok: 1, 'to"o': 2 }), false);
    assert.match(validationMessage(validate.errors), 'property name must be valid: to"o');
  }
});

test("the message about if names the author's if, also beside unevaluatedProperties", async () => {
  const schema: JsonObject = {
    type: "object",
    properties: { by: { enum: ["card", "cash"] } },
    if: { properties: { by: { const: "card" } }, required: ["by"] },
    then: { properties: { number: { type: "string" } }, required: ["number"] },
    else: { properties: { till: { type: "integer" } } },
  };
  const messageFor = async (unevaluated: JsonObject, value: JsonObject): Promise<string> => {
    const validate = await importValidator({ ...schema, ...unevaluated });
    return validate(value) === true ? "" : validationMessage(validate.errors);
  };
  const missing = "must have required property 'number'; must match \"then\" schema";
  const mistyped = 'till: must be integer; must match "else" schema';
  for (const unevaluated of [{}, { unevaluatedProperties: false }]) {
    assert.is(await messageFor(unevaluated, { by: "card" }), missing);
    assert.is(await messageFor(unevaluated, { by: "cash", till: "x" }), mistyped);
    assert.is(await messageFor(unevaluated, { by: "card", number: "1" }), "");
    assert.is(await messageFor(unevaluated, { by: "cash", till: 1 }), "");
  }
  const other = await messageFor(
    { unevaluatedProperties: false },
    { by: "card", number: "1", till: 1 },
  );
  assert.match(other, "unevaluated properties: till");
});

test("the list of findings is bounded for every value", async () => {
  const wrong = Array.from({ length: 200_000 }, () => 1);
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
    const validate = await importValidator(schema);
    assert.not.ok(validate(value));
    const count = validate.errors?.length ?? 0;
    assert.ok(count >= 20 && count <= 60, `${count}: ${JSON.stringify(schema)}`);
  }
});

test("a value is also invalid by findings that were left out of the list", async () => {
  const many = { items: { type: "string" } };
  const validate = await importValidator({
    anyOf: [many, { allOf: [many, { contains: { const: "last" } }] }, { maxItems: 100 }],
    not: { items: { type: "boolean" } },
  });
  assert.ok(validate(Array.from({ length: 100 }, () => 1)));
  assert.not.ok(validate(Array.from({ length: 101 }, () => 1)));
  assert.not.ok(validate(Array.from({ length: 100 }, () => true)));
});

test("keywords within not have no messages", () => {
  const code = (schema: JsonObject): string =>
    validatorCode([{ exportName: "testedInput", schema }]);
  assert.match(code({ required: ["a"] }), "must have required");
  assert.not.match(code({ not: { required: ["a"] } }), "must have required");
});

test.run();
