import { test } from "uvu";
import * as assert from "uvu/assert";
import { erased, sampleServer, tool } from "../samples/server.js";
import { argumentsShown } from "./shown-arguments.js";

const SECRET = { type: "string", writeOnly: true };
const MARKED = "marked-4411";

/** What a line shows of arguments, by a tool's schema. */
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

test("a value that a schema marks is masked, wherever the schema says so", () => {
  for (const [title, schema, input] of [
    ["a property", { properties: { a: SECRET } }, { a: MARKED }],
    ["a pattern", { patternProperties: { "^a": SECRET } }, { ab: MARKED }],
    [
      "a pattern beside a property",
      { properties: { ab: { type: "string" } }, patternProperties: { "^a": SECRET } },
      { ab: MARKED },
    ],
    ["any other property", { additionalProperties: SECRET }, { a: MARKED }],
    ["a property that nothing evaluates", { unevaluatedProperties: SECRET }, { a: MARKED }],
    ["a schema that another property brings", dependent("a"), { a: MARKED, b: 1 }],
    ["a condition", { if: { properties: { a: SECRET } } }, { a: MARKED }],
    ["a list", { properties: { a: { items: SECRET } } }, { a: [MARKED] }],
    ["a place of a list", { properties: { a: { prefixItems: [SECRET] } } }, { a: [MARKED] }],
    ["what a list contains", { properties: { a: { contains: SECRET } } }, { a: [MARKED] }],
    ["the rest of a list", { properties: { a: { unevaluatedItems: SECRET } } }, { a: [MARKED] }],
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
    ["a reference that leads nowhere", { properties: { a: { $ref: "#/no/%" } } }, { a: MARKED }],
  ] as const) {
    const line = JSON.stringify(shown(schema, input));
    assert.not.ok(line.includes(MARKED), `${title}: ${line}`);
    assert.ok(line.includes("[masked]"), `${title}: ${line}`);
  }
});

test("a value that no schema marks is shown, also where a reference comes back to itself", () => {
  const tree = { properties: { a: { type: "string" }, b: { $ref: "#" } } };
  const input = { a: "x", b: { a: "y", b: {} } };
  assert.equal(shown(tree, input), { arguments: input });
  assert.equal(shown({ patternProperties: { "[": SECRET } }, { a: "x" }), {
    arguments: { a: "[masked]" },
  });
});

test("of a tool that is not there, the names of arguments are shown", () => {
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
