import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonSchema } from "../model/json.js";
import { dialectOf } from "./json-schema.js";
import { KEYWORDS } from "./keywords/index.js";
import { subschemasOf, walkSchema } from "./subschemas.js";
import { anchorsOf, parseReference, resolveReference, writeReference } from "./schema-reference.js";

test("subschemas are found under every kind of keyword, in the order written", () => {
  const schema: JsonSchema = {
    type: "object",
    not: { title: "not" },
    allOf: [true, { title: "all" }],
    properties: { type: { title: "property" }, toString: false },
    items: [{ title: "tuple" }],
    dependencies: { a: ["b"], c: {} },
    enum: [{ title: "no schema" }],
    "x-note": { title: "no schema" },
    anyOf: "no list",
  };
  assert.equal(
    [...subschemasOf(schema)].map(([path]) => path.join("/")),
    [
      "not",
      "allOf/0",
      "allOf/1",
      "properties/type",
      "properties/toString",
      "items/0",
      "dependencies/c",
    ],
  );
});

test("a walk visits subschemas at every depth and follows no reference", () => {
  const schema: JsonSchema = { items: { not: { $ref: "#" } } };
  assert.equal(
    [...walkSchema(schema)].map(([path]) => path),
    [[], ["items"], ["items", "not"]],
  );
});

test("$schema at the root sets the dialect", () => {
  assert.is(dialectOf({ $schema: "http://json-schema.org/draft-07/schema#" }), "draft-07");
  assert.is(dialectOf({ $schema: "https://json-schema.org/draft/2020-12/schema" }), "2020-12");
  assert.is(dialectOf(true), "2020-12");
  assert.is(KEYWORDS.has("constructor"), false);
});

const city: JsonSchema = { type: "object", $defs: { zip: { type: "string" } } };
const shared = (name: string): JsonSchema | undefined => (name === "City" ? city : undefined);

test("references lead to schemas of the root or to shared ones", () => {
  const schema: JsonSchema = {
    properties: { "a/b%~": { $anchor: "here" }, enum: true },
    prefixItems: [{}, { not: false }],
    enum: [{ a: 1 }],
  };
  const pathOf = (reference: string) => resolveReference(schema, reference, shared)?.path;
  assert.equal(pathOf("#"), []);
  assert.equal(pathOf(""), []);
  assert.equal(pathOf("#/properties/a~1b%25~0"), ["properties", "a/b%~"]);
  assert.equal(pathOf("#/properties/enum"), ["properties", "enum"]);
  assert.equal(pathOf("#/prefixItems/1/not"), ["prefixItems", 1, "not"]);
  assert.equal(pathOf("#here"), ["properties", "a/b%~"]);
  const target = resolveReference(schema, "#/schemas/City/$defs/zip", shared);
  assert.equal(target, {
    schema: { type: "string" },
    root: city,
    path: ["$defs", "zip"],
    sharedName: "City",
  });
});

test("a reference to a place without a schema has no target", () => {
  const schema: JsonSchema = { enum: [{}], properties: {}, prefixItems: [{}] };
  const nowhere = [
    "#/enum/0",
    "#/properties",
    "#/properties/toString",
    "#/prefixItems/01",
    "#/prefixItems/length",
    "#/schemas/Town",
    "#/schemas",
    "#/schemas/City/type",
    "#nowhere",
    "#/%",
    "other.json",
    "//host/path#",
    "https://example.com/#/enum",
  ];
  for (const reference of nowhere) {
    assert.is(resolveReference(schema, reference, shared), undefined, reference);
  }
});

test("a reference is parsed without being followed", () => {
  assert.equal(parseReference("#/schemas/a~1b/not"), {
    kind: "shared",
    name: "a/b",
    pointer: ["not"],
  });
  assert.is(parseReference("file:///etc/passwd").kind, "external");
  assert.is(parseReference("#/%zz").kind, "malformed");
  assert.equal(parseReference("#a"), { kind: "anchor", name: "a" });
});

test("writing a reference and parsing it gives the same path", () => {
  const names = ["a/b", "~1", "%25", "x'];", "ä b", "#?"];
  for (const name of names) {
    const schema: JsonSchema = { $defs: { [name]: { title: name } } };
    const target = resolveReference(schema, writeReference(["$defs", name]), shared);
    assert.equal(target?.path, ["$defs", name]);
  }
});

test("the first of several equal anchors is used", () => {
  const schema: JsonSchema = { $defs: { a: { $anchor: "x" }, b: { $dynamicAnchor: "x" } } };
  assert.equal(anchorsOf(schema).get("x")?.path, ["$defs", "a"]);
});

test.run();
