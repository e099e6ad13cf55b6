import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { commandLinePlace } from "../../model/catalogue/command-line.js";
import type { JsonObject, JsonValue } from "../../model/json.js";
import { importServer } from "./import-server.js";
import type { ListedServer } from "./listed-server.js";
import type { Proxy } from "./proxy.js";

interface Result {
  readonly manifest: JsonObject;
  readonly messages: readonly string[];
  readonly codes: readonly string[];
}

const UPSTREAMS = { upstreams: { far: { mcp: { command: ["far"] } } } };

function imported(
  listed: Partial<ListedServer["lists"]>,
  more: Partial<ListedServer> = {},
  proxy?: Proxy,
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
    ...(proxy !== undefined && { proxy }),
    findsInstances: true,
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
  ["that is there twice", { ...good, name: "good" }, /good/],
  ["without an object as input", { ...good, name: "a", inputSchema: { type: "string" } }, /object/],
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

/** Names that no manifest can have, and the names that stand for them. */
const RENAMED: readonly (readonly [name: string, here: string])[] = [
  ["a b/c", "a_b_c"],
  ['"); process.exit(1); ("', "process_exit_1"],
  ["../../etc/passwd", "etc_passwd"],
  ["Größe@v1", "Gro_e_v1"],
  ["日本語", "tool"],
  ["天気", "tool_2"],
  ["good!", "good_2"],
  ["toString()", "toString_tool"],
  ["a".repeat(65), "a".repeat(64)],
  [`${"a".repeat(64)}b`, `${"a".repeat(60)}_2`],
  [`get_${"long_".repeat(20)}end`, `get_${"long_".repeat(11)}end`],
];

test("a tool whose name no manifest can have is renamed, and its calls are passed on under its own", () => {
  const tools = [good, ...RENAMED.map(([name]) => ({ ...good, name }))];
  const result = imported({ tools });
  assert.equal(names(result), ["good", ...RENAMED.map(([, here]) => here)]);
  assert.equal(result.codes, ["MW6132"], result.messages.join("\n"));
  assert.match(result.messages[0] ?? "", 'tool "a b/c": its name is "a_b_c" here');
  const passedOn = imported({ tools }, {}, { upstream: "far", manifestKeys: UPSTREAMS });
  assert.equal(
    (passedOn.manifest["tools"] as JsonObject[]).map(({ mcp }) => mcp),
    [{ upstream: "far" }, ...RENAMED.map(([name]) => ({ upstream: "far", name }))],
  );
});

/** Schemas of properties that no manifest can have, and what becomes of them. */
const MENDED: readonly (readonly [schema: string, here: string, said: RegExp])[] = [
  ['{"type":"string","nullable":true}', '{"type":["string","null"]}', /2020-12/],
  ['{"enum":["a"],"nullable":true}', '{"enum":["a",null]}', /2020-12/],
  [
    '{"$ref":"#/$defs/d","nullable":true}',
    '{"anyOf":[{"$ref":"#/$defs/d"},{"type":"null"}]}',
    /2020-12/,
  ],
  ['{"type":"string","nullable":false}', '{"type":"string"}', /2020-12/],
  [
    '{"type":"number","minimum":0,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false}',
    '{"type":"number","maximum":9,"exclusiveMinimum":0}',
    /2020-12/,
  ],
  ['{"id":"#foo","type":"string"}', '{"type":"string"}', /2020-12/],
  [
    '{"type":"array","items":[{"type":"string"}],"additionalItems":false}',
    '{"type":"array","prefixItems":[{"type":"string"}],"items":false}',
    /2020-12/,
  ],
  [
    '{"type":"object","dependencies":{"a":["b"],"c":{"minProperties":2}}}',
    '{"type":"object","dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"minProperties":2}}}',
    /2020-12/,
  ],
  ['{"type":"string","enum":["a","a"]}', '{"type":"string","enum":["a"]}', /2020-12/],
  [
    '{"type":"string","pattern":"(?i)^x"}',
    '{"type":"string"}',
    /properties\.b\.pattern` is left out/,
  ],
  ['{"type":"string","pattern":"^(a+)+$"}', '{"type":"string"}', /exponential/],
  ['{"type":"string","pattern":".*[.]pdf$"}', '{"type":"string","pattern":"[.]pdf$"}', /too long/],
  ['{"type":"string","example":"x"}', '{"type":"string"}', /example` is left out/],
  ['{"type":"string","default":5}', '{"type":"string"}', /default` is left out/],
  ['{"type":"string","minLength":"1"}', '{"type":"string"}', /minLength` is left out/],
  ['{"type":"bogus","description":"d"}', '{"description":"d"}', /type` is left out: .*bogus/],
  ['{"$ref":"#/$defs/x"}', "{}", /\$ref` is left out: .*\$defs\/x/],
  ['{"$ref":"https://x.example/","description":"d"}', '{"description":"d"}', /x\.example/],
  [
    '{"properties":{"nullable":{"nullable":true,"type":"string"}}}',
    '{"properties":{"nullable":{"type":["string","null"]}}}',
    /2020-12/,
  ],
  ["5", "{}", /properties\.b` accepts everything/],
];

for (const [schema, here, said] of MENDED) {
  test(`a tool with the schema ${schema} is imported without what no manifest can say`, () => {
    const withSchema = (value: string): JsonObject => ({
      type: "object",
      properties: { b: json(value), c: { type: "string" } },
      $defs: { d: { type: "string" } },
    });
    const tool = {
      ...good,
      name: "a",
      inputSchema: withSchema(schema),
      outputSchema: withSchema(schema),
    };
    const result = imported({ tools: [good, tool] });
    const [, mended] = result.manifest["tools"] as JsonObject[];
    assert.equal(mended?.["inputSchema"], withSchema(here), result.messages.join("\n"));
    assert.equal(mended?.["outputSchema"], withSchema(here));
    assert.equal(result.codes, ["MW6132"]);
    assert.match(result.messages.join("\n"), said);
  });
}

test("a pattern that stays slow without what begins it is left out, and each pattern is said once", () => {
  for (const [pattern, here, said] of [
    [".*.*[.]pdf$", "[.]pdf$", 'is "[.]pdf$" here'],
    [".*(a+)+$", undefined, "is left out"],
    [".*x.*y.*z$", undefined, "is left out"],
  ] as const) {
    const b: JsonObject = { type: "string", pattern };
    const tool = { ...good, inputSchema: { type: "object", properties: { b } } };
    const { manifest, messages } = imported({ tools: [tool] });
    const [mended] = manifest["tools"] as JsonObject[];
    const expected = { type: "string", ...(here !== undefined && { pattern: here }) };
    assert.equal(mended?.["inputSchema"], { type: "object", properties: { b: expected } });
    const [only = "", another] = messages
      .join("\n")
      .split("`inputSchema.properties.b.pattern` ")
      .slice(1);
    assert.ok(only.startsWith(said), messages.join("\n"));
    assert.is(another, undefined, messages.join("\n"));
  }
});

test("an input schema without a type takes objects, and one of an older draft is of 2020-12", () => {
  const properties = { a: { type: "string" } };
  const schemas = [
    {},
    undefined,
    true,
    { properties },
    { type: ["object", "null"], properties },
    { $schema: "http://json-schema.org/draft-04/schema#", type: "object", properties },
    { $schema: "https://json-schema.org/draft/2019-09/schema", type: "object", properties },
  ];
  const tools = schemas.map((inputSchema, index) => ({
    ...good,
    name: `t${index}`,
    inputSchema: inputSchema as JsonValue,
  }));
  const { manifest, codes } = imported({ tools });
  assert.equal(
    (manifest["tools"] as JsonObject[]).map(({ inputSchema }) => inputSchema),
    [
      ...Array.from({ length: 3 }, () => ({ type: "object" })),
      ...Array.from({ length: 4 }, () => ({ type: "object", properties })),
    ],
  );
  assert.equal(codes, ["MW6132"]);
});

test("a schema that says the same wrong thing in many places is imported, and said once", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`p${index}`, { type: "string", example: "x" }]),
  );
  const tool = { ...good, name: "a", inputSchema: { type: "object", properties } };
  const { manifest, messages } = imported({ tools: [tool] });
  assert.is((manifest["tools"] as JsonObject[]).length, 1);
  assert.is(messages.length, 1, messages.join("\n"));
  assert.match(messages[0] ?? "", /p0\.example` is left out: .*, as at 59 more places$/);
});

test("values that a server lists without a type are listed so again", () => {
  const untyped = { type: "object", properties: { kind: { enum: ["a"] } } };
  for (const more of [{ inputSchema: untyped }, { outputSchema: untyped }]) {
    assert.is(imported({ tools: [{ ...good, ...more }] }).manifest["schemaRefs"], "verbatim");
  }
  assert.is(imported({ tools: [good] }).manifest["schemaRefs"], undefined);
});

test("a schema of draft-07 keeps the mark of what is deprecated", () => {
  const draft = { ...inputSchema, $schema: "http://json-schema.org/draft-07/schema#" };
  const marked = { ...draft, properties: { a: { type: "string", deprecated: true } } };
  const { manifest, messages } = imported({ tools: [{ ...good, inputSchema: marked }] });
  assert.equal((manifest["tools"] as JsonObject[])[0]?.["inputSchema"], marked);
  assert.equal(messages, []);
});

/** Templates of RFC 6570, with what they are in a manifest. */
const TEMPLATES: readonly (readonly [listed: string, here: string])[] = [
  ["find:///{?q*}", "find:///{?q}"],
  ["find:///{?q*,limit}", "find:///{?q,limit}"],
  ["find:///a{?q*}{&page,size*}", "find:///a{?q,page,size}"],
  ["find:///{?q}{&page}", "find:///{?q,page}"],
  ["find:///{name*}", "find:///{name}"],
  ["find:///{+path*}", "find:///{+path}"],
  ["find://{/kind,name}", "find://{/kind}{/name}"],
  ["find://{/kind,path*}", "find://{/kind}{/path*}"],
  ["find://{/path*}{?q*}", "find://{/path*}{?q}"],
  ["find://{/path*}/raw", "find:///{+path}/raw"],
];

test("a URI template means the same in the manifest's subset, which is said", () => {
  for (const [listed, here] of TEMPLATES) {
    const template = { uriTemplate: listed, name: "found", description: "Found." };
    const { manifest, messages, codes } = imported({ resourceTemplates: [template] });
    const [item] = (manifest["resourceTemplates"] ?? []) as JsonObject[];
    assert.equal(item?.["uriTemplate"], here, `${listed} ${messages.join()}`);
    assert.is(messages.length, 1);
    assert.match(messages[0] ?? "", `its URI template is ${JSON.stringify(here)} here, with one`);
    assert.is(codes.length, 1);
  }
  for (const uriTemplate of ["find:///{?q}", "find://{/path*}"]) {
    const { manifest, messages } = imported({
      resourceTemplates: [{ uriTemplate, name: "found" }],
    });
    assert.is((manifest["resourceTemplates"] as JsonObject[])[0]?.["uriTemplate"], uriTemplate);
    assert.not.match(messages.join(), "URI template");
  }
});

test("a URI template that means something else without what no manifest can say is left out", () => {
  for (const uriTemplate of [
    "find:///{q:3}",
    "find:///{#part}",
    "find:///a{;q}",
    "find:///{",
    "a?b=1{&q}",
  ]) {
    const template = { uriTemplate, name: "found", description: "Found." };
    const { manifest, messages } = imported({ tools: [good], resourceTemplates: [template] });
    assert.is(manifest["resourceTemplates"], undefined, uriTemplate);
    assert.match(messages.join(), 'resource template "found" is left out');
  }
});

test("a resource whose URI is written in another way is imported, and read under its own", () => {
  const resources = ["NOTES://Two", "file:///C:/x y.txt", "https://a.example", "a://b"].map(
    (uri) => ({ uri, name: uri }),
  );
  const result = imported({ resources }, {}, { upstream: "far", manifestKeys: UPSTREAMS });
  assert.equal(
    (result.manifest["resources"] as JsonObject[]).map(({ uri, mcp }) => [uri, mcp]),
    [
      ["notes://Two", { upstream: "far", uri: "NOTES://Two" }],
      ["file:///C:/x%20y.txt", { upstream: "far", uri: "file:///C:/x y.txt" }],
      ["https://a.example/", { upstream: "far", uri: "https://a.example" }],
      ["a://b", { upstream: "far" }],
    ],
  );
  assert.equal(result.codes, ["MW6132"]);
  const twice = imported({
    resources: [
      { uri: "a://b", name: "a" },
      { uri: "A://b", name: "b" },
    ],
  });
  assert.equal(names(twice, "resources"), ["a"]);
});

test("resources and templates with the same name get names of their own", () => {
  const result = imported({
    resources: [
      { uri: "a://b/readme", name: "README.md" },
      { uri: "a://c/readme", name: "README.md" },
      { uri: "a://d/readme", name: "readme md" },
    ],
    resourceTemplates: [
      { uriTemplate: "a://x/{id}", name: "README.md" },
      { uriTemplate: "a://y/{id}", name: "item" },
    ],
  });
  const all = [...names(result, "resources"), ...names(result, "resourceTemplates")];
  assert.equal(all, ["README.md", "README.md_3", "readme md_2", "README.md_4", "item"]);
  assert.equal(result.codes, ["MW6132"]);
});

test("a resource that gets another name has its former one as the title", () => {
  const long = `${"x".repeat(59)}😀 long text`;
  const result = imported({
    resources: [
      { uri: "a://1", name: long },
      { uri: "a://2", name: long, title: "Second", size: 2 },
      { uri: "a://3", name: long, description: "Third." },
      { uri: "a://4", name: "😀".repeat(129) },
      { uri: "a://5", name: "" },
      { uri: "a://6", name: "" },
    ],
  });
  assert.equal(result.manifest["resources"], [
    { uri: "a://1", name: long },
    { uri: "a://2", name: `${long}_3`, title: "Second", size: 2 },
    { uri: "a://3", name: `${long}_2`, title: long, description: "Third." },
    { uri: "a://4", name: "😀".repeat(128), title: "😀".repeat(129) },
    { uri: "a://5", name: "a_5" },
    { uri: "a://6", name: "a_6" },
  ]);
  assert.equal(result.codes, ["MW6132"]);
});

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
