import { ts } from "ts-morph";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonSchema } from "../../model/json.js";
import type { SharedSchemaModel } from "../../model/server-model.js";
import { inputRequest } from "../../testing/harness/oracles/printed-types.js";
import { printDeclarations } from "../../testing/harness/oracles/type-oracle.js";
import { emitTypes } from "../../testing/harness/oracles/types-in-one-module.js";
import { layOut } from "../../text/code.js";
import type { TypeRequest } from "./emit-types.js";

test("the types of subschemas get names that no other type has", () => {
  const schema = {
    type: "object",
    properties: { a: { $ref: "#/$defs/a-b" }, b: { $ref: "#/$defs/a_b" } },
    additionalProperties: false,
    $defs: { "a-b": { type: "string" }, a_b: { type: "number" } },
  };
  const names = emitTypes([inputRequest(schema)], [], ["InputAB"]).map(({ name }) => name);
  assert.equal(names.slice(0, 3), ["Input", "InputAB2", "InputAB3"]);
});

const city: SharedSchemaModel = {
  name: "City",
  typeName: "City",
  fileName: "city",
  schema: { type: "string", minLength: 1, maxLength: 80, description: "City name" },
};

test("the types of an item do not depend on other items", () => {
  const first = inputRequest({ type: "object", properties: { city: { $ref: "#/schemas/City" } } });
  const second: TypeRequest = { ...first, typeName: "Other", schema: { allOf: [true, {}] } };
  const alone = emitTypes([first], [city]).filter(({ name }) => name === "Input");
  const together = emitTypes([second, first], [city]).filter(({ name }) => name === "Input");
  assert.equal(together, alone);
});

test("a schema that only refers to itself has the type of any JSON value", () => {
  const names = ["#/$defs/a", "#/$defs/b", "#"];
  for (const $ref of names) {
    const schema = {
      $ref,
      $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } },
    };
    const [declaration] = emitTypes([inputRequest(schema)], []);
    assert.equal(declaration, { kind: "alias", name: "Input", docs: [], body: "JsonValue" });
  }
});

test("the types of schemas that refer to each other many times have a bounded length", () => {
  const $defs: Record<string, JsonSchema> = { d0: { type: "string" } };
  for (let index = 1; index < 60; index++) {
    const below = { allOf: [{ $ref: `#/$defs/d${index - 1}` }, { properties: { z: {} } }] };
    $defs[`d${index}`] = {
      type: "object",
      properties: { a: below, b: below, c: { type: "string", default: "x" } },
    };
  }
  const declarations = emitTypes([inputRequest({ $ref: "#/$defs/d59", $defs })], []);
  const texts = declarations.map(({ body }) => layOut(body));
  assert.ok(texts.join("").length < 1_000_000);
});

const hostile = [
  "*/ export const evil = 1; /*",
  '"; export const evil = 1; //',
  "${evil} ` \\ \\u002a/",
  "a\n// @ts-ignore\n/// <reference path='x' />\n@ts-nocheck\n#region",
  "\u2028export {}\u2029\u202e\ufeff",
  "__proto__",
  "constructor",
  "1",
  "",
  "{@link x} <script>",
];

/** Every place of a schema where a text can stand. */
function schemaWith(text: string): JsonObject {
  const described = { title: text, description: text, pattern: text, format: text };
  const $defs: Record<string, JsonSchema> = Object.fromEntries([
    [text, { type: "null", ...described }],
  ]);
  const pointer = encodeURIComponent(text.replaceAll("~", "~0").replaceAll("/", "~1"));
  const properties: Record<string, JsonSchema> = Object.fromEntries([
    [text, { type: "string", ...described, default: text, examples: [text] }],
  ]);
  return {
    type: "object",
    properties: {
      holder: { type: "object", properties, required: [text], additionalProperties: false },
      choice: { enum: [text, { key: text }, [text]] },
      named: { $ref: `#/$defs/${pointer}` },
    },
    patternProperties: { [`${text}.`]: { const: text } },
    ...described,
    $defs,
  };
}

/** The kinds of all nodes and doc tags; how a property's name is written does not count. */
function shapeOf(text: string): string {
  const source = ts.createSourceFile("types.ts", text, ts.ScriptTarget.ES2022, true);
  const describe = (node: ts.Node): string => {
    if (ts.isPropertyName(node) && ts.isPropertySignature(node.parent)) return "name";
    const children: string[] = [];
    ts.forEachChild(node, (child) => void children.push(describe(child)));
    const tags = ts.getJSDocTags(node).map((tag) => tag.tagName.text);
    return `${ts.SyntaxKind[node.kind]}[${tags.join()}](${children.join()})`;
  };
  return describe(source) + source.referencedFiles.length + source.typeReferenceDirectives.length;
}

test("no text of a schema becomes code", () => {
  const plain = shapeOf(printDeclarations(emitTypes([inputRequest(schemaWith("x"))], [])));
  for (const text of hostile) {
    const file = printDeclarations(emitTypes([inputRequest(schemaWith(text))], []));
    assert.is(shapeOf(file), plain, JSON.stringify(text));
    assert.not.match(file, /^[\s/*]*@ts-/m);
    assert.not.match(file, /[\u2028\u2029\u202e\ufeff]/);
  }
});

test.run();
