import { test } from "uvu";
import * as assert from "uvu/assert";
import { isJsonObject, type JsonObject, type JsonSchema } from "../model/json.js";
import { normalize } from "./normalize.js";

const card: JsonSchema = { type: "object", properties: { last4: { type: "string" } } };
const invoice: JsonSchema = { type: "object", properties: { days: { type: "integer" } } };

function outputTypeOf(outputSchema: JsonSchema, schemaRefs: "defs" | "inline" = "defs"): unknown {
  const { tools } = normalize({
    name: "demo",
    version: "1.0.0",
    schemaRefs,
    schemas: {
      Card: card,
      Invoice: invoice,
      Payment: { oneOf: [card, invoice] },
      Text: { type: "string" },
    },
    tools: [{ name: "pay", description: "Pays.", outputSchema }],
  });
  const wire = tools[0]?.output?.wire;
  return isJsonObject(wire) ? wire["type"] : undefined;
}

const ref = (name: string): JsonSchema => ({ $ref: `#/schemas/${name}` });

test("an output that can only be an object says so at its root", () => {
  const outputs: JsonSchema[] = [
    ref("Card"),
    ref("Payment"),
    { oneOf: [ref("Card"), ref("Invoice")] },
    { anyOf: [ref("Payment"), card] },
    { allOf: [{ minProperties: 1 }, ref("Card")] },
    { $ref: "#/$defs/Own", $defs: { Own: card } },
  ];
  for (const output of outputs) assert.is(outputTypeOf(output), "object", JSON.stringify(output));
  assert.is(outputTypeOf(ref("Card"), "inline"), "object");
});

test("an output that may be something else than an object stays as it is", () => {
  const outputs: JsonSchema[] = [
    ref("Text"),
    { oneOf: [ref("Card"), { type: "null" }] },
    { properties: { a: true } },
    { minProperties: 1 },
    true,
  ];
  for (const output of outputs) assert.is(outputTypeOf(output), undefined, JSON.stringify(output));
  assert.is(outputTypeOf({ type: "array", items: card }), "array");
});

/** The properties of an input schema as clients get them. */
function listedProperties(inputSchema: JsonObject): JsonObject {
  const { tools } = normalize({
    name: "demo",
    version: "1.0.0",
    schemas: { Id: { type: "string", description: "An id." } },
    tools: [{ name: "find", description: "Finds.", inputSchema }],
  });
  const { shown, wire } = tools[0]?.input ?? {};
  return ((shown ?? wire) as JsonObject)["properties"] as JsonObject;
}

const string: JsonObject = { type: "string" };
const integer: JsonObject = { type: "integer" };
const user: JsonObject = { properties: { id: string }, required: ["id"] };

/** Input schemas with a choice of open alternatives at their root. */
const CHOICES: Readonly<Record<string, JsonObject>> = {
  "with a const that tells them apart": {
    oneOf: [
      { properties: { kind: { const: "user" }, id: { ...string, description: "Of a user." } } },
      { properties: { kind: { const: "team" }, id: { ...string, description: "Of a team." } } },
      { properties: { kind: { const: "all" }, limit: integer }, required: ["kind"] },
    ],
  },
  "that are choices themselves": {
    oneOf: [
      { anyOf: [user, { properties: { name: { ...string, minLength: 1 } } }] },
      { allOf: [{ properties: { page: integer } }, { anyOf: [{ required: ["page"] }, user] }] },
    ],
  },
  "with rules for further properties": {
    anyOf: [
      user,
      { properties: { name: string }, additionalProperties: true },
      { properties: { tag: string }, additionalProperties: false },
      { properties: { page: integer }, patternProperties: { "^x-": true } },
    ],
  },
  "behind references": {
    oneOf: [
      { $ref: "#/$defs/ById" },
      { $ref: "#/$defs/ByName" },
      { properties: { shared: { $ref: "#/schemas/Id" } } },
    ],
    $defs: {
      ById: { type: "object", ...user },
      ByName: { type: "object", properties: { name: { $ref: "#/$defs/Name" } } },
      Name: { type: "string", maxLength: 40 },
    },
  },
  "with conditions on other properties": {
    oneOf: [
      user,
      {
        properties: { name: string, page: integer },
        if: { properties: { page: { const: 0 } } },
        then: { required: ["name"] },
      },
      { properties: { tag: string }, dependentSchemas: { tag: { minProperties: 2 } } },
      { properties: { size: integer }, not: { required: ["tag"] }, minProperties: 1 },
    ],
  },
  "beside a property that one of them narrows": {
    properties: { filter: { type: "object", description: "What to find." } },
    oneOf: [
      { properties: { filter: { properties: { id: string }, required: ["id"] } } },
      { properties: { page: integer } },
    ],
  },
};

/** The types of a property: its own, or those of what its reference or its choices lead to. */
function typesOf(schema: JsonSchema | undefined): unknown[] {
  if (!isJsonObject(schema)) return [undefined];
  const { type, anyOf, $ref } = schema;
  if (type !== undefined) return [type];
  if (typeof $ref === "string") return ["string"];
  return Array.isArray(anyOf) ? anyOf.flatMap((one) => typesOf(one as JsonSchema)) : [undefined];
}

for (const [name, schema] of Object.entries(CHOICES)) {
  test(`each property has a type in the schema that clients list, for alternatives ${name}`, () => {
    const properties = listedProperties({ type: "object", ...schema });
    const types: Readonly<Record<string, string>> = {
      ...{ kind: "string", id: "string", name: "string", tag: "string", shared: "string" },
      ...{ limit: "integer", page: "integer", size: "integer", filter: "object" },
    };
    assert.ok(Object.keys(properties).length > 1);
    for (const [property, listed] of Object.entries(properties)) {
      const found = new Set(typesOf(listed as JsonSchema));
      assert.equal([...found], [types[property]], `${property} of ${JSON.stringify(properties)}`);
    }
  });
}

test("the descriptions of a property stay where alternatives describe it differently", () => {
  const schema = { type: "object", ...CHOICES["with a const that tells them apart"] };
  const { id, kind } = listedProperties(schema);
  assert.equal(id, { type: "string", description: "Of a user. / Of a team." });
  assert.equal(kind, { type: "string", enum: ["user", "team", "all"] });
  const bounds = (most: number): JsonObject => ({
    properties: { id: { ...string, title: "T", maxLength: most } },
  });
  assert.equal(listedProperties({ type: "object", oneOf: [bounds(2), bounds(3)] })["id"], {
    anyOf: [
      { type: "string", title: "T", maxLength: 2 },
      { type: "string", title: "T", maxLength: 3 },
    ],
  });
});

test("a property has no type where an alternative says that it may be anything", () => {
  const open = { type: "object", anyOf: [user, { required: ["id"] }] };
  assert.equal(listedProperties(open)["id"], true);
  const described = { properties: { id: { description: "Whatever." } } };
  const { id } = listedProperties({ type: "object", anyOf: [user, described] });
  assert.equal(id, { description: "Whatever." });
});

test.run();
