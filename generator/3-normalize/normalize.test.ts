import { McpUiResourceMetaSchema } from "@modelcontextprotocol/ext-apps/app-bridge";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonSchema, JsonValue } from "../model/json.js";
import type { Manifest } from "../model/manifest.js";
import { canonicalManifest } from "./canonical.js";
import { normalize } from "./normalize.js";

const base: Manifest = { name: "demo", version: "1.0.0" };

test("defaults replace what the manifest leaves out", () => {
  const model = normalize({
    ...base,
    tools: [{ name: "ping", description: "Answers." }],
    env: { KEY: null },
    limits: { timeoutMs: 500 },
  });
  assert.equal(model.transports, [{ type: "stdio" }]);
  assert.equal(model.limits, { timeoutMs: 500 });
  assert.equal(model.env, [{ name: "KEY", type: "string", required: false, secret: false }]);
  assert.equal(model.tools[0]?.wire, {
    name: "ping",
    description: "Answers.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
  });
});

test("clients are shown an input without a combination at its root", () => {
  const inputSchema = {
    type: "object",
    allOf: [
      { $ref: "#/schemas/Place" },
      { anyOf: [{ required: ["city"] }, { required: ["zip"] }] },
    ],
  };
  const schemas = { Place: { properties: { city: { type: "string" }, zip: { type: "string" } } } };
  const tools = [{ name: "find", description: "Finds.", inputSchema }];
  const shownBy = (schemaRefs: "defs" | "inline" | "verbatim"): unknown =>
    normalize({ ...base, schemas, schemaRefs, tools }).tools[0]?.wire["inputSchema"];
  const flat = {
    type: "object",
    description: "The arguments must fit at least one of these:\n- with city\n- with zip",
    properties: { city: { type: "string" }, zip: { type: "string" } },
  };
  assert.equal(shownBy("defs"), flat);
  assert.equal(shownBy("inline"), flat);
  assert.equal(shownBy("verbatim"), {
    ...inputSchema,
    allOf: [{ $ref: "#/$defs/Place" }, inputSchema.allOf[1]],
    $defs: schemas,
  });
});

test("clients are shown the types of listed values, and validators get the schema of the manifest", () => {
  const [kind, typedKind] = [{ enum: ["a", "b"] }, { type: "string", enum: ["a", "b"] }];
  const schema = { type: "object", properties: { kind, id: { const: 1 } } };
  const typed = {
    type: "object",
    properties: { kind: typedKind, id: { type: "integer", const: 1 } },
  };
  const choice = { oneOf: [{ properties: { kind, id: { const: 1 } } }, { required: ["name"] }] };
  const shownBy = (inputSchema: object, schemaRefs?: "verbatim"): JsonObject => {
    const tool = { name: "find", description: "Finds.", inputSchema, outputSchema: schema };
    const [found] = normalize({
      ...base,
      ...(schemaRefs && { schemaRefs }),
      tools: [tool as never],
    }).tools;
    assert.equal(found?.output?.wire, schema);
    return found?.wire as JsonObject;
  };
  const { inputSchema, outputSchema } = shownBy(schema);
  assert.equal([inputSchema, outputSchema], [typed, typed]);
  const flat = shownBy(choice)["inputSchema"] as JsonObject;
  assert.equal(flat["properties"], typed.properties);
  assert.equal(shownBy(schema, "verbatim")["inputSchema"], schema);
});

test("settings of how items are served are not sent to clients", () => {
  const cache = { ttlMs: 5, "x-note": "ignored" };
  const settings = { enabled: false, timeoutMs: 9, subscribe: true, cache };
  const model = normalize({
    ...base,
    cache: { cacheScope: "public" },
    pageSize: 3,
    resources: [
      { name: "a", uri: "x://a", ...settings },
      { name: "b", uri: "x://b" },
    ],
  });
  assert.equal([model.cache, model.pageSize], [{ cacheScope: "public" }, 3]);
  const [a, b] = model.resources;
  assert.equal(a?.wire, { uri: "x://a", name: "a" });
  assert.equal([a?.enabled, a?.timeoutMs, a?.subscribe, a?.cache], [false, 9, true, { ttlMs: 5 }]);
  assert.equal(
    [b?.enabled, b?.timeoutMs, b?.subscribe, b?.cache],
    [undefined, undefined, false, undefined],
  );
});

test("a tool's app is a resource of its own, and named in the tool's _meta", () => {
  const _meta = { "example/x": 1, ui: { visibility: ["app"] } };
  const model = normalize({
    ...base,
    tools: [{ name: "show", title: "Show", description: "d", ui: "ui/show.html", _meta }],
    resources: [{ name: "a", uri: "x://a" }],
  });
  const resourceUri = "ui://tools/show";
  assert.equal(model.tools[0]?.wire["_meta"], {
    "example/x": 1,
    ui: { visibility: ["app"], resourceUri },
    "ui/resourceUri": resourceUri,
  });
  const [, app] = model.resources;
  assert.equal(app?.wire["mimeType"], "text/html;profile=mcp-app");
  assert.equal([app?.uri, app?.behaviour], [resourceUri, { kind: "file", path: "ui/show.html" }]);
  assert.is(new URL(resourceUri).href, resourceUri);
});

test("what the page of an app needs of clients is in the _meta of its resource", () => {
  const settings = {
    csp: { connectDomains: ["https://a.example"] },
    permissions: { clipboardWrite: {} },
    domain: "x.example",
    prefersBorder: false,
  };
  const ui = { file: "ui/show.html", ...settings };
  const { resources } = normalize({ ...base, tools: [{ name: "show", description: "d", ui }] });
  assert.equal(resources[0]?.wire["_meta"], { ui: settings });
  assert.equal(McpUiResourceMetaSchema.parse(settings), settings);
  assert.equal(resources[0]?.behaviour, { kind: "file", path: "ui/show.html" });
});

test("wire items have the protocol's key order, whatever the manifest's", () => {
  const tool = { _meta: {}, annotations: {}, description: "d", title: "t", name: "a" };
  const [wire] = normalize({ ...base, tools: [tool] }).tools.map((model) =>
    Object.keys(model.wire),
  );
  assert.equal(wire, ["name", "title", "description", "inputSchema", "annotations", "_meta"]);
});

test("the model cannot be changed", () => {
  const model = normalize({ ...base, tools: [{ name: "a", description: "d" }] });
  assert.throws(() => ((model.tools[0]?.wire as JsonObject)["name"] = "b"), "read only");
});

test("the $defs of a schema have the shared schemas that it uses, directly or through others", () => {
  const model = normalize({
    ...base,
    schemas: {
      City: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: { country: { $ref: "#/schemas/Country" } },
      },
      Country: {
        $defs: { Code: { type: "string" } },
        properties: { code: { $ref: "#/$defs/Code" } },
      },
      Unused: { $schema: "https://json-schema.org/draft/2020-12/schema", type: "string" },
    },
    tools: [
      {
        name: "a",
        description: "d",
        inputSchema: {
          type: "object",
          properties: { city: { $ref: "#/schemas/City" }, own: { $ref: "#/$defs/City" } },
          $defs: { City: { type: "number" } },
        },
      },
    ],
  });
  const input = model.tools[0]?.input;
  assert.equal(input?.wire, {
    type: "object",
    properties: { city: { $ref: "#/$defs/City_2" }, own: { $ref: "#/$defs/City" } },
    $defs: {
      City: { type: "number" },
      City_2: { type: "object", properties: { country: { $ref: "#/$defs/Country" } } },
      Country: {
        $defs: { Code: { type: "string" } },
        properties: { code: { $ref: "#/$defs/Country/$defs/Code" } },
      },
    },
  });
  assert.equal((input?.authored as JsonObject)["$defs"], { City: { type: "number" } });
});

test("a shared schema may have a name that starts with x-", () => {
  const inputSchema = { type: "object", properties: { a: { $ref: "#/schemas/x-text" } } };
  const model = normalize({
    ...base,
    schemas: { "x-text": { type: "string" } },
    tools: [{ name: "t", description: "x", inputSchema }],
  });
  const wire = model.tools[0]?.input.wire as JsonObject;
  assert.equal(wire["$defs"], { "x-text": { type: "string" } });
});

test("a schema without shared schemas is sent unchanged", () => {
  const inputSchema = { type: "object", properties: { $ref: { type: "string" } }, $comment: "x" };
  const model = normalize({ ...base, tools: [{ name: "a", description: "d", inputSchema }] });
  assert.equal(model.tools[0]?.wire["inputSchema"], inputSchema);
});

test("a recursive shared schema refers to its copy in the $defs", () => {
  const model = normalize({
    ...base,
    schemas: { Node: { properties: { next: { $ref: "#" } } } },
    tools: [
      {
        name: "a",
        description: "d",
        inputSchema: { type: "object", properties: { n: { $ref: "#/schemas/Node" } } },
      },
    ],
  });
  const wire = model.tools[0]?.input.wire as JsonObject;
  assert.equal(wire["$defs"], { Node: { properties: { next: { $ref: "#/$defs/Node" } } } });
});

test("a copy can replace each reference to a shared schema, with the keywords beside the reference", () => {
  const wireOf = (schemas: Record<string, JsonSchema>, inputSchema: JsonObject): JsonValue =>
    normalize({
      ...base,
      schemas,
      schemaRefs: "inline",
      tools: [{ name: "a", description: "d", inputSchema }],
    }).tools[0]?.input.wire ?? null;
  const shared: Record<string, JsonSchema> = {
    City: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      description: "A city",
      type: "object",
      properties: { country: { $ref: "#/schemas/Country" }, twin: { $ref: "#/$defs/Twin" } },
      $defs: { Twin: { type: "string" } },
    },
    Country: { anyOf: [{ $ref: "#/$defs/Code" }, { const: "none" }], $defs: { Code: {} } },
    Any: true,
    Nothing: false,
  };
  const city = {
    description: "A city",
    type: "object",
    properties: { country: { anyOf: [{}, { const: "none" }] }, twin: { type: "string" } },
  };
  const own = { $defs: { Own: { type: "number" } } };
  assert.equal(
    wireOf(shared, {
      type: "object",
      properties: {
        plain: { $ref: "#/schemas/City" },
        described: { $ref: "#/schemas/City", description: "Where to", default: {} },
        part: { $ref: "#/schemas/City/properties/twin" },
        list: { type: "array", items: { $ref: "#/schemas/Country" } },
        narrower: { $ref: "#/schemas/City", required: ["twin"], allOf: [{ minProperties: 1 }] },
        any: { $ref: "#/schemas/Any", title: "Any" },
        nothing: { $ref: "#/schemas/Nothing", title: "Nothing" },
        own: { $ref: "#/$defs/Own" },
      },
      ...own,
    }),
    {
      type: "object",
      properties: {
        plain: city,
        described: { ...city, description: "Where to", default: {} },
        part: { type: "string" },
        list: { type: "array", items: city.properties.country },
        narrower: { required: ["twin"], allOf: [{ minProperties: 1 }, city] },
        any: { title: "Any" },
        nothing: { title: "Nothing", not: {} },
        own: { $ref: "#/$defs/Own" },
      },
      ...own,
    },
  );
  const whole = wireOf(shared, { $ref: "#/schemas/Country", ...own });
  assert.equal(whole, { type: "object", anyOf: [{}, { const: "none" }], ...own });

  const draft = { $schema: "http://json-schema.org/draft-07/schema#" };
  assert.equal(
    wireOf(
      { City: { ...draft, type: "string" } },
      {
        ...draft,
        type: "object",
        properties: { a: { $ref: "#/schemas/City", description: "x", minLength: 3, default: "y" } },
      },
    ),
    { ...draft, type: "object", properties: { a: { type: "string", description: "x" } } },
    "draft-07 passes over what stands beside a reference",
  );
});

test("the model has the questions that handlers may ask, with the placeholders of their texts", () => {
  const form = { type: "object", properties: { ok: { type: "boolean" } } };
  const model = normalize({
    ...base,
    tools: [
      { name: "plain", description: "d", uses: [], elicitations: {} },
      {
        name: "asking",
        description: "d",
        uses: ["roots"],
        elicitations: {
          confirm: {
            message: "{{a}} {{#b}}{{b}}{{c}}{{/b}}{{^b}}{{d}}{{/b}} {{{{e}}",
            requestedSchema: form,
          },
          pay: { message: "{{sum}}", url: "https://x.example/{{sum}}/{{to}}" },
        },
      },
    ],
  });
  const [plain, asking] = model.tools;
  assert.is(plain?.asks, undefined);
  assert.equal(asking?.asks, {
    sampling: false,
    roots: true,
    elicitations: [
      {
        kind: "form",
        key: "confirm",
        text: "{{a}} {{#b}}{{b}}{{c}}{{/b}}{{^b}}{{d}}{{/b}} {{{{e}}",
        message: [
          { argument: "a" },
          " ",
          { when: "b", then: [{ argument: "b" }, { argument: "c" }] },
          { unless: "b", then: [{ argument: "d" }] },
          " {{e}}",
        ],
        values: [
          { name: "a", required: true },
          { name: "b", required: false },
          { name: "c", required: true },
          { name: "d", required: true },
        ],
        schema: form,
      },
      {
        kind: "url",
        key: "pay",
        text: "{{sum}}",
        message: [{ argument: "sum" }],
        values: [
          { name: "sum", required: true },
          { name: "to", required: true },
        ],
        url: ["https://x.example/", { argument: "sum" }, "/", { argument: "to" }],
      },
    ],
  });
});

test("the key order of the manifest's own objects does not matter, and schemas keep theirs", () => {
  const one: JsonObject = {
    name: "demo",
    version: "1.0.0",
    env: { B: {}, A: {} },
    "x-note": "ignored",
    tools: [
      {
        name: "a",
        description: "d",
        inputSchema: { properties: { z: {}, a: {} }, type: "object" },
      },
    ],
  };
  const other: JsonObject = {
    tools: [
      {
        inputSchema: { properties: { z: {}, a: {} }, type: "object" },
        description: "d",
        name: "a",
      },
    ],
    env: { A: {}, B: {} },
    version: "1.0.0",
    name: "demo",
  };
  const canonical = JSON.stringify(canonicalManifest(one));
  assert.is(canonical, JSON.stringify(canonicalManifest(other)));
  assert.match(canonical, '{"properties":{"z":{},"a":{}},"type":"object"}');
});

test("methods are in capitals, and words that only look like methods stay", () => {
  const model = normalize({
    ...{ name: "demo", version: "1.0.0" },
    upstreams: {
      u: { baseUrl: "https://u.example", retries: { max: 1, methods: ["put" as "PUT"] } },
    },
    tools: [
      {
        ...{ name: "send", description: "Sends." },
        inputSchema: { type: "object", properties: { to: { type: "string" } } },
        http: { upstream: "u", path: "/x", method: "post" as "POST" },
      },
    ],
    prompts: [
      {
        ...{ name: "p", description: "P.", messages: [] },
        arguments: [{ name: "method", complete: ["get", "post"] }],
      },
    ],
    resourceTemplates: [
      {
        ...{ name: "t", description: "T.", uriTemplate: "a://{method}" },
        complete: { method: ["get"] },
        http: { upstream: "u", path: "/{{method}}", method: "get" as "GET" },
      },
    ],
  });
  const [send] = model.tools;
  const behaviour = send?.behaviour.kind === "http" ? send.behaviour : undefined;
  assert.is(behaviour?.method, "POST");
  assert.is(behaviour?.content?.kind, "json", "arguments are members of the body");
  assert.match(JSON.stringify(model.upstreams), `"methods":["PUT"]`);
  assert.equal(model.prompts[0]?.arguments[0]?.complete, ["get", "post"]);
  assert.equal(model.resourceTemplates[0]?.variables[0]?.complete, ["get"]);
});

test.run();
