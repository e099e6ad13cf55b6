import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../model/json.js";
import { maskedCalls, recordedExamples } from "./recorded-examples.js";
import type { CallAnswer, RecordedCall } from "./recorder.js";
import { MASK } from "./secrets.js";

const now = Date.UTC(2026, 10, 29);
const manifest: JsonObject = {
  tools: [
    {
      name: "find",
      aliases: ["search"],
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: "object",
        properties: { q: { type: "string" }, password: { type: "string" } },
      },
      outputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      examples: [{ arguments: { q: "known" }, result: { n: 1 } }],
    },
    { name: "say", inputSchema: { type: "object", properties: { word: { type: "string" } } } },
  ],
};

const call = (tool: string, given: JsonObject, answer: CallAnswer): RecordedCall => ({
  tool,
  arguments: given,
  answer,
});
const text = (value: string): CallAnswer => ({ content: [{ type: "text", text: value }] });
const result = (n: unknown): CallAnswer => ({ structuredContent: { n } as JsonObject });

test("of each tool a few calls that differ become examples, by any of its names", () => {
  const calls = [
    call("search", { q: "a" }, result(1)),
    call("find", { q: "b" }, result(2)),
    call("find", {}, result(3)),
    call("find", { q: "x" }, { ...text("not found"), isError: true }),
    call("say", { word: "hi" }, text("hi: there")),
    call("say", { word: "hi" }, text("hi: there")),
  ];
  const { added, skipped } = recordedExamples(calls, manifest, now);
  assert.equal(added.get(0), [
    { name: "recorded call", arguments: { q: "a" }, result: { n: 1 } },
    { name: "recorded call 2", result: { n: 3 } },
    { name: "recorded error", arguments: { q: "x" }, error: "not found" },
  ]);
  assert.equal(added.get(1), [
    { name: "recorded call", arguments: { word: "hi" }, text: "hi: there" },
  ]);
  assert.equal(skipped, ["find: further calls are like those that were chosen"]);
});

test("a call that cannot become an example is skipped, with the reason", () => {
  const image = { content: [{ type: "image", data: "", mimeType: "image/png" }] };
  const calls = [
    call("gone", {}, text("x")),
    call("find", { q: "known" }, result(1)),
    call("find", { q: "a" }, result("three")),
    call("find", { q: 1 }, result(1)),
    call("find", { q: "b" }, text("no structured content")),
    call("find", { password: "hunter2!" }, result(1)),
    call("say", {}, image),
    call("say", { word: "nul" }, text("a\0b")),
    call("say", { word: "half \ud800" }, text("half")),
  ];
  const masked = maskedCalls(calls, manifest, []);
  const { added, skipped } = recordedExamples(masked, manifest, now);
  assert.is(added.size, 0);
  assert.equal(skipped, [
    "gone: the manifest has no tool of that name",
    "find: an example has the same arguments already",
    "find: the result does not fit the outputSchema, as it would be written",
    "find: the arguments do not fit the inputSchema, as they would be written",
    "find: answers without structured content are no example of a tool with outputSchema",
    "find: arguments with secrets are of no use to a test that calls the tool",
    "say: answers with other content than one text are no example",
    "say: texts with U+0000 or half a character, and names with control characters, cannot stand in a manifest",
  ]);
});

test("a secret of one call is masked in all others, and its value gets a matcher", () => {
  const calls = [
    call("say", { word: "before s3cr3t-value" }, text("said s3cr3t-value twice")),
    call("find", { q: "a", password: "s3cr3t-value" }, result(1)),
  ];
  const masked = maskedCalls(calls, manifest, ["from-the-env"]);
  assert.not.ok(JSON.stringify(masked).includes("s3cr3t"));
  assert.equal(recordedExamples(masked, manifest, now).added.get(1), [
    {
      name: "recorded call",
      arguments: { word: "before ********" },
      text: "said ******** twice",
      matches: { "": { pattern: "^said [^]* twice$" } },
    },
  ]);
});

test("a number that was masked gets a matcher, whatever its name, and is written as a number", () => {
  const output: JsonObject = {
    type: "object",
    properties: {
      level: { type: "integer", writeOnly: true },
      keys: {
        type: "object",
        properties: { apiKey: { type: "array", items: { type: "number" } } },
      },
      n: { type: "integer" },
    },
  };
  const input: JsonObject = {
    type: "object",
    properties: { pin: { type: "integer" }, n: { type: "integer" } },
  };
  const withNumbers: JsonObject = {
    tools: [{ name: "set", inputSchema: input, outputSchema: output }, { name: "tell" }],
  };
  const calls = [
    call(
      "set",
      { pin: 4711, n: 2 },
      {
        structuredContent: { level: 3, keys: { apiKey: [1, 2] }, n: 4711 },
      },
    ),
    call("tell", {}, text('{"pin":4711,"n":3}')),
  ];
  const masked = maskedCalls(maskedCalls(calls, withNumbers, []), withNumbers, []);
  assert.not.match(JSON.stringify(masked), "4711");
  const { added, skipped } = recordedExamples(masked, withNumbers, now);
  assert.equal(skipped, []);
  assert.equal(added.get(0), [
    {
      name: "recorded call",
      arguments: { pin: 0, n: 2 },
      result: { level: 0, keys: { apiKey: [0, 0] }, n: 0 },
      matches: {
        "/level": { type: "number" },
        "/keys/apiKey/*": { type: "number" },
        "/n": { type: "number" },
      },
    },
  ]);
  assert.equal(added.get(1), [
    {
      name: "recorded call",
      text: `{"pin":${MASK},"n":3}`,
      matches: { "": { pattern: '^\\{"pin":[^]*,"n":3\\}$' } },
    },
  ]);
});

test("a structured value that is no object is read as clients of either era get it, and masked as its schema says", () => {
  const word: JsonObject = { type: "string", writeOnly: true };
  const objects: JsonObject = { type: "object", properties: { result: { type: "integer" } } };
  const values: JsonObject = {
    tools: [
      { name: "flag", outputSchema: { type: "boolean" } },
      { name: "words", outputSchema: { type: "array", items: word } },
      { name: "own", outputSchema: objects },
      { name: "none", outputSchema: { type: "null" } },
    ],
  };
  const calls = [
    call("flag", {}, { structuredContent: { result: true } }),
    call("flag", {}, { structuredContent: true }),
    call("words", {}, { structuredContent: { result: ["hunter2!"] } }),
    call("own", {}, { structuredContent: { result: 3 } }),
    call("none", {}, { structuredContent: { result: null } }),
  ];
  const masked = maskedCalls(calls, values, []);
  assert.not.match(JSON.stringify(masked), "hunter2");
  const { added, skipped } = recordedExamples(masked, values, now);
  assert.equal(skipped, []);
  const name = "recorded call";
  assert.equal(
    [0, 1, 2, 3].map((index) => added.get(index)),
    [
      [{ name, result: true }],
      [{ name, result: [MASK], matches: { "/0": { pattern: "^[^]*$" } } }],
      [{ name, result: { result: 3 } }],
      [{ name, result: null }],
    ],
  );
});

test("what the schema of a paged list hides is masked in the pages of it", () => {
  const paged: JsonObject = {
    tools: [
      {
        name: "list",
        outputSchema: {
          type: "array",
          items: { type: "object", properties: { word: { type: "string", format: "password" } } },
        },
        http: { upstream: "api", path: "/", paginate: { expose: true } },
      },
    ],
  };
  const calls = [
    call("list", {}, { structuredContent: { items: [{ word: "hunter2!" }], nextCursor: "a" } }),
  ];
  const masked = maskedCalls(calls, paged, []);
  assert.not.match(JSON.stringify(masked), "hunter2");
  assert.equal(recordedExamples(masked, paged, now).added.get(0), [
    {
      name: "recorded call",
      result: [{ word: MASK }],
      matches: { "/0/word": { pattern: "^[^]*$" } },
    },
  ]);
});

test.run();
