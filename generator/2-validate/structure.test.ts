import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { validateManifest } from "./validate.js";

/** The diagnostics of a manifest with these lines after name and version: `message; hint`. */
function diagnosticsOf(lines: string): string[] {
  const { manifest } = loadManifest(
    "mcp.yaml",
    Buffer.from(`name: demo\nversion: 1.0.0\n${lines}\n`),
  );
  if (manifest === undefined) throw new Error(`not YAML: ${lines}`);
  return validateManifest(manifest).map(({ message, hint }) => `${message}; ${hint}`);
}

/** The first of them. */
function firstDiagnostic(lines: string): string {
  return diagnosticsOf(lines)[0] ?? "undefined; undefined";
}

/** Lines, each with the expected diagnostic. */
function expectDiagnostics(cases: readonly (readonly [string, RegExp])[]): void {
  for (const [lines, expected] of cases) assert.match(firstDiagnostic(lines), expected, lines);
}

const tool = (rest: string): string => `tools: [{name: a, description: x, ${rest}}]`;

test("an unknown key of a transport is reported with the transport's article", () => {
  expectDiagnostics([
    ["transports: [{type: stdio, pigeons: 1}]", / a stdio transport/],
    ["transports: [{type: http, pigeons: 1}]", / an http transport/],
    ["transports: [{type: websocket, pigeons: 1}]", / a websocket transport/],
  ]);
});

test("a mapping without members is reported where it says nothing", () => {
  expectDiagnostics([[tool("deprecated: {}"), /^"deprecated" must not be empty; undefined$/]]);
  const database = "databases: {d: {type: postgres, url: {env: D}}}";
  const found = diagnosticsOf(
    `${database}\n${tool("sql: {database: d, query: select 1, set: {}}")}`,
  );
  assert.ok(found.includes('"set" must not be empty; undefined'), found.join("\n"));
});

test("a text in place of an item, a list or another value gets a hint", () => {
  expectDiagnostics([
    ["transports: [stdio]", /write \{type: stdio\}$/],
    ["transports: [streamable-http]", /write \{type: http\}$/],
    ["transports: [pigeon]", /not the text "pigeon"; undefined$/],
    ["prompts: [{name: p, description: x, arguments: [city]}]", /write \{name: city\}$/],
    ["keywords: weather", /write \[weather\]$/],
    [tool("enabled: off"), /write false, without quotes$/],
    ["env: {A: {required: yes}}", /write true, without quotes$/],
    ['transports: [{type: http, port: "80"}]', /write it without quotes: 80$/],
  ]);
});

test("a mapping in place of a list, and a list in place of a mapping, get a hint", () => {
  expectDiagnostics([
    ["tools: {a: {description: x}}", /write a list, each item with its name and description$/],
    ["transports: {http: {}}", /each item with its type$/],
    ["env: [API_KEY]", /write a mapping: each value under a name of its own$/],
  ]);
});

test("a key at the wrong place gets a hint where it belongs", () => {
  expectDiagnostics([
    [tool("readOnlyHint: true"), /it belongs under "annotations"$/],
    [tool("annotations: {readonly: true}"), /did you mean "readOnlyHint"/],
    ["bodyBytes: 1", /it belongs under "limits"$/],
    ["mcpServers: {}", /the configuration of a client/],
    ["openapi: 3.1.0", /; `mcpwright import openapi` makes a manifest of it$/],
    ['"// note": x', /comments start with #/],
    [tool("constructor: 1"), /; undefined$/],
  ]);
});

test("each keyword beside an empty schema gets the hint to indent it, and the schema is not reported too", () => {
  for (const key of ["inputSchema", "outputSchema"]) {
    const lines = `tools:
  - name: a
    description: x
    ${key}:
    type: object
    properties: {city: {type: string}}
    required: [city]`;
    assert.equal(
      diagnosticsOf(lines),
      ["type", "properties", "required"].map(
        (keyword) =>
          `unknown key "${keyword}" in a tool; indent it: it belongs under "${key}", which is empty`,
      ),
    );
  }
  const question = `tools:
  - name: a
    description: x
    elicitations:
      city:
        message: Which?
        requestedSchema:
        properties: {city: {type: string}}`;
  assert.equal(diagnosticsOf(question), [
    'unknown key "properties" in an elicitation; indent it: it belongs under "requestedSchema", which is empty',
  ]);
  assert.match(
    firstDiagnostic(tool("inputSchema: null")),
    /not empty; a tool without arguments needs no/,
  );
});

test("values of other formats get a suggestion", () => {
  expectDiagnostics([
    ["transports: [{type: streamable-http}]", /did you mean "http"/],
    ["env: {A: {type: int}}", /did you mean "number"/],
  ]);
});

test("schemas in other notations get a hint", () => {
  const property = (schema: string): string =>
    tool(`inputSchema: {type: object, properties: {n: {${schema}}}}`);
  expectDiagnostics([
    [property("type: integer, min: 1"), /did you mean "minimum"/],
    [property("type: string, max: 1"), /did you mean "maxLength"/],
    [property("type: string, regex: a"), /did you mean "pattern"/],
    [property("type: number, exclusiveMaximum: true"), /write exclusiveMaximum with the number/],
    [property('$ref: "#/components/schemas/City"'), /shared schemas stand under "schemas"/],
    [tool("inputSchema: {city: string}"), /the arguments stand under `properties`/],
    [
      tool("inputSchema: {type: object, properties: [{name: city}]}"),
      /write each property as a key/,
    ],
  ]);
});

test("wrong names and addresses get a hint what to write instead", () => {
  expectDiagnostics([
    [
      "resources: [{uri: 'a://x/{id}', name: a, description: x}]",
      /stands under "resourceTemplates"/,
    ],
    ["tools: [{name: get weather, description: x}]", /has a space \(character 4\);/],
    [
      "transports: [{type: http, allowedOrigins: ['https://a.example/app']}]",
      /an origin, without a path: "https:\/\/a.example"/,
    ],
  ]);
  const { manifest } = loadManifest("mcp.yaml", Buffer.from("name: My Server\nversion: 1.0.0\n"));
  const [first] = manifest === undefined ? [] : validateManifest(manifest);
  assert.match(first?.message ?? "", /write my-server, and the name for people as "title"/);
});

test("a text without quotes that a comma cuts gets a hint", () => {
  const comma = /^unknown key "(from the mail|and more)" in an? .*; in \{…\} a comma ends a value/;
  expectDiagnostics([
    ["env: {KEY: {description: A key, from the mail, required: true}}", comma],
    ["env: {KEY: {description: A key,\n  and more}}", comma],
    [
      tool("inputSchema: {type: object, properties: {a: {type: string, title: One, two}}}"),
      /^"two" is not a keyword of JSON Schema; in \{…\} a comma ends a value/,
    ],
    ["env: {KEY: {description: A key, requird: null}}", /did you mean "required"\?; undefined$/],
  ]);
});

test("keys of other formats get a hint", () => {
  expectDiagnostics([
    ["components: {schemas: {}}", /did you mean "schemas"\?/],
    ["definitions: {}", /did you mean "schemas"\?/],
    [tool("responses: {}"), /did you mean "outputSchema"\?/],
  ]);
});

test("a tool name with a space gets a suggestion without the space", () => {
  expectDiagnostics([
    ["tools: [{name: get weather, description: x}]", /; write get_weather; people see the title$/],
    ["tools: [{name: wetter für morgen, description: x}]", /; undefined$/],
  ]);
});

test("types of other notations, and bounds of other types, get a hint", () => {
  const typed = (schema: string): string =>
    tool(`inputSchema: {type: object, properties: {a: {${schema}}}, additionalProperties: false}`);
  expectDiagnostics([
    [typed("type: datetime"), /; write \{type: string\}, with the format beside it$/],
    [typed("type: string | null"), /; write a list of types$/],
    [typed("type: string, minimum: 2"), /beside type: string; did you mean "minLength"\?/],
    [typed("type: integer, maxLength: 2"), /beside type: integer; did you mean "maximum"\?/],
    [tool("examples: [{input: {}, text: x}]"), /did you mean "arguments"\?/],
  ]);
});

test("quantities with a unit, and values of environment variables, get a hint", () => {
  expectDiagnostics([
    ["limits: {timeoutMs: 30s}", /; write milliseconds, without a unit$/],
    ["limits: {bodyBytes: 2 MB}", /; write bytes, without a unit$/],
    ["limits: {concurrency: many}", /not the text "many"; undefined$/],
    ["env: {API_KEY: abc}", /; its value is set where the server runs; write \{required: true\}/],
  ]);
});

test("a document of another kind gets one diagnostic", () => {
  const codes = (yaml: string): string[] => {
    const { manifest } = loadManifest("mcp.yaml", Buffer.from(yaml));
    return manifest ? validateManifest(manifest).map(({ message }) => message) : [];
  };
  assert.equal(codes("openapi: 3.1.0\ninfo: {title: x}\npaths: {}\n"), [
    'unknown key "openapi" in the manifest',
  ]);
  assert.equal(codes("mcpServers: {a: {command: node}}\n"), [
    'unknown key "mcpServers" in the manifest',
  ]);
  assert.is(codes("name: demo\nmcpServers: {}\n").length, 2);
});

const prompt = (rest: string): string => `prompts: [{name: p, description: x, ${rest}}]`;

test("settings of other formats get a hint", () => {
  expectDiagnostics([
    ["limits: {timeout: 30}", /did you mean "timeoutMs"/],
    ["cache: {ttl: 30}", /did you mean "ttlMs"/],
    ["cache: {scope: private}", /did you mean "cacheScope"/],
    ["security: []", /did you mean "auth"/],
    [
      "transports: [{type: http, tls: {cert: /etc/cert.pem, key: KEY}}]",
      /^"cert" is "\/etc\/cert\.pem": it names an environment variable/,
    ],
    [tool("scopes: ['']"), /^the scope "" is empty; undefined$/],
    [tool("renamedFrom: a"), /^"a" is the item's own name; undefined$/],
  ]);
});

test("a wrong root of an input schema gets a hint", () => {
  expectDiagnostics([
    [tool("inputSchema: {properties: {a: {}}}"), /; write `type: object` beside `properties`$/],
    [tool("inputSchema: {required: [a]}"), /; write `type: object` beside `required`$/],
    [tool(`inputSchema: '{"type": "object"}'`), /; leave out the quotes around it$/],
    [tool("inputSchema: ./schema.json"), /; a tool without arguments needs no inputSchema$/],
    [
      tool("inputSchema: {type: string}"),
      /; the arguments are one object: \{type: object, properties: \{value: \{type: string\}\}\}$/,
    ],
    [tool("inputSchema: integer"), /properties: \{value: \{type: integer\}\}\}$/],
    [tool('inputSchema: {type: [object, "null"]}'), /; write `type: object`$/],
  ]);
});

test("a text that is almost a placeholder gets a hint", () => {
  const text = (words: string): string =>
    prompt(
      `arguments: [{name: a}], messages: [{role: user, content: {type: text, text: ${words}}}]`,
    );
  const template = (uriTemplate: string): string =>
    `resourceTemplates: [{name: t, description: x, uriTemplate: "${uriTemplate}"}]`;
  expectDiagnostics([
    [text("'{a}{{a}}'"), /^"\{a\}" is plain text; for the argument, write \{\{a\}\}; undefined$/],
    [
      text("'${a}{{a}}'"),
      /^"\$\{a\}" is plain text; for the argument, write \{\{a\}\}; undefined$/,
    ],
    [text("'{b} {{a}} {{{a}}} {{{{a}}}}'"), /^undefined; undefined$/],
    [
      text("Hello"),
      /^no message has the argument "a"; show it with \{\{a\}\}, or where it is given with \{\{#a\}\}…\{\{\/a\}\}; undefined$/,
    ],
    [text("'{{^a}}none{{/a}}'"), /^undefined; undefined$/],
    [template("a://x/{{id}}"), /; a variable is written with one brace on each side: \{id\}$/],
    [
      template("a://x/${id}"),
      /^"\$" before the variable is plain text; write \{id\} alone; undefined$/,
    ],
    [template("a://x/:id/y"), /^":id" is plain text; a variable is written \{id\}; undefined$/],
    [template("a://:id/y"), /it cannot be parsed; a variable is written \{id\}; undefined$/],
    [template("a://x/{id}:8/y:z"), /^undefined; undefined$/],
  ]);
});

test("wrong versions and references get a hint what to write instead", () => {
  const first = (text: string): string => {
    const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
    const [found] = manifest === undefined ? [] : validateManifest(manifest);
    return `${found?.message}; ${found?.hint}`;
  };
  for (const [version, expected] of [
    ["1.0", /^version is the number 1; write "1\.0\.0"/],
    ["1.10", /^version is the number 1\.1; write "1\.10\.0"/],
    ["2", /^version is the number 2; write "2\.0\.0"/],
    ["v1.2", /; write "1\.2\.0"$/],
    ["'1.2'", /; write "1\.2\.0"$/],
    ["1.2.3.4", /; undefined$/],
    ["latest", /; undefined$/],
  ] as const) {
    assert.match(first(`name: demo\nversion: ${version}\n`), expected);
  }
  expectDiagnostics([
    [
      tool("inputSchema: {type: object, properties: {a: {type: array, items: [{type: string}]}}}"),
      /; for items that are all alike, write the schema without the list around it; for others, use prefixItems/,
    ],
    [
      tool("inputSchema: {type: object, properties: {a: {type: string, optional: true}}}"),
      /; what "required" beside "properties" does not name is optional$/,
    ],
  ]);
});

test("a keyword with a value of the wrong kind is reported once", () => {
  const { manifest } = loadManifest(
    "mcp.yaml",
    Buffer.from(
      `name: demo\nversion: 1.0.0\n${tool("inputSchema: {type: object, properties: {a: {type: string, description: x, required: true}}}")}\n`,
    ),
  );
  const codes = manifest && validateManifest(manifest).map(({ code }) => code);
  assert.equal(codes, ["MW3006"]);
});

test("other common mistakes get a hint", () => {
  const property = (schema: string): string =>
    tool(`inputSchema: {type: object, properties: {n: {${schema}}}}`);
  expectDiagnostics([
    ["transports: http", /; write \[\{type: http\}\]$/],
    ["transports: streamable-http", /; write \[\{type: http\}\]$/],
    [
      tool("elicitations: {c: {message: x, url: 'https://a.example', schema: {}}}"),
      /^unknown key "schema" in an elicitation; did you mean "requestedSchema"/,
    ],
    [tool("ui: https://example.com/app.html"), /: it is a URL, and a file is meant; undefined$/],
    [tool("inputSchema: {oneOf: [{}]}"), /; write `type: object` beside `oneOf`$/],
    [tool("outputSchema: string"), /; write \{type: string\}$/],
    [property("type: 'string[]'"), /; write \{type: array, items: \{…\}\}$/],
    [property("type: any"), /; leave "type" out: a schema without it takes any value$/],
  ]);
  const all = (lines: string): string => {
    const { manifest } = loadManifest(
      "mcp.yaml",
      Buffer.from(`name: demo\nversion: 1.0.0\n${lines}\n`),
    );
    return JSON.stringify(manifest && validateManifest(manifest));
  };
  const template = "resourceTemplates: [{uri: 'a://{x}', name: t, description: x}]";
  assert.match(all(template), /did you mean \\"uriTemplate\\"/);
  const resource = "resources: [{uriTemplate: 'a://x', name: t, description: x}]";
  assert.match(all(resource), /with a uriTemplate stands under \\"resourceTemplates\\"/);
});

test.run();
