import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { validateManifest } from "./validate.js";

/** The diagnostics of a manifest, each as `message; hint`. */
function diagnosticsOf(text: string): string[] {
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(`${text}\n`));
  if (manifest === undefined) throw new Error(`not YAML: ${text}`);
  return validateManifest(manifest).map(({ message, hint }) => `${message}; ${hint}`);
}

const START = "name: demo\nversion: 1.0.0\n";

/** Lines after name and version, each with all the diagnostics. */
function expectDiagnostics(cases: readonly (readonly [string, ...string[]])[]): void {
  for (const [lines, ...expected] of cases) {
    assert.equal(diagnosticsOf(START + lines), expected, lines);
  }
}

const unknown = (key: string, where: string, rest: string): string =>
  `unknown key "${key}" in ${where}${rest}`;

const meant = (key: string, where: string, nearest: string): string =>
  unknown(key, where, `; did you mean "${nearest}"?; undefined`);

const tool = (rest: string): string => `tools: [{name: a, description: x, ${rest}}]`;
const upstream = "upstreams: {api: {baseUrl: 'https://a.example'}}\n";

const atTopLevel = 'it stands at the top level of the manifest, as "name" does';

const other = "upstreams: {other: {mcp: {command: [x]}}}\n";

test("a misspelt key that is needed is not also reported as missing", () => {
  const form = "{type: object, properties: {a: {type: string}}}";
  expectDiagnostics([
    ["tools: [{Name: a, description: x}]", meant("Name", "a tool", "name")],
    ["tools: [{name: a, desc: x}]", meant("desc", "a tool", "description")],
    ["transports: [{Type: http}]", meant("Type", "a transport", "type")],
    [tool("content: [{kind: text, text: x}]"), meant("kind", "a content block", "type")],
    [
      "resourceTemplates: [{uri: 'a://{x}', name: t, description: x}]",
      meant("uri", "a resource template", "uriTemplate"),
    ],
    [
      tool(`elicitations: {q: {message: x, schema: ${form}}}`),
      meant("schema", "an elicitation", "requestedSchema"),
    ],
    [
      "upstreams: {api: {baseURL: 'https://a.example'}}",
      meant("baseURL", "an upstream", "baseUrl"),
    ],
    ["upstreams: {api: {url: 'https://a.example'}}", meant("url", "an upstream", "baseUrl")],
    ["upstreams: {other: {mcp: {cmd: [x]}}}", meant("cmd", "an MCP server", "command")],
    [
      "env: {A: {secret: true}}\nupstreams: {api: {baseUrl: 'https://a.example', auth: {Bearer: {env: A}}}}",
      meant("Bearer", "an upstream's auth", "bearer"),
    ],
    [
      "env: {A: {secret: true}}\nupstreams: {api: {baseUrl: 'https://a.example', auth: {basic: {user: a, pass: {env: A}}}}}",
      meant("user", "basic auth", "username").replace("basic", "a basic"),
      meant("pass", "basic auth", "password").replace("basic", "a basic"),
    ],
    [
      tool("examples: [{input: {}, output: {}}]"),
      meant("input", "a tool example", "arguments"),
      meant("output", "a tool example", "result"),
    ],
  ]);
});

test("a problem that follows from a misspelt key is not reported, and other problems are", () => {
  const { manifest } = loadManifest(
    "mcp.yaml",
    Buffer.from(`${START}env: {SHOP: {secret: true}}
Databases: {shop: {type: postgres, url: {env: SHOP}}}
tools:
  - name: a
    description: x
    sql: {database: shop, query: "select 1"}
  - name: b
    description: y
    sql: {database: other, query: "select 1"}
`),
  );
  const found = manifest && validateManifest(manifest);
  assert.equal(
    found?.map(({ line, column, code }) => `${line}:${column} ${code}`),
    ["4:1 MW1203", "11:21 MW2110"],
  );
});

test("a key that is missing beside other unknown keys is still reported", () => {
  expectDiagnostics([
    [
      "upstreams: {api: {pigeon: 1}}",
      "an upstream needs exactly one of baseUrl, mcp; undefined",
      unknown("pigeon", "an upstream", "; undefined"),
    ],
    ["transports: [{port: 1, pigeon: 2}]", 'a transport needs the key "type"; undefined'],
  ]);
});

test("names that other formats have for keys of bodies are understood", () => {
  expectDiagnostics([
    [
      upstream + tool("http: {upstream: api, path: /x, method: POST, params: {a: 1}, json: {}}"),
      meant("params", "an http body", "query"),
      meant("json", "an http body", "body"),
    ],
    [
      other + tool("mcp: {server: other, tool: b}"),
      meant("server", "an mcp body", "upstream"),
      meant("tool", "an mcp body", "name"),
    ],
    [
      "env: {A: {secret: true}}\ndatabases: {d: {type: postgres, dsn: {env: A}}}\n" +
        tool("sql: {db: d, statement: select 1, limit: 3}"),
      meant("dsn", "a database", "url"),
      meant("db", "a sql body", "database"),
      meant("statement", "a sql body", "query"),
      meant("limit", "a sql body", "maxRows"),
    ],
  ]);
});

test("the arguments of a program under a key of their own are written behind the program", () => {
  const advice = (where: string, line: string): string =>
    unknown("args", where, `; the arguments follow the program: command: ${line}`);
  expectDiagnostics([
    [
      tool("exec: {command: git, args: [log, '--format=%h %s']}"),
      advice("an exec body", '[git, log, "--format=%h %s"]'),
    ],
    [
      "upstreams: {other: {mcp: {command: npx, args: [-y, server]}}}",
      advice("an MCP server", "[npx, -y, server]"),
    ],
    [
      "upstreams: {other: {mcp: {command: [npx, -y], args: [server]}}}",
      advice("an MCP server", "[npx, -y, server]"),
    ],
    [
      tool("exec: {command: grep -r, args: [-m, 5]}"),
      advice("an exec body", '[grep, -r, -m, "5"]'),
    ],
    [tool("exec: {args: [a]}"), advice("an exec body", "[PROGRAM, a]")],
  ]);
});

test("a key is said to belong under another that is there, or that is one of two with such a key", () => {
  expectDiagnostics([
    [
      other + tool("mcp: {upstream: other}, arguments: {b: 1}"),
      unknown("arguments", "a tool", '; it belongs under "mcp"'),
    ],
    [tool("command: [ls]"), unknown("command", "a tool", '; it belongs under "exec"')],
    [
      tool("upstream: api, path: /x"),
      unknown("upstream", "a tool", '; it belongs under "http" or "mcp"'),
      unknown("path", "a tool", '; it belongs under "http"'),
    ],
    [
      tool("properties: {}"),
      unknown("properties", "a tool", '; it belongs under "inputSchema" or "outputSchema"'),
    ],
    [
      tool("inputSchema: {type: object, additionalProperties: false}, required: [a]"),
      unknown("required", "a tool", '; it belongs under "inputSchema"'),
    ],
    ["github: {}", unknown("github", "the manifest", "; undefined")],
    [
      `elicitations: {q: {message: Why?}}\n${tool("confirm: 'Sure?'")}`,
      unknown("elicitations", "the manifest", '; it belongs to an item of "tools"'),
    ],
    [
      "uriTemplate: 'a://{x}'\ntools: []\nresources: []\nresourceTemplates: []",
      unknown("uriTemplate", "the manifest", '; it belongs to an item of "resourceTemplates"'),
    ],
    [
      "annotations: {}\ntools: []\nresources: []\nresourceTemplates: []",
      unknown(
        "annotations",
        "the manifest",
        '; it belongs to an item of "tools", "resources" or "resourceTemplates"',
      ),
    ],
    [
      "transports: [{type: http, page: true}]",
      unknown("page", "an http transport", `; ${atTopLevel}`),
    ],
    [
      "transports: [{type: http, auth: {apiKeys: KEYS}}]",
      unknown("auth", "an http transport", `; ${atTopLevel}`),
    ],
    [tool("limits: {calls: 1}"), unknown("limits", "a tool", `; ${atTopLevel}`)],
    [
      tool("handler: src/tools/a.ts"),
      unknown(
        "handler",
        "a tool",
        "; leave it out: without a body, `generate` starts a handler under src/ for you to write",
      ),
    ],
    [tool("version: '2'"), unknown("version", "a tool", "; undefined")],
    [tool("constructor: {}"), unknown("constructor", "a tool", "; undefined")],
    [
      upstream + tool("http: {upstream: api, path: /x, auth: {apiKeys: {file: k}}}"),
      unknown(
        "auth",
        "an http body",
        '; it belongs to the upstream, which stands under "upstreams"',
      ),
    ],
    ["github: true", unknown("github", "the manifest", '; it belongs under "package"')],
    [tool("mimeType: text/plain"), unknown("mimeType", "a tool", "; undefined")],
  ]);
});

test("a URL in an http body is one mistake, with the hint to declare an upstream", () => {
  const advice = (path: string): string =>
    `; write upstreams: {api: {baseUrl: https://api.example}} at the top level, and here {upstream: api, path: ${path}}`;
  expectDiagnostics([
    [
      tool("http: {url: 'https://api.example/v1/things?limit=3', method: GET}"),
      unknown("url", "an http body", advice("/v1/things, query: …")),
    ],
    [tool("http: {url: 'https://api.example'}"), unknown("url", "an http body", advice("/"))],
    [
      "transports: [{type: http, url: 'http://localhost:3000/mcp'}]",
      unknown("url", "an http transport", "; undefined"),
    ],
  ]);
});

test("a client's configuration in an editor's form is one mistake, and its other servers are not reported", () => {
  const advice =
    "; this is the configuration of a client; `mcpwright init` writes a manifest, `mcpwright import server` one of a server";
  const configuration = "inputs: []\nservers: {a: {command: npx}}";
  assert.equal(diagnosticsOf(configuration), [unknown("servers", "the manifest", advice)]);
  expectDiagnostics([
    ["servers: [{url: 'https://a.example'}]", unknown("servers", "the manifest", "; undefined")],
  ]);
});

test("keys of other formats get advice where their value belongs elsewhere", () => {
  const prompt = (rest: string): string => `prompts: [{name: p, description: x, ${rest}}]`;
  const message = "write content: {type: text, text: …}";
  const request = (rest: string): string =>
    `${upstream}${tool(`http: {upstream: api, path: /a, ${rest}}`)}`;
  const credentials = (auth: string): string[] =>
    diagnosticsOf(`${START}upstreams: {api: {baseUrl: 'https://a.example', auth: ${auth}}}`);
  expectDiagnostics([
    [
      prompt("messages: [{role: user, text: x}]"),
      unknown("text", "a prompt message", `; ${message}`),
    ],
    [
      prompt(
        "arguments: [{name: a, description: x, type: string}], messages: [{role: user, content: {type: text, text: '{{a}}'}}]",
      ),
      unknown("type", "a prompt argument", "; leave it out: the arguments of a prompt are texts"),
    ],
    [
      "databases: {a: {sqlite: {file: a.db}}}",
      unknown("sqlite", "a database", "; write type: sqlite, and beside it what it needs"),
    ],
    [
      request("auth: {bearer: {env: A}}"),
      unknown(
        "auth",
        "an http body",
        '; it belongs to the upstream, which stands under "upstreams"',
      ),
    ],
    [request("retry: {max: 1}"), meant("retry", "an http body", "retries")],
    [
      request("headers: {X-Key: {env: A}}"),
      '"X-Key" must be a string or a number or true or false, not a mapping; the upstream sends what the server keeps: write it under its headers or auth',
    ],
  ]);
  const sql = "sql: {database: a, query: SELECT 1, params: [x]}";
  expectDiagnostics([
    [
      `env: {U: {required: true, secret: true}}\ndatabases: {a: {type: postgres, url: {env: U}}}\n${tool(sql)}`,
      unknown(
        "params",
        "a sql body",
        "; leave it out: :name in the statement is the argument of that name",
      ),
    ],
    [
      "resources: [{uri: 'a://b', name: a, description: x, directory: {root: a}}]",
      unknown(
        "directory",
        "a resource",
        '; a folder stands under "resourceTemplates", with a uriTemplate such as docs:///{+path}',
      ),
    ],
    [
      "resourceTemplates: [{uriTemplate: 'a://{+path}', name: a, description: x, directory: {path: a}}]",
      meant("path", "a directory body", "root"),
    ],
    [tool("tags: [a]"), meant("tags", "a tool", "groups")],
    ["limits: {rateLimit: 5}", meant("rateLimit", "a limits setting", "ratePerSecond")],
    [
      "transports: [{type: http, cors: {origin: '*'}}]",
      '"cors" must be true or false, not a mapping; the origins stand beside it: allowedOrigins: [https://app.example]',
    ],
  ]);
  for (const [auth, form] of [
    ["{type: bearer, token: x}", "bearer: { env: NAME }"],
    ["{type: apiKey, in: header}", "header: { name: X-API-Key, value: { env: NAME } }"],
    [
      "{type: apiKey, in: header, name: X-Token}",
      "header: { name: X-Token, value: { env: NAME } }",
    ],
    ["{type: apiKey, in: query, name: key}", "query: { name: key, value: { env: NAME } }"],
    ["{type: apiKey, in: cookie, name: sid}", "cookie: { name: sid, value: { env: NAME } }"],
    ["{type: http, scheme: bearer}", "bearer: { env: NAME }"],
    ["{type: http, scheme: Basic}", "basic: { username: { env: NAME }, password: { env: NAME } }"],
    ["{type: oauth2}", "clientCredentials: {"],
  ] as const) {
    const found = credentials(auth).find((one) => one.startsWith('unknown key "type"'));
    assert.ok(found?.includes(`; write ${form}`), found);
  }
});

test.run();
