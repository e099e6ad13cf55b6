import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonSchema } from "../../model/json.js";
import {
  importSharingValidator,
  importValidator,
  sharingModules,
} from "../../testing/harness/projects/emitted-validators.js";

const NODE: JsonObject = {
  type: "object",
  properties: { name: { type: "string", minLength: 1 }, next: { $ref: "#/$defs/Branch" } },
  required: ["name"],
};
const BRANCH: JsonObject = {
  anyOf: [{ type: "null" }, { $ref: "#/$defs/Node" }, { items: { $ref: "#/$defs/Branch" } }],
};
const RECURSIVE: JsonObject = {
  type: "object",
  properties: { first: { $ref: "#/$defs/Node" }, second: { $ref: "#/$defs/Node" } },
  $defs: { Node: NODE, Branch: BRANCH },
};

const modulesOf = (schema: JsonSchema): Record<string, string> =>
  Object.fromEntries(sharingModules(schema));

test("each shared schema has a module, which others import", () => {
  const modules = modulesOf(RECURSIVE);
  assert.equal(Object.keys(modules), ["input", "of-branch", "of-node"]);
  assert.match(modules["input"]!, 'import { input as validateNode } from "./of-node.mjs";');
  assert.match(modules["of-node"]!, 'import { input as validateBranch } from "./of-branch.mjs";');
  assert.match(modules["of-branch"]!, 'import { input as validateNode } from "./of-node.mjs";');
  assert.not.match(modules["input"]!, "minLength");
  assert.not.match(modules["input"]!, "isShorter");
});

test("the module of a shared schema does not depend on who uses it", () => {
  const item: JsonObject = { anyOf: [{ $ref: "#/$defs/Node" }, { type: "string" }] };
  const { $defs } = RECURSIVE;
  const other = modulesOf({ type: "array", items: item, $defs } as JsonObject);
  const { "of-node": node, "of-branch": branch } = modulesOf(RECURSIVE);
  assert.is(other["of-node"], node);
  assert.is(other["of-branch"], branch);
});

for (const namesKeywordsOnly of [false, true]) {
  const reader = namesKeywordsOnly ? "the log" : "the caller";
  test(`findings for ${reader} are the same from a module that others import`, async () => {
    const alone = await importValidator(RECURSIVE, namesKeywordsOnly);
    const sharing = await importSharingValidator(RECURSIVE, namesKeywordsOnly);
    const right = { name: "a", next: { name: "b", next: [null, { name: "c" }] } };
    assert.ok(sharing({ first: right, second: right }));
    for (const first of [{}, { name: "" }, { name: "a", next: { name: "b", next: [1] } }, [1]]) {
      assert.not.ok(alone({ first, second: {} }));
      assert.not.ok(sharing({ first, second: {} }));
      assert.equal(sharing.errors, alone.errors);
    }
  });
}

test("the work of a recursive schema is limited in modules of its own, too", async () => {
  const operation = (name: string): JsonObject => ({
    properties: { operand: { $ref: "#/$defs/Node" }, operator: { const: name } },
    required: ["operator"],
  });
  const Node = { anyOf: [operation("plus"), operation("minus")] };
  const validate = await importSharingValidator({
    ...{ type: "object", properties: { tree: { $ref: "#/$defs/Node" } } },
    $defs: { Node },
  });
  let tree: JsonObject = { operator: "minus" };
  for (let depth = 0; depth < 64; depth += 1) tree = { operator: "minus", operand: tree };
  assert.ok(validate({ tree }), "what an alternative found is kept, or this would not end");
  let wrong: JsonObject = { operator: "times" };
  for (let depth = 0; depth < 64; depth += 1) wrong = { operator: "minus", operand: wrong };
  assert.not.ok(validate({ tree: wrong }));
});

test("a value that takes too many steps to check in a module of its own is refused", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `D${index}`);
  const definitions = names.map((name, index): [string, JsonObject] => {
    const next = { $ref: `#/$defs/${names[(index + 1) % names.length]}` };
    const inPlace = index + 1 < names.length ? { allOf: [next] } : {};
    return [name, { properties: { self: { $ref: "#/$defs/D0" } }, ...inPlace }];
  });
  const $defs = Object.fromEntries(definitions);
  const validate = await importSharingValidator({ items: { $ref: "#/$defs/D0" }, $defs });
  assert.is(validate(Array.from({ length: 50_000 }, () => ({ self: {} }))), false);
  assert.match(validate.errors?.[0]?.message ?? "", "too costly");
  assert.ok(validate([{ self: {} }]));
});

test("texts that slow patterns match in a module of its own are limited", async () => {
  const Slow = { type: "string", maxLength: 2000, pattern: "^a*a*b$" };
  const schema = { type: "array", items: { $ref: "#/$defs/Outer" } };
  const validate = await importSharingValidator({
    ...schema,
    $defs: { Outer: { allOf: [{ $ref: "#/$defs/Slow" }] }, Slow },
  });
  const many = (count: number): string[] =>
    Array.from({ length: count }, () => `${"a".repeat(1999)}b`);
  assert.ok(validate(many(50)));
  assert.not.ok(validate(many(51)));
  assert.match(validate.errors?.[0]?.message ?? "", "too costly");
});

test("a call of a shared schema returns a limited number of findings", async () => {
  const List = { type: "array", items: { type: "string" } };
  const schema = { properties: { all: { $ref: "#/$defs/List" } }, $defs: { List } };
  const validate = await importSharingValidator(schema);
  assert.not.ok(validate({ all: Array.from({ length: 200_000 }, () => 1) }));
  assert.is(validate.errors?.length, 20);
});

test("documents of draft-07, and those that record what is evaluated, share no functions", async () => {
  const Named = { properties: { name: { type: "string" } } };
  const evaluating = {
    allOf: [{ $ref: "#/$defs/Named" }],
    unevaluatedProperties: false,
    $defs: { Named },
  };
  assert.equal(Object.keys(modulesOf(evaluating)), ["input"]);
  const $schema = "http://json-schema.org/draft-07/schema#";
  const earlier = { $schema, properties: { by: { $ref: "#/$defs/Named" } }, $defs: { Named } };
  assert.equal(Object.keys(modulesOf(earlier)), ["input"]);
  const validate = await importSharingValidator(evaluating);
  assert.ok(validate({ name: "a" }));
  assert.not.ok(validate({ name: "a", other: 1 }));
});

test("a reference into a shared schema has a function of its own", async () => {
  const schema = {
    properties: { name: { $ref: "#/$defs/Node/properties/name" } },
    $defs: { Node: NODE, Branch: BRANCH },
  };
  assert.equal(Object.keys(modulesOf(schema)), ["input"]);
  const validate = await importSharingValidator(schema);
  assert.ok(validate({ name: "a" }));
  assert.not.ok(validate({ name: "" }));
});

test("shared schemas whose names differ only in case or punctuation have different modules", async () => {
  const $defs = { a_b: { type: "string" }, aB: { type: "number" }, ab: { type: "boolean" } };
  const properties = {
    text: { $ref: "#/$defs/a_b" },
    number: { $ref: "#/$defs/aB" },
    flag: { $ref: "#/$defs/ab" },
  };
  const schema = { properties, $defs };
  const files = Object.keys(modulesOf(schema)).map((name) => name.toLowerCase());
  assert.is(new Set(files).size, 4);
  const validate = await importSharingValidator(schema);
  assert.ok(validate({ text: "a", number: 1, flag: true }));
  assert.not.ok(validate({ text: 1 }));
  assert.not.ok(validate({ number: true }));
  assert.not.ok(validate({ flag: "a" }));
});

test.run();
