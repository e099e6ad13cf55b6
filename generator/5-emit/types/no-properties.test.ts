import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonSchema } from "../../model/json.js";
import { askCompiler } from "../../testing/harness/oracles/type-oracle.js";
import { emitTypes } from "../../testing/harness/oracles/types-in-one-module.js";
import { expectPrinted } from "../../testing/harness/oracles/printed-types.js";

const CLOSED: JsonSchema = { type: "object", additionalProperties: false };

test("the type of an object without properties allows no property to be read", () =>
  expectPrinted("export interface Input {\n  [key: symbol]: never;\n}", CLOSED));

test("TypeScript refuses to read or write a property of an object that has none", () => {
  const none = emitTypes([{ typeName: "None", schema: CLOSED, mode: "arguments" }], []);
  const nested = emitTypes(
    [
      {
        typeName: "Nested",
        schema: { type: "object", properties: { none: CLOSED }, required: ["none"] },
        mode: "value",
      },
    ],
    [],
  );
  const read = {
    kind: "alias",
    name: "Read",
    docs: [],
    body: 'None["id"]',
  } as const;
  const [readAnswer, writeAnswer, nestedAnswer] = askCompiler([
    { declarations: [...none, read], typeName: "None", values: [] },
    { declarations: none, typeName: "None", values: [{}, { id: 1 }, [], "x", 1, null] },
    { declarations: nested, typeName: "Nested", values: [{ none: {} }, { none: { id: 1 } }] },
  ]);
  assert.match(readAnswer?.errors.join("\n") ?? "", "Property 'id' does not exist");
  assert.equal(
    writeAnswer?.verdicts.map(({ asLiteral }) => asLiteral),
    [true, false, false, false, false, false],
  );
  assert.is(writeAnswer?.verdicts[0]?.asVariable, true);
  assert.equal(
    nestedAnswer?.verdicts.map(({ asLiteral }) => asLiteral),
    [true, false],
  );
});

test.run();
