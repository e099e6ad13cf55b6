import { test } from "uvu";
import * as assert from "uvu/assert";
import { isJsonObject, type JsonSchema } from "../model/json.js";
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

test.run();
