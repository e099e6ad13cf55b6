import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { commandLinePlace } from "../../model/catalogue/command-line.js";
import type { JsonObject, JsonValue } from "../../model/json.js";
import { importServer } from "./import-server.js";
import type { ListedServer } from "./listed-server.js";

interface Result {
  readonly manifest: JsonObject;
  readonly messages: readonly string[];
  readonly codes: readonly string[];
}

function imported(
  listed: Partial<ListedServer["lists"]>,
  more: Partial<ListedServer> = {},
): Result {
  const none = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
  const server: ListedServer = {
    about: { name: "demo", version: "1.0.0" },
    capabilities: {},
    lists: { ...none, ...listed },
    ...more,
  };
  const { manifest = "", diagnostics } = importServer(server, {
    transport: "stdio",
    place: commandLinePlace(0),
  });
  return {
    manifest: parse(manifest) as JsonObject,
    messages: diagnostics.map(({ message }) => message),
    codes: [...new Set(diagnostics.map(({ code }) => code))],
  };
}

const inputSchema = { type: "object", properties: {} };
const good: JsonObject = { name: "good", description: "Good.", inputSchema };
const names = ({ manifest }: Result, list = "tools"): JsonValue[] =>
  ((manifest[list] ?? []) as JsonObject[]).map(({ name }) => name ?? null);

/** Parses JSON, which can express values that a literal cannot, such as a key `__proto__`. */
const json = (text: string): JsonObject => JSON.parse(text) as JsonObject;

const nested = (levels: number): JsonObject => {
  let schema: JsonObject = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { items: schema };
  return { type: "object", properties: { a: schema } };
};

/** Tools that no manifest can contain. */
const LEFT_OUT: readonly (readonly [what: string, tool: JsonValue, reason: RegExp])[] = [
  ["that is a text", "good", /is no object/],
  ["without a name", { description: "x", inputSchema }, /name/],
  ["whose name is code", { ...good, name: '"); process.exit(1); ("' }, /name/],
  ["whose name is a path", { ...good, name: "../../etc/passwd" }, /name/],
  ["whose name is too long", { ...good, name: "a".repeat(65) }, /name|characters/],
  ["that is there twice", { ...good, name: "good" }, /good/],
  ["without an object as input", { ...good, name: "a", inputSchema: { type: "string" } }, /object/],
  [
    "with an unknown type",
    { ...good, name: "a", inputSchema: { type: "object", properties: { b: { type: "bogus" } } } },
    /bogus/,
  ],
  [
    "with a lost reference",
    {
      ...good,
      name: "a",
      inputSchema: { type: "object", properties: { b: { $ref: "#/$defs/x" } } },
    },
    /\$defs\/x/,
  ],
  [
    "with a remote reference",
    {
      ...good,
      name: "a",
      inputSchema: { type: "object", properties: { b: { $ref: "https://x.example/" } } },
    },
    /x\.example/,
  ],
  [
    "with a slow pattern",
    {
      ...good,
      name: "a",
      inputSchema: { type: "object", properties: { b: { type: "string", pattern: "^(a+)+$" } } },
    },
    /pattern|exponential/,
  ],
  [
    "with a deep schema",
    { ...good, name: "a", inputSchema: nested(100_000) },
    /deeper than 60 levels/,
  ],
  ["with half a character", { ...good, name: "a", description: "\ud800" }, /not Unicode/],
  [
    "with an infinite number",
    json(
      '{"name":"a","description":"x","inputSchema":{"type":"object","properties":{"b":{"maximum":1e999}}}}',
    ),
    /too large/,
  ],
];

for (const [what, tool, reason] of LEFT_OUT) {
  test(`a tool ${what} is left out with the reason, and the others are not`, () => {
    const result = imported({ tools: [good, tool] });
    assert.equal(names(result), ["good"]);
    assert.equal(result.codes, ["MW6131"], result.messages.join("\n"));
    assert.match(result.messages.join("\n"), reason);
  });
}

test("items and keys named like members of every object are left out", () => {
  const tool = json(
    '{"name":"a","description":"x","inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}}',
  );
  const result = imported({
    tools: [good, tool, { ...good, name: "__proto__" }, { ...good, name: "constructor" }],
    prompts: [json('{"name":"p","_meta":{"__proto__":{"polluted":true}}}')],
  });
  assert.equal(names(result), ["good"]);
  assert.is(result.messages.length, 4, result.messages.join("\n"));
  assert.is(({} as JsonObject)["polluted"], undefined);
});

test("an invalid optional part of an item is left out and reported", () => {
  const result = imported({
    tools: [
      { ...good, icons: [{ src: "http://x.example/a.png" }, { src: "https://x.example/b.png" }] },
      {
        ...good,
        name: "b",
        outputSchema: { type: "bogus" },
        annotations: { readOnlyHint: "yes", idempotentHint: true },
      },
      { ...good, name: "c", execution: {}, "x-own": 1 },
      { name: "d", inputSchema },
    ],
    prompts: [
      { name: "p", title: 7, arguments: [{ name: "q", required: "yes", more: 1 }, { name: "r" }] },
    ],
  });
  const [first, second, , fourth] = result.manifest["tools"] as JsonObject[];
  assert.equal(first?.["icons"], [{ src: "https://x.example/b.png" }]);
  assert.equal(second?.["annotations"], { idempotentHint: true });
  assert.is(second?.["outputSchema"], undefined);
  assert.is(fourth?.["description"], "d");
  assert.equal(result.manifest["prompts"], [
    { name: "p", arguments: [{ name: "q" }, { name: "r" }] },
  ]);
  assert.equal(result.codes, ["MW6132"]);
  for (const part of [
    "icons.0",
    "annotations.readOnlyHint",
    "outputSchema",
    "x-own",
    "execution",
    "title",
    "arguments.0.required",
    "arguments.0.more",
  ]) {
    assert.ok(
      result.messages.some((message) => message.includes(`\`${part}\``)),
      part,
    );
  }
});

test("an item with many invalid parts is imported in bounded time", () => {
  const icons = Array.from({ length: 500 }, () => ({ src: "http://x.example/" }));
  const result = imported({ tools: [good, { ...good, name: "b", icons }] });
  assert.equal(names(result), ["good"]);
});

test("the manifest describes the server as it describes itself, as far as npm allows", () => {
  const about = {
    name: "My Great Server!",
    version: "v2",
    title: "Great",
    websiteUrl: "javascript:alert(1)",
    vendor: "x",
  };
  const { manifest, messages } = imported(
    {},
    { about, instructions: "Ask.", capabilities: { completions: {} } },
  );
  assert.equal(manifest, {
    name: "my-great-server",
    version: "1.0.0",
    title: "Great",
    instructions: "Ask.",
    transports: [{ type: "stdio" }],
  });
  assert.is(messages.length, 5, messages.join("\n"));
});

test("texts with special characters are imported unchanged", () => {
  const texts = [
    "a: b",
    "- x",
    "# no",
    "yes",
    "1.0",
    "~",
    "",
    " x ",
    "a\nb\n",
    "a\r\nb",
    "\u0000\u001b[2J",
    "'\"",
    "{{x}}",
    "*a",
    "&a",
    "!!js/function x",
    "\u2028\ufeff",
  ];
  const tools = texts.map((title, index) => ({
    ...good,
    name: `t${index}`,
    title,
    description: `x${title}`,
  }));
  const { manifest, messages } = imported({ tools });
  const importedTools = manifest["tools"] as JsonObject[];
  const lost = messages.length;
  assert.ok(importedTools.length + lost >= tools.length);
  for (const tool of importedTools) {
    const index = Number(String(tool["name"]).slice(1));
    if (tool["title"] !== undefined) assert.is(tool["title"], texts[index]);
    assert.is(tool["description"], `x${texts[index] ?? ""}`);
  }
});

test("lists that exceed the size of a manifest are not imported", () => {
  const tools = Array.from({ length: 90 }, (_, index) => ({
    ...good,
    name: `t${index}`,
    description: "x".repeat(100_000),
  }));
  const result = imported({ tools });
  assert.is(result.manifest, null);
  assert.match(result.messages.join("\n"), /more than a manifest can hold/);
});

test.run();
