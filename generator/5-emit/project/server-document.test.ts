import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonSchema } from "../../model/json.js";
import { normalize } from "../../3-normalize/normalize.js";
import type { Manifest } from "../../model/manifest.js";
import { serverDocumentView } from "./server-document.js";
import { renderTemplate } from "./templates.js";

interface View {
  readonly tools: readonly {
    readonly input: {
      readonly words: string | null;
      readonly isClosed: boolean;
      readonly rules: object | null;
    };
  }[];
  readonly resourceTemplates: readonly { readonly variables: readonly object[] }[];
}

const server = { name: "demo", version: "1.0.0" };

/** What is said of a tool's arguments. */
function argumentsViewOf(inputSchema: JsonSchema) {
  const tool = { name: "a", description: "x", inputSchema };
  const view = serverDocumentView(normalize({ ...server, tools: [tool] })) as View;
  const { words, isClosed, rules } = view.tools[0]!.input;
  return { words, isClosed, rules };
}

test("an object with patternProperties is described neither as empty nor as closed", () => {
  const patternProperties = { "^depot-": { type: "integer" } };
  const open = { type: "object", patternProperties };
  assert.equal(argumentsViewOf(open), {
    words: "object of integer",
    isClosed: false,
    rules: { patternProperties },
  });
  const closed = { ...open, additionalProperties: false };
  const rules = { patternProperties, additionalProperties: false };
  assert.equal(argumentsViewOf(closed), { words: "object of integer", isClosed: false, rules });
  const properties = { city: { type: "string" } };
  assert.equal(argumentsViewOf({ ...closed, properties }), { words: null, isClosed: false, rules });
  assert.equal(argumentsViewOf({ type: "object", properties, additionalProperties: false }), {
    words: null,
    isClosed: true,
    rules: null,
  });
  assert.equal(argumentsViewOf({ type: "object", additionalProperties: false }), {
    words: null,
    isClosed: false,
    rules: null,
  });
});

test("a tool's document shows which arguments are repeated in headers", async () => {
  const region = { type: "string", description: "Where", "x-mcp-header": "Region" } as const;
  const schema = { type: "object", properties: { region, city: { type: "string" } } } as const;
  const ofTool = (parts: object) =>
    renderTemplate(
      "SERVER.md",
      serverDocumentView(
        normalize({ ...server, tools: [{ name: "a", description: "x", ...parts }] }),
      ),
    );
  const text = await ofTool({ inputSchema: schema });
  assert.match(
    text,
    "| `region` | string | `Mcp-Param-Region` | Where |\n| `city` | string |  |  |",
  );
  assert.match(text, "repeat an argument in the header");
  assert.not.match(await ofTool({ outputSchema: schema }), "Mcp-Param");
});

test("SERVER.md says that the last segments of a template may be absent", () => {
  const template = { uriTemplate: "a://{x}{/path*}{?q}", name: "t", description: "x" };
  const model = normalize({ ...server, resourceTemplates: [template] });
  const [view] = (serverDocumentView(model) as View).resourceTemplates;
  const words = view?.variables.map((variable) => (variable as { words: string }).words);
  assert.equal(words, ["required", "any number of path segments", "optional"]);
});

const http = { type: "http" } as const;
const scoped = { name: "a", description: "x", scopes: ["plan:read"] };

/** SERVER.md of a server. */
function document(manifest: Partial<Manifest>): Promise<string> {
  return renderTemplate("SERVER.md", serverDocumentView(normalize({ ...server, ...manifest })));
}

test("a tool's document names the arguments that its program gets unchecked", async () => {
  const inputSchema = { type: "object", properties: { options: { type: "string" } } } as const;
  const ofBody = (more: object): Promise<string> =>
    document({
      tools: [
        {
          ...{ name: "a", description: "x", inputSchema },
          exec: { command: ["report", "{{options}}"], ...more },
        },
      ],
    });
  assert.match(
    await ofBody({ trusted: ["options"] }),
    "It runs the program `report`, without a shell. It gets any value that a caller sends in `options`: ",
  );
  assert.not.match(await ofBody({}), "trusts");
});

/** The entries for clients over HTTP, by client. */
function entriesOverHttp(text: string): Map<string, unknown> {
  const found = text.matchAll(/^\*\*([^*]+)\*\* over HTTP.*\n\n```json\n([^]*?)\n```$/gm);
  return new Map([...found].map(([, client, json]) => [client!, JSON.parse(json!)]));
}

test("entries over stdio have no variables that act only over the network", async () => {
  const text = await document({
    transports: [{ type: "stdio" }, { type: "http" }],
    env: { KEYS: { required: true }, TOKEN: { secret: true } },
    auth: { apiKeys: { file: { env: "KEYS" } } },
    package: { clients: true },
  });
  assert.match(text, '"TOKEN": "<your TOKEN>"');
  assert.not.match(text, "<your KEYS>");
  assert.not.match(text, "input:keys");
  assert.match(text, "Required over the network.");
});

test("SERVER.md says what ends a call of older clients where they have no session", async () => {
  const sentence = "`notifications/cancelled` is accepted, but cannot reach the call";
  assert.match(await document({ transports: [{ type: "http" }] }), sentence);
  for (const other of [
    { transports: [{ type: "http" as const, sessions: "memory" as const }] },
    { transports: [{ type: "http" as const }], protocol: { legacy: "reject" as const } },
    { transports: [{ type: "stdio" as const }] },
  ]) {
    assert.not.match(await document(other), sentence);
  }
});

test("if callers must authenticate, each client's entry over HTTP sends a token in the client's syntax", async () => {
  const text = await document({ name: "@acme/day-planner", transports: [http], tools: [scoped] });
  const url = "http://127.0.0.1:3000/mcp";
  const entry = (token: string) => ({ url, headers: { Authorization: `Bearer ${token}` } });
  const name = "day-planner";
  const entries = entriesOverHttp(text);
  assert.equal(entries.get("Claude Code"), {
    mcpServers: { [name]: { type: "http", ...entry("${DAY_PLANNER_TOKEN}") } },
  });
  assert.equal(entries.get("VS Code"), {
    inputs: [
      {
        type: "promptString",
        id: "day-planner-token",
        description: "Token for day-planner",
        password: true,
      },
    ],
    servers: { [name]: { type: "http", ...entry("${input:day-planner-token}") } },
  });
  assert.equal(entries.get("Cursor"), {
    mcpServers: { [name]: entry("${env:DAY_PLANNER_TOKEN}") },
  });
  assert.match(text, "environment variable `DAY_PLANNER_TOKEN`");
  const numbered = await document({ name: "3d.print", transports: [http], tools: [scoped] });
  assert.match(numbered, "Bearer ${MCP_3D_PRINT_TOKEN}");
});

test("clients that can sign their users in get the public URL and no header, keys have entries of their own", async () => {
  const resource = "https://books.example/mcp";
  const issuing = { resource, jwt: [{ issuer: "https://idp.example" }] };
  const manifest = { name: "books", transports: [http], tools: [scoped] };
  const text = await document({ ...manifest, auth: issuing });
  assert.equal(entriesOverHttp(text).get("Claude Code"), {
    mcpServers: { books: { type: "http", url: resource } },
  });
  assert.not.match(text, /"headers"|_TOKEN/);
  const both = await document({ ...manifest, auth: { ...issuing, apiKeys: { env: "KEYS" } } });
  assert.match(both, "**Cursor** over HTTP, signing its user in");
  assert.match(both, /\*\*Cursor\*\* over HTTP, with a key[^]*"Bearer \$\{env:BOOKS_TOKEN\}"/);
  const keys = await document({ ...manifest, auth: { apiKeys: { env: "KEYS" } } });
  assert.match(keys, "Bearer ${BOOKS_TOKEN}");
  assert.not.match(keys, "signing its user in");
});

const name = "@acme/day-planner";

/** What the links of a document say to VS Code and Cursor. */
function linked(text: string) {
  const [, visualStudio = "", cursor = ""] =
    /\[VS Code\]\(([^)\s]+)\), \[Cursor\]\(([^)\s]+)\)\./.exec(text) ?? [];
  const parameter = (url: string, name: string) => new URL(url).searchParams.get(name) ?? "null";
  return {
    names: [visualStudio, cursor].map((url) => parameter(url, "name")),
    visualStudio: JSON.parse(parameter(visualStudio, "config")) as unknown,
    inputs: JSON.parse(parameter(visualStudio, "inputs")) as unknown,
    cursor: JSON.parse(Buffer.from(parameter(cursor, "config"), "base64").toString()) as unknown,
  };
}

test("links install the published package, with what clients ask their users for", async () => {
  const env = { API_KEY: { secret: true, description: "The (secret) key, it's *mine*" } };
  const text = await document({ name, package: { clients: true, mcpb: true }, env });
  const launch = { command: "npx", args: ["-y", "@acme/day-planner", "--stdio"] };
  const [id, description] = ["api-key", "The (secret) key, it's *mine*"];
  assert.equal(linked(text), {
    names: ["day-planner", "day-planner"],
    visualStudio: { type: "stdio", ...launch, env: { API_KEY: "${input:api-key}" } },
    inputs: [{ type: "promptString", id, description, password: true }],
    cursor: { ...launch, env: { API_KEY: "${env:API_KEY}" } },
  });
  assert.match(text, "`claude mcp add day-planner --env API_KEY=VALUE -- npx -y @acme/day-planner");
  assert.match(text, "write `cmd /c npx` for `npx` there");
  assert.match(text, "`npm run install:client -- NAME`");
  assert.match(text, "`dist/day-planner.mcpb`");
  assert.not.match(await document({ env }), /install:client|mcpb|vscode\.dev/);
});

test("links to a server over HTTP have its public address", async () => {
  const url = "https://day.example/mcp";
  const text = await document({
    name,
    transports: [http],
    package: { clients: true, registry: { name: "io.github.acme/day", url } },
  });
  assert.equal(linked(text), {
    names: ["day-planner", "day-planner"],
    visualStudio: { type: "http", url },
    inputs: null,
    cursor: { url },
  });
  assert.match(text, "`claude mcp add --transport http day-planner https://day.example/mcp`");
  assert.not.match(text, "cmd /c");
  const hostile = await document({
    transports: [{ ...http, path: "/a(`$(id)`)" }],
    package: { clients: true },
  });
  assert.not.match(hostile, /claude mcp add .*\(/);
});

test("the section on authentication says what the manifest says", async () => {
  const auth = {
    apiKeys: { file: "keys.txt" },
    public: ["tools/list" as const],
    lists: "filter" as const,
  };
  const text = await document({ name: "books", transports: [http], tools: [scoped], auth });
  assert.match(text, "npm start -- --new-key ci");
  assert.match(text, "`keys.txt` has a line for each");
  assert.match(text, "No credentials are needed for `tools/list`");
  assert.match(text, "Lists show callers only the items for which they have the scopes.");
  assert.match(text, "Every minute, the server checks whether the token or key was withdrawn.");
  assert.not.match(text, "authorization server");
  const setting = { env: "A" };
  const tokens = {
    resource: setting,
    jwt: [{ issuer: setting }],
    introspection: { ...{ url: setting, client: setting, secret: setting }, cacheMs: 1_500 },
  };
  const waiting = await document({ name: "books", transports: [http], auth: tokens });
  assert.match(waiting, "A call waits at most five seconds for an authorization server");
  assert.match(waiting, "An answer is valid for 1.5 s.");
  assert.not.match(waiting, "clients ask for");
  const initial = { ...tokens, initialScopes: ["read", "list"] };
  const narrow = await document({ name: "books", transports: [http], auth: initial });
  assert.match(
    narrow,
    "clients ask for `read`, `list`, and for other scopes when a call needs them.",
  );
});

test("if nobody must authenticate, entries send no token", async () => {
  const tools = [{ name: "a", description: "x" }];
  assert.not.match(await document({ transports: [http], tools }), /"headers"|_TOKEN/);
});

test("SERVER.md says that a container does not keep the file of the audit trail", async () => {
  const audited = (more: Partial<Manifest>): Promise<string> =>
    document({ transports: [http], env: { AUDIT_FILE: {} }, ...more });
  const audit = { to: { env: "AUDIT_FILE" } };
  const advice = "Mount a separate volume for each container at the path of this file";
  assert.match(await audited({ audit, deploy: { kubernetes: true } }), advice);
  assert.match(await audited({ audit, deploy: { compose: true } }), advice);
  assert.not.match(await audited({ audit, deploy: { docker: true } }), advice);
  assert.not.match(await audited({ audit: {}, deploy: { compose: true } }), advice);
});

test("SERVER.md says which paths must be absolute", async () => {
  const env = { AUDIT_FILE: {}, NOTES_DB: {} };
  const audit = { to: { env: "AUDIT_FILE" } };
  const databases = [{ name: "notes", type: "sqlite", file: { env: "NOTES_DB" } }] as never;
  const advice = /refuses relative paths of what it writes, (.*): set absolute ones\./;
  const written = async (more: Partial<Manifest>): Promise<string | undefined> =>
    advice.exec(await document({ transports: [http], env, ...more }))?.[1];
  assert.is(await written({ audit, databases }), "the audit log and SQLite databases");
  assert.is(await written({ audit }), "the audit log");
  assert.is(await written({ audit: {} }), undefined);
});

test("entries contain secrets and transports that are added later", async () => {
  const secret = { API_KEY: { secret: true, required: true } };
  const before = await document({ transports: [http] });
  assert.not.match(before, "Claude Desktop** over stdio");
  const after = await document({ transports: [http, { type: "stdio" }], env: secret });
  assert.match(after, /\*\*Claude Desktop\*\* over stdio[^]*"API_KEY": "<your API_KEY>"/);
  assert.match(after, /\*\*VS Code\*\* over stdio[^]*"password": true/);
});

test("SERVER.md says what workers divide, and whom sessions bind to one of them", async () => {
  const documentOf = (settings: { sessions?: "memory"; trustProxy?: number }): Promise<string> => {
    const transports = [{ type: "http", ...settings } as const];
    return renderTemplate("SERVER.md", serverDocumentView(normalize({ ...server, transports })));
  };
  const plain = await documentOf({});
  assert.match(plain, "each worker takes an equal part of what the limits allow at a time");
  assert.not.match(plain, "A session belongs to one worker");
  const withSessions = await documentOf({ sessions: "memory" });
  assert.match(withSessions, "Handlers, connections, sessions and subscriptions are divided");
  assert.match(withSessions, "hands those of one address");
  const behindProxy = await documentOf({ sessions: "memory", trustProxy: 1 });
  assert.not.match(behindProxy, "--workers");
});

test("the page of a tool says what it needs of clients", () => {
  const csp = { connectDomains: ["https://a.example"], frameDomains: ["https://b.example"] };
  const ui = { file: "show.html", csp, permissions: { camera: {} } };
  const tool = { name: "show", description: "x", ui };
  const view = serverDocumentView(normalize({ ...server, tools: [tool] })) as {
    readonly resources: readonly { readonly serving: readonly string[] }[];
  };
  assert.equal(view.resources[0]?.serving, [
    "Its page needs to reach `https://a.example`, `https://b.example`.",
    "Its page asks to use `camera`.",
  ]);
});

test("each platform of deploy has its entry, its settings, and where secrets and state are", async () => {
  const deploy = { docker: true, compose: true, kubernetes: true, workers: true, lambda: true };
  const all = { ...deploy, vercel: true, bun: true, deno: true };
  const env = { KEYS: { secret: true, required: true }, REGION: { default: "eu" } } as const;
  const text = await documentOf({ deploy: all, transports: [{ type: "http" }], env });
  const section = /\n## Deployment\n([^]*?)\n## /.exec(text)?.[1] ?? "";
  const parts = section.split("\n### ").slice(1);
  assert.equal(
    parts.map((part) => part.slice(0, part.indexOf("\n"))),
    [
      ...["Docker", "Docker Compose", "Kubernetes", "Cloudflare Workers", "AWS Lambda"],
      ...["Vercel", "Bun", "Deno"],
    ],
  );
  for (const part of parts) {
    assert.equal(
      [...part.matchAll(/^- \*\*(.*)\*\*: ./gm)].map(([, what]) => what),
      ["Entry", "Configuration", "Variables", "Secrets", "State", "Not promised"],
      part,
    );
    assert.match(part, /^- \*\*Variables\*\*: .*`REGION`/m);
    assert.match(part, /^- \*\*Secrets\*\*: .*`KEYS`/m);
  }
  assert.not.match(section, "..");
  assert.match(section, "which shares it with no other");
  assert.match(section, "the Secret `demo`");
  const scale = { redis: { env: "REDIS" } };
  const shared = await documentOf({
    ...{ scale, transports: [{ type: "http" }], deploy: { lambda: true, bun: true } },
    env: { REDIS: { secret: true } },
  });
  assert.match(shared, "what `scale` shares in Redis");
  assert.match(shared, "unless `scale` shares them");
  assert.not.match(await documentOf({}), "## Deployment");
});

function documentOf(manifest: object): Promise<string> {
  const model = normalize({ ...server, ...manifest } as Manifest);
  return renderTemplate("SERVER.md", serverDocumentView(model));
}

test.run();
