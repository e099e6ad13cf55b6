import { test } from "uvu";
import * as assert from "uvu/assert";
import { erased, sampleServer, tool } from "../samples/server.js";
import { argumentsShown } from "./shown-arguments.js";

const SECRET = { type: "string", writeOnly: true };
const MARKED = "marked-4411";

/** Returns the members that show `input` in the line of a tool with this schema. */
function shown(schema: object, input: object): unknown {
  const entry = tool(
    "vault",
    erased(() => "ok"),
  );
  const inputSchema = { ...schema, type: "object" as const };
  const vault = { ...entry, definition: { ...entry.definition, inputSchema } };
  const audit = { arguments: "values", durable: false } as const;
  return argumentsShown({ ...sampleServer, tools: [vault], audit })("tools/call", "vault", input);
}

test("a value that a schema marks as secret is masked, wherever the mark is", () => {
  for (const [title, schema, input] of [
    ["a property", { properties: { a: SECRET } }, { a: MARKED }],
    ["a pattern", { patternProperties: { "^a": SECRET } }, { ab: MARKED }],
    [
      "a pattern beside a property",
      { properties: { ab: { type: "string" } }, patternProperties: { "^a": SECRET } },
      { ab: MARKED },
    ],
    ["additional properties", { additionalProperties: SECRET }, { a: MARKED }],
    ["unevaluated properties", { unevaluatedProperties: SECRET }, { a: MARKED }],
    ["a dependent schema", dependent("a"), { a: MARKED, b: 1 }],
    ["a condition", { if: { properties: { a: SECRET } } }, { a: MARKED }],
    ["a list", { properties: { a: { items: SECRET } } }, { a: [MARKED] }],
    ["an item of a tuple", { properties: { a: { prefixItems: [SECRET] } } }, { a: [MARKED] }],
    ["contained items", { properties: { a: { contains: SECRET } } }, { a: [MARKED] }],
    ["unevaluated items", { properties: { a: { unevaluatedItems: SECRET } } }, { a: [MARKED] }],
    [
      "a definition",
      { properties: { a: { $ref: "#/$defs/a~1b" } }, $defs: { "a/b": SECRET } },
      { a: MARKED },
    ],
    [
      "another property",
      { properties: { a: { $ref: "#/properties/b" }, b: SECRET } },
      { a: MARKED },
    ],
    ["a reference to nothing", { properties: { a: { $ref: "#/no/%" } } }, { a: MARKED }],
  ] as const) {
    const line = JSON.stringify(shown(schema, input));
    assert.not.ok(line.includes(MARKED), `${title}: ${line}`);
    assert.ok(line.includes("[masked]"), `${title}: ${line}`);
  }
});

test("a value that no schema marks is shown, also with a recursive reference", () => {
  const tree = { properties: { a: { type: "string" }, b: { $ref: "#" } } };
  const input = { a: "x", b: { a: "y", b: {} } };
  assert.equal(shown(tree, input), { arguments: input });
  assert.equal(shown({ patternProperties: { "[": SECRET } }, { a: "x" }), {
    arguments: { a: "[masked]" },
  });
});

test("a line of an unknown tool shows only the names of arguments", () => {
  const values = argumentsShown({
    ...sampleServer,
    audit: { arguments: "values", durable: false },
  });
  assert.equal(values("tools/call", "vualt", { pin: MARKED }), { arguments: ["pin"] });
  assert.equal(values("prompts/get", "summary", { a: "x" }), { arguments: { a: "x" } });
});

function dependent(name: string): object {
  return { dependentSchemas: { b: { properties: { [name]: SECRET } } } };
}

test.run();
