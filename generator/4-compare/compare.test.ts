import { test } from "uvu";
import * as assert from "uvu/assert";
import { canonicalManifest } from "../3-normalize/canonical.js";
import type { BodyModel } from "../model/bodies.js";
import type { JsonObject, JsonSchema, JsonValue } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { allRules } from "./catalogue/index.js";
import { compareManifests } from "./compare.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";

const DEMO: JsonObject = { name: "demo", version: "1.0.0" };

function compare(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [former, present] = [before, after].map((part) => canonicalManifest({ ...DEMO, ...part }));
  return compareManifests(former!, present!);
}

/** Each change as "rule path". */
function reported(before: JsonObject, after: JsonObject): string[] {
  return compare(before, after)
    .filter(({ rule }) => rule !== "breaking-without-major-version")
    .map(({ rule, path }) => `${rule} ${path}`);
}

const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  description: "Does it.",
  ...more,
});

const ofInput = (schema: JsonSchema): JsonObject => ({
  tools: [tool("a", { inputSchema: schema })],
});
const ofOutput = (schema: JsonSchema): JsonObject => ({
  tools: [tool("a", { outputSchema: schema })],
});
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});

test("arguments that a program gets unchecked are reported: new ones, those of new tools, and former ones", () => {
  const running = (name: string, ...trusted: readonly string[]): JsonObject =>
    tool(name, {
      inputSchema: object({ x: { type: "string" }, y: { type: "string" } }),
      exec: {
        command: ["report", "{{x}}", "{{y}}"],
        ...(trusted.length > 0 && { trusted: [...trusted] }),
      },
    });
  const found = (before: JsonObject[], after: JsonObject[]): string[] =>
    reported({ tools: before }, { tools: after });
  assert.equal(found([running("a", "x")], [running("a", "y", "x")]), [
    "argument-trusted tools.a.exec.trusted",
  ]);
  assert.equal(found([running("a", "x", "y")], [running("a", "y", "x")]), []);
  assert.equal(found([running("a", "x", "y")], [running("a")]), [
    "argument-not-trusted tools.a.exec",
    "argument-not-trusted tools.a.exec",
  ]);
  assert.equal(found([tool("b")], [tool("b"), running("a", "x")]), [
    "argument-trusted tools.a.exec.trusted",
    "tool-added tools.a",
  ]);
  const renamed = { ...running("b", "x"), renamedFrom: "a" };
  assert.equal(found([running("a", "x")], [renamed]), ["tool-renamed tools.b.name"]);
});

test("an equivalent manifest is no change", () => {
  const transports = [{ type: "stdio" }];
  assert.equal(reported({}, { transports }), []);
  assert.equal(
    reported(
      { transports: [{ type: "http" }] },
      { transports: [{ type: "http", path: "/mcp", port: 3000 }] },
    ),
    [],
  );
  const hints = { readOnlyHint: false, destructiveHint: true };
  assert.equal(
    reported({ tools: [tool("a")] }, { tools: [tool("a", { annotations: hints })] }),
    [],
  );
  assert.equal(reported({ tools: [tool("a"), tool("b")] }, { tools: [tool("b"), tool("a")] }), []);
  const schema = object({ city: { $ref: "#/schemas/City" } });
  const inline = object({ city: { type: "string" } });
  assert.equal(
    reported({ ...ofInput(schema), schemas: { City: { type: "string" } } }, ofInput(inline)),
    [],
  );
  assert.equal(reported(ofInput(true), ofInput({ type: "object" })), [], "an input is an object");
});

test("renames and aliases of tools are told apart from removals", () => {
  const before = { tools: [tool("old", { inputSchema: object({ a: {} }) })] };
  const renamed = (more: JsonObject): JsonObject => ({
    tools: [
      tool("new", {
        renamedFrom: ["older", "old"],
        inputSchema: object({ a: {}, b: {} }),
        ...more,
      }),
    ],
  });
  assert.equal(reported(before, renamed({})), [
    "tool-renamed tools.new.name",
    "input-property-added tools.new.inputSchema.properties.b",
  ]);
  assert.equal(reported(before, renamed({ aliases: ["old"] })), [
    "tool-renamed-with-alias tools.new.name",
    "input-property-added tools.new.inputSchema.properties.b",
  ]);
  assert.equal(reported(before, { tools: [tool("new", { aliases: ["old"] })] }), [
    "input-property-removed tools.new.inputSchema.properties.a",
    "input-object-closed tools.new.inputSchema.additionalProperties",
    "tool-added tools.new",
    "tool-renamed-with-alias tools.new.aliases",
  ]);
  assert.equal(
    reported(
      { tools: [tool("a"), tool("b")] },
      { tools: [tool("b", { renamedFrom: "a" }), tool("a", { renamedFrom: "b" })] },
    ),
    [],
    "both names are there",
  );
  assert.equal(
    reported(
      { tools: [tool("a", { aliases: ["x"] })] },
      { tools: [tool("b", { aliases: ["x", "a"] })] },
    ),
    ["tool-added tools.b", "tool-renamed-with-alias tools.b.aliases"],
  );
});

test("if another tool answers to a name, the schemas of both tools are compared", () => {
  const [a, b] = [object({ a: {} }), object({ b: {} }, { required: ["b"] })];
  const holding = (aliases: string[], other: string[] = []): JsonObject => ({
    tools: [
      tool("one", { inputSchema: a, aliases }),
      tool("two", { inputSchema: b, aliases: other }),
    ],
  });
  const [moved, ...others] = compare(holding(["x", "y"]), holding([], ["y", "x"]));
  assert.is(moved?.rule, "input-property-newly-required");
  assert.is(moved?.path, "tools.two.inputSchema.properties.b");
  assert.match(String(moved?.message), 'callers must give "b" now (for callers of "x", "y")');
  assert.equal(
    others.map(({ rule }) => rule),
    ["breaking-without-major-version"],
  );

  assert.equal(
    reported(holding(["x"]), {
      tools: [tool("one", { inputSchema: a }), tool("x", { inputSchema: b })],
    }),
    [
      "tool-removed tools.two",
      "input-property-newly-required tools.x.inputSchema.properties.b",
      "tool-added tools.x",
    ],
    "an alias became a tool of its own",
  );
  const taken = reported(
    { tools: [tool("old", { inputSchema: a }), tool("two", { inputSchema: b })] },
    {
      tools: [
        tool("new", { renamedFrom: "old", inputSchema: a }),
        tool("two", { inputSchema: b, aliases: ["old"] }),
      ],
    },
  );
  assert.equal(
    taken,
    [
      "input-property-newly-required tools.two.inputSchema.properties.b",
      "tool-renamed-with-alias tools.two.aliases",
    ],
    "the old name answers, but with another tool than the renamed one",
  );
});

test("a removed item gets a hint at an added item that is like it, and each added item is named once", () => {
  const schema = { inputSchema: object({ a: { type: "string", description: "x" } }) };
  const messages = compare(
    { tools: [tool("one", schema), tool("two", schema)] },
    { tools: [tool("three", { inputSchema: object({ a: { type: "string" } }) })] },
  ).map(({ message }) => message);
  assert.match(
    String(messages[0]),
    'the tool "one" is gone; if "three" is the same under a new name',
  );
  assert.is(messages[1], 'the tool "two" is gone');
});

test("each place has one change, the most specific one", () => {
  const [a, closed] = [{ a: { type: "string" } }, { additionalProperties: false }];
  const required = { required: ["a"] };
  assert.equal(reported(ofInput(object({})), ofInput(object(a, required))), [
    "input-property-newly-required tools.a.inputSchema.properties.a",
  ]);
  assert.equal(reported(ofOutput(object(a, required)), ofOutput(object({}))), [
    "output-property-removed tools.a.outputSchema.properties.a",
  ]);
  assert.equal(
    reported(ofOutput(object(a, { ...required, ...closed })), ofOutput(object({}, closed))),
    ["output-property-removed tools.a.outputSchema.properties.a"],
  );
  assert.equal(reported(ofInput(object({}, closed)), ofInput(object(a, closed))), [
    "input-property-added tools.a.inputSchema.properties.a",
  ]);
});

test("where one of several forms replaces another, the type is not said to be gone", () => {
  const closed = (kind: string): JsonObject =>
    object({ kind: { const: kind } }, { required: ["kind"], additionalProperties: false });
  const [one, others] = [closed("a"), { oneOf: [closed("b"), closed("c")] }].map(ofOutput);
  const withoutForm = ofOutput({ oneOf: [{ type: "string" }, { type: "null" }] });
  const wordsOf = (before: JsonObject, after: JsonObject): string[] =>
    compare(before, after).flatMap(({ path, message }) => (/oneOf$/.test(path) ? [message] : []));
  assert.equal(wordsOf(one!, others!), ["no longer returned: object of the former form"]);
  assert.equal(wordsOf(others!, one!), ["now returned: object of a new form"]);
  assert.equal(wordsOf(one!, withoutForm), ["no longer returned: object"]);
});

test("a change of a shared schema is reported once, with the tools that use the schema", () => {
  const tools = ["a", "b", "c"].map((name) =>
    tool(name, { inputSchema: object({ city: { $ref: "#/schemas/City" } }) }),
  );
  const city = (maxLength: number): JsonObject => ({
    schemas: { City: { type: "string", maxLength, description: `up to ${maxLength}` } },
    tools,
  });
  const changes = compare(city(80), city(40)).map(({ path, message, at }) => [path, message, at]);
  assert.equal(changes.slice(0, 2), [
    [
      "schemas.City.maxLength",
      "maxLength was 80, is 40 (in the input of a and 2 more tools)",
      ["schemas", "City", "maxLength"],
    ],
    [
      "schemas.City.description",
      'description changed from "up to 80" to "up to 40"',
      ["schemas", "City", "description"],
    ],
  ]);
});

test("breaking changes without a new major version are reported with the version that they need", () => {
  const message = (before: string, after: string): string | undefined =>
    compareManifests(
      { name: "demo", version: before, tools: [tool("a")] },
      { name: "demo", version: after },
    ).find(({ rule }) => rule === "breaking-without-major-version")?.message;
  assert.match(
    String(message("1.2.3", "1.2.3")),
    "the version is still 1.2.3; breaking changes need 2.0.0",
  );
  assert.match(String(message("1.2.3", "1.3.0")), "breaking changes need 2.0.0");
  assert.match(String(message("0.2.3", "0.2.4")), "breaking changes need 0.3.0");
  assert.is(message("0.2.3", "0.3.0"), undefined);
  assert.is(message("1.2.3", "2.0.0-rc.1"), undefined);
  assert.is(message("2.0.0-rc.1", "2.0.0-rc.2"), undefined, "a preview promises nothing");
  assert.is(message("2.0.0-rc.1", "2.0.0"), undefined);
  assert.match(String(message("2.1.3-rc.1", "2.1.3")), "breaking changes need 3.0.0");
  assert.is(message("package.json", "package.json"), undefined);
});

test("comparing never throws, whatever a lock holds", () => {
  const oddities: JsonValue[] = [
    null,
    1,
    "x",
    [],
    {},
    [null],
    [{}],
    [{ name: 1 }],
    [{ name: "a" }],
  ];
  const keys = [
    "tools",
    "resources",
    "resourceTemplates",
    "prompts",
    "transports",
    "env",
    "schemas",
    "protocol",
    "limits",
    "pageSize",
  ];
  const shapes =
    "inputSchema outputSchema annotations arguments aliases uri scopes uses elicitations enabled subscribe timeoutMs allowedOrigins cors tls sessions".split(
      " ",
    );
  for (const oddity of oddities) {
    for (const key of keys) {
      compare({ [key]: oddity }, { [key]: [{ name: "a", type: "http" }] });
      compare({ [key]: [{ name: "a", type: "http" }] }, { [key]: oddity });
      for (const shape of shapes) {
        compare(
          { [key]: [{ name: "a", [shape]: oddity }] },
          { [key]: [{ name: "a", [shape]: {} }] },
        );
      }
    }
    for (const keyword of [
      "type",
      "properties",
      "required",
      "enum",
      "items",
      "allOf",
      "minimum",
      "$ref",
    ]) {
      compare(ofInput({ [keyword]: oddity }), ofInput(object({ a: { type: "string" } })));
      compare(ofInput(object({ a: { type: "string" } })), ofInput({ [keyword]: oddity }));
    }
    for (const [kind, body] of Object.entries(VALID_BODIES)) {
      const ofTool = (given: JsonValue): JsonObject => ({ tools: [{ name: "a", [kind]: given }] });
      for (const damaged of [
        oddity,
        ...Object.keys(body).map((key) => ({ ...body, [key]: oddity })),
      ]) {
        compare(ofTool(damaged), ofTool(body));
        compare(ofTool(body), ofTool(damaged));
      }
    }
  }
});

/** A body of each kind, with keys that its kind compares. */
const VALID_BODIES: Readonly<Record<BodyModel["kind"], JsonObject>> = {
  http: {
    upstream: "api",
    method: "POST",
    path: "/x",
    query: {},
    body: {},
    result: { from: "/a" },
  },
  sql: {
    database: "shop",
    query: "select 1",
    write: true,
    role: { claim: "a" },
    set: {},
    fields: ["a"],
  },
  exec: { command: ["ls"], cwd: "a", env: {}, stdin: "" },
  directory: { root: "docs", hidden: true },
  mcp: { server: "far", tool: "a", arguments: {}, select: "a" },
};

/** Tools with one shared schema: comparing it for each of them would take minutes. */
const TOOLS = shortOrLong(250, 1_000);

test(`${TOOLS} tools with one shared schema can be compared`, () => {
  const big = (maximum: number): JsonObject =>
    object(
      Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [`p${index}`, { type: "integer", maximum }]),
      ),
    );
  const manifest = (maximum: number): JsonObject => ({
    schemas: { Big: big(maximum) },
    tools: Array.from({ length: TOOLS }, (_, index) =>
      tool(`t${index}`, { inputSchema: { type: "object", $ref: "#/schemas/Big" } }),
    ),
  });
  assert.is(reported(manifest(7), manifest(7)).length, 0);
  const changes = compare(manifest(7), manifest(8));
  assert.ok(changes.length >= 100);
});

test("every rule that is reported is in the catalogue", () => {
  const known = new Set(allRules.map(({ id }) => id));
  const changes = compare(
    { tools: [tool("a"), tool("b")], prompts: [{ name: "p" }] },
    { tools: [tool("c")], resources: [{ name: "r", uri: "a://b" }] },
  );
  assert.ok(changes.length >= 5);
  for (const { rule } of changes) assert.ok(known.has(rule), rule);
});

test("changes of an upstream's addresses and of what requests send are reported", () => {
  const api = (more: JsonObject): JsonObject => ({
    upstreams: { api: { baseUrl: "https://api.example", ...more } },
  });
  const messages = (before: JsonObject, after: JsonObject): string[] =>
    compare(before, after).map(({ message }) => message);
  assert.equal(messages(api({}), api({ proxy: "http://proxy.example" })), [
    'the proxy of the upstream "api" was none, is "http://proxy.example"',
  ]);
  const token = (tokenUrl: string): JsonObject =>
    api({ auth: { clientCredentials: { tokenUrl } } });
  assert.equal(messages(token("https://a.example/t"), token("https://b.example/t")), [
    'the token URL of the upstream "api" was "https://a.example/t", is "https://b.example/t"',
  ]);
  const sends = (more: JsonObject): JsonObject => ({
    ...api({}),
    tools: [tool("a", { http: { upstream: "api", path: "/x", ...more } })],
  });
  assert.equal(messages(sends({ query: { a: 1 } }), sends({ query: { a: 2 } })), [
    "the request has another query",
  ]);
  assert.equal(reported(sends({ headers: { A: "b" } }), sends({})), [
    "request-changed tools.a.http",
  ]);
  assert.equal(reported(sends({ body: [1, { a: "x" }] }), sends({ body: [1, { a: "x" }] })), []);
});

test("requests of resources and templates are compared like those of tools", () => {
  const upstreams = { api: { baseUrl: "https://api.example" } };
  const resource = (more: JsonObject): JsonObject => ({
    upstreams,
    resources: [{ uri: "a://b", name: "a", ...more }],
  });
  const template = (more: JsonObject): JsonObject => ({
    upstreams,
    resourceTemplates: [{ uriTemplate: "a://{b}", name: "a", ...more }],
  });
  const http = (path: string): JsonObject => ({ http: { upstream: "api", path } });
  assert.equal(reported(resource(http("/a")), resource(http("/b"))), [
    "request-changed resources.a.http.path",
  ]);
  assert.equal(reported(template(http("/a")), template({})), [
    "answered-otherwise resourceTemplates.a.name",
  ]);
  const [change] = compare(resource({ text: "x" }), resource(http("/b")));
  assert.is(change?.message, "fixed content answered, and now a request of the manifest does");
});

test("sources that complete arguments or list instances are compared like bodies", () => {
  const upstreams = { api: { baseUrl: "https://api.example" } };
  const http = (path: string): JsonObject => ({ http: { upstream: "api", path } });
  const found = (complete: JsonValue, list: JsonValue): JsonObject => ({
    upstreams,
    resourceTemplates: [{ name: "a", uriTemplate: "a://{id}", complete: { id: complete }, list }],
    prompts: [{ name: "p", arguments: [{ name: "id", complete }] }],
  });
  assert.equal(reported(found(http("/a"), http("/a")), found(http("/b"), http("/c"))), [
    "request-changed resourceTemplates.a.complete.id.http.path",
    "request-changed resourceTemplates.a.list.http.path",
    "request-changed prompts.p.arguments.id.complete.http.path",
  ]);
  const sql = (query: string): JsonObject => ({ sql: { database: "shop", query } });
  assert.equal(reported(found(sql("select 1"), "code"), found(sql("select 2"), "code")), [
    "statement-changed resourceTemplates.a.complete.id.sql.query",
    "statement-changed prompts.p.arguments.id.complete.sql.query",
  ]);
  const [one, two, three] = compare(found(["x"], "code"), found(http("/a"), http("/a")));
  const words = "answered, and now a request of the manifest does";
  for (const [change, before] of [
    [one, "a list of the manifest"],
    [two, "code"],
    [three, "a list of the manifest"],
  ] as const) {
    assert.match(change?.message ?? "", `${before} ${words}`);
  }
  assert.equal(reported(found(["x"], "code"), found("code", "code")), []);
});

test.run();
