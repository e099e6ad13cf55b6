import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { WebSocket } from "ws";
import { connectClient } from "./every-method.js";
import { testProject } from "./built-project.js";
import { installShared, mcpwright } from "./generated-project.js";
import { connectStdio, startHttp, type StartedServer } from "./project-clients.js";

/** A server that knows its callers, asked by two of them, by nobody, and by others with bad tokens. */

const test = suite("a server with authenticated callers");

const manifest = `
name: known-callers
version: 1.0.0
transports:
  - type: stdio
  - { type: http, sessions: memory }
  - { type: sse, port: 3000 }
  - { type: websocket, port: 3000 }
diagnostics: { MW2058: off }
limits: { ratePerSecond: 1000 }
tools:
  - { name: whoami, description: Says who calls. }
  - { name: drop, description: Drops all., aliases: [remove], scopes: [admin, write] }
  - name: ask
    description: Asks for a name.
    elicitations:
      name:
        message: Your name?
        requestedSchema: { type: object, properties: { name: { type: string } }, required: [name] }
resources:
  - { uri: "demo://secret", name: secret, description: A secret., text: secret, scopes: [admin], subscribe: true }
  - { uri: "demo://open", name: open, description: Open to all., text: open, subscribe: true }
resourceTemplates:
  - uriTemplate: "demo://files/{id}"
    name: files
    description: Files.
    scopes: [admin]
    list: code
    complete: { id: [one, two] }
prompts:
  - { name: plan, description: A plan., scopes: [admin], messages: [{ role: user, content: { type: text, text: Plan } }] }
`;

const files: Readonly<Record<string, string>> = {
  "mcp.yaml": manifest,
  "src/context.ts": `import type { Authenticate } from "./generated/index.js";

export async function createServices() {
  return { tokens: new Map([["token-of-ada", "ada"], ["token-of-bob", "bob"]]) };
}
export async function closeServices(): Promise<void> {}

export const authenticate: Authenticate = async ({ token = "" }, { services }) => {
  if (token === "broken") throw new Error("the password is hunter2");
  const now = Date.now() / 1_000;
  if (token === "late") return { principal: "ada", scopes: [], expiresAt: now - 1 };
  if (token === "brief") return { principal: "ada", scopes: [], expiresAt: now + 1 };
  // Callers with a word for how they are known, so that each test has its own: eve.wide, eve.brief.
  const [, name, kind] = /^(\\w+)\\.(wide|narrow|brief)$/.exec(token) ?? [];
  if (name !== undefined) {
    const expiry = kind === "brief" ? { expiresAt: now + 1.5 } : {};
    return { principal: name, scopes: kind === "narrow" ? ["other"] : ["admin", "write"], ...expiry };
  }
  const principal = services.tokens.get(token);
  if (principal === undefined) return undefined;
  return { principal, scopes: principal === "ada" ? ["admin", "write"] : ["write"], claims: { token } };
};

export const protectedResource = () => ({
  resource: "https://mcp.example.com/mcp",
  authorizationServers: ["https://auth.example.com"],
});
`,
  "src/tools/whoami.ts": `import type { ToolHandler } from "../generated/index.js";

export const whoami: ToolHandler<"whoami"> = (_input, { auth }) => auth?.principal ?? "nobody";
`,
  "src/tools/drop.ts": `import type { ToolHandler } from "../generated/index.js";

export const drop: ToolHandler<"drop"> = () => "dropped";
`,
  "src/tools/ask.ts": `import type { ToolHandler } from "../generated/index.js";

export const ask: ToolHandler<"ask"> = async (_input, ctx) => {
  const { name } = await ctx.elicit.name();
  return \`\${name} for \${ctx.auth?.principal}\`;
};
`,
};

let folder: string;
let server: StartedServer;
/** The same without the fast path. */
let slow: StartedServer;

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcpwright-principals-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  // The project's own tests, which know no token, pass beside a context that refuses them.
  await testProject(folder);
  server = await startHttp(folder, {}, ["--sse", "--websocket"]);
  slow = await startHttp(folder, { MCP_FAST_PATH: "off" });
});
test.after(async () => {
  await Promise.all([server, slow].map((one) => one?.stop()));
  await rm(folder, { recursive: true, force: true });
});

type Who = "ada" | "bob" | "nobody";

function authorization(who: Who): Record<string, string> {
  return who === "nobody" ? {} : { authorization: `Bearer token-of-${who}` };
}

interface Answer {
  readonly status: number;
  readonly challenge: string | null;
  readonly session: string | null;
  readonly text: string;
  readonly message: { result?: Record<string, unknown>; error?: { code: number } };
}

async function post(url: string, headers: Record<string, string>, body: object): Promise<Answer> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
  });
  const text = await response.text();
  const json = /^data: (.+)$/m.exec(text)?.[1] ?? text;
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate"),
    session: response.headers.get("mcp-session-id"),
    text,
    message: (json.startsWith("{") ? JSON.parse(json) : {}) as Answer["message"],
  };
}

/** A request with two headers that say who sends it. */
function askTwice(...tokens: readonly string[]): Promise<IncomingMessage> {
  const said = tokens.flatMap((token) => ["authorization", `Bearer ${token}`]);
  return new Promise((resolve, reject) => {
    const headers = ["host", new URL(server.url).host, "content-type", "application/json", ...said];
    const sent = request(server.url, { method: "POST", headers }, (answer) => {
      resolve(answer.resume());
    });
    sent.on("error", reject).end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  });
}

/** A request of 2026-07-28. */
function ask(
  method: string,
  params: Record<string, unknown>,
  headers: Record<string, string>,
  url = server.url,
): Promise<Answer> {
  const name = params["name"] ?? params["uri"];
  return post(
    url,
    {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name === undefined ? {} : { "mcp-name": String(name) }),
      ...headers,
    },
    {
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
        },
      },
    },
  );
}

/** Opens a session of the older eras, and returns the headers of its requests. */
async function openSession(who: Who): Promise<Record<string, string>> {
  const session = await openSessionWith(authorization(who));
  assert.ok(session["mcp-session-id"]);
  return session;
}

/** Opens a session; without an id where the credentials are refused. */
async function openSessionWith(headers: Record<string, string>): Promise<Record<string, string>> {
  const clientInfo = { name: "test", version: "1.0.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const { session } = await post(server.url, headers, { method: "initialize", params });
  const version = { "mcp-protocol-version": "2025-11-25" };
  return session === null ? version : { "mcp-session-id": session, ...version };
}

const metadata =
  'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"';

test("unknown callers are refused, and the response says where tokens are issued", async () => {
  const as = (token?: string): Promise<Answer> =>
    ask("tools/list", {}, token === undefined ? {} : { authorization: `Bearer ${token}` });
  const without = await as();
  assert.equal([without.status, without.challenge], [401, `Bearer ${metadata}`]);
  const wrong = await as("guessed");
  assert.is(wrong.status, 401);
  assert.is(
    wrong.challenge,
    `Bearer error="invalid_token", error_description="The token is not valid here", ${metadata}`,
  );
  const late = await as("late");
  assert.is(late.status, 401);
  assert.match(late.challenge ?? "", "The token has expired");
  const basic = await ask("tools/list", {}, { authorization: "Basic YWRhOmFkYQ==" });
  assert.is(basic.status, 401);
  const two = await askTwice("token-of-ada", "token-of-bob");
  assert.is(two.statusCode, 400);
  const broken = await as("broken");
  assert.is(broken.status, 500);
  assert.not.match(broken.text, "hunter2");
  for (const method of ["GET", "DELETE"]) {
    assert.is((await fetch(server.url, { method })).status, 401, method);
  }
});

test("the metadata page and the health check need no token", async () => {
  const page = new URL("/.well-known/oauth-protected-resource/mcp", server.url);
  const response = await fetch(page);
  assert.is(response.headers.get("access-control-allow-origin"), "*");
  assert.equal(await response.json(), {
    resource: "https://mcp.example.com/mcp",
    authorization_servers: ["https://auth.example.com"],
    bearer_methods_supported: ["header"],
    scopes_supported: ["admin", "write"],
    resource_name: "known-callers",
  });
  assert.is((await fetch(new URL("/healthz", server.url))).status, 200);
});

test("handlers get the caller with and without the fast path, and stdio needs no credentials", async () => {
  const told = async (who: Who, { url }: StartedServer) => {
    const call = { name: "whoami", arguments: {} };
    return (await ask("tools/call", call, authorization(who), url)).message.result?.["content"];
  };
  for (const one of [server, slow]) {
    assert.equal(await told("ada", one), [{ type: "text", text: "ada" }]);
    assert.equal(await told("bob", one), [{ type: "text", text: "bob" }]);
  }
  const session = await openSession("ada");
  const params = { name: "whoami", arguments: {} };
  const headers = { ...session, ...authorization("ada") };
  const { text } = await post(server.url, headers, { method: "tools/call", params });
  assert.match(text, '"ada"');
  for (const era of ["modern", "legacy"] as const) {
    const client = await connectStdio(folder, era);
    assert.equal((await client.callTool(params)).content, [{ type: "text", text: "nobody" }]);
    const dropped = await client.callTool({ name: "drop", arguments: {} });
    assert.equal(dropped.content, [{ type: "text", text: "dropped" }]);
    await client.close();
  }
});

/** What needs the scope `admin`, which bob lacks; the scopes that the challenge must name. */
const guarded: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ["tools/call", { name: "drop", arguments: {} }, "admin write"],
  ["tools/call", { name: "remove", arguments: {} }, "admin write"],
  ["resources/read", { uri: "demo://secret" }, "admin"],
  ["resources/read", { uri: "demo://files/one" }, "admin"],
  ["prompts/get", { name: "plan" }, "admin"],
  [
    "completion/complete",
    {
      ref: { type: "ref/resource", uri: "demo://files/{id}" },
      argument: { name: "id", value: "" },
    },
    "admin",
  ],
  [
    "subscriptions/listen",
    { notifications: { resourceSubscriptions: ["demo://secret"] } },
    "admin",
  ],
];

test("a missing scope gets status 403 with all required scopes, on every path through the server", async () => {
  const session = await openSession("bob");
  for (const [method, params, scopes] of guarded) {
    const legacy = { ...session, ...authorization("bob") };
    const answers = [
      await ask(method, params, authorization("bob")),
      await ask(method, params, authorization("bob"), slow.url),
      await post(server.url, legacy, { method, params }),
    ];
    for (const { status, challenge } of answers) {
      assert.is(status, 403, method);
      assert.match(challenge ?? "", `error="insufficient_scope"`);
      assert.match(challenge ?? "", `scope="${scopes}"`);
      assert.match(challenge ?? "", metadata);
    }
    if (method === "subscriptions/listen") continue;
    for (const { url } of [server, slow]) {
      const { status } = await ask(method, params, authorization("ada"), url);
      assert.is(status, 200, `${method} of ada`);
    }
  }
  const watch = { method: "resources/subscribe", params: { uri: "demo://secret" } };
  const refused = await post(server.url, { ...session, ...authorization("bob") }, watch);
  assert.is(refused.status, 403);
});

test("lists show all items, so that a client can request the scopes that it lacks", async () => {
  const requestInit = { headers: authorization("bob") };
  for (const era of ["modern", "legacy"] as const) {
    const transport = new StreamableHTTPClientTransport(new URL(server.url), { requestInit });
    const client = await connectClient(transport, era);
    const { tools } = await client.listTools();
    assert.equal(
      tools.map(({ name }) => name),
      ["whoami", "drop", "ask"],
    );
    assert.is((await client.listPrompts()).prompts.length, 1);
    await client.close();
  }
});

test("a session cannot be used by another caller", async () => {
  const session = await openSession("ada");
  const ping = async (who: Who): Promise<number> =>
    (await post(server.url, { ...session, ...authorization(who) }, { method: "ping" })).status;
  assert.equal([await ping("bob"), await ping("nobody"), await ping("ada")], [404, 401, 200]);
  const remove = { method: "DELETE", headers: { ...session, ...authorization("bob") } };
  assert.is((await fetch(server.url, remove)).status, 404);
  assert.is(await ping("ada"), 200);
});

test("a question to one caller cannot be answered by another", async () => {
  const call = { name: "ask", arguments: {} };
  const asked = await ask("tools/call", call, authorization("ada"));
  const { requestState, inputRequests = {} } = asked.message.result ?? {};
  assert.type(requestState, "string");
  const [key = ""] = Object.keys(inputRequests as object);
  const inputResponses = { [key]: { action: "accept", content: { name: "Eve" } } };
  const reply = { ...call, requestState, inputResponses };
  const stolen = await ask("tools/call", reply, authorization("bob"));
  assert.is(stolen.message.error?.code, -32602);
  const own = await ask("tools/call", reply, authorization("ada"));
  assert.equal(own.message.result?.["content"], [{ type: "text", text: "Eve for ada" }]);
});

test("an event stream cannot be used by another caller", async () => {
  const url = new URL("/sse", server.url);
  assert.is((await fetch(url)).status, 401);
  const leaving = new AbortController();
  const stream = await fetch(url, { headers: authorization("bob"), signal: leaving.signal });
  const { value } = await (stream.body as ReadableStream<Uint8Array>).getReader().read();
  const path = /^data: (.+)$/m.exec(new TextDecoder().decode(value))?.[1] ?? "";
  const messages = new URL(path, server.url).href;
  const ping = { method: "ping" };
  const statuses: number[] = [];
  for (const who of ["ada", "nobody", "bob"] as const) {
    statuses.push((await post(messages, authorization(who), ping)).status);
  }
  assert.equal(statuses, [404, 401, 202]);
  const drop = { method: "tools/call", params: { name: "drop", arguments: {} } };
  const { status, challenge } = await post(messages, authorization("bob"), drop);
  assert.is(status, 403);
  assert.match(challenge ?? "", 'scope="admin write"');
  leaving.abort();
});

function openSocket(token: string): WebSocket {
  const url = new URL("/ws", server.url).href.replace(/^http/, "ws");
  return new WebSocket(url, "mcp", { headers: { authorization: `Bearer ${token}` } });
}

test("a socket opens only for known callers, and checks scopes for each message", async () => {
  const refused = openSocket("guessed");
  const status = await new Promise((resolve) => {
    refused.on("unexpected-response", (_request, response) => resolve(response.statusCode));
  });
  assert.is(status, 401);
  const socket = openSocket("token-of-bob");
  await new Promise((resolve) => socket.once("open", resolve));
  const answerTo = (method: string, params: object): Promise<Answer["message"]> => {
    const envelope = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    socket.send(
      JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: envelope } }),
    );
    return new Promise((resolve) => {
      socket.once("message", (data: Buffer) =>
        resolve(JSON.parse(data.toString()) as Answer["message"]),
      );
    });
  };
  const who = await answerTo("tools/call", { name: "whoami", arguments: {} });
  assert.equal(who.result?.["content"], [{ type: "text", text: "bob" }]);
  for (const [method, params, scopes] of guarded) {
    const { error } = await answerTo(method, params);
    const requiredScopes = scopes.split(" ");
    const message = `Insufficient scope: ${scopes}`;
    assert.equal(error, { code: 403, message, data: { requiredScopes } }, method);
  }
  socket.terminate();
});

test("a socket is closed when the credentials that opened it expire", async () => {
  let isOpened = false;
  let code: unknown;
  // On a busy machine they may run out before the socket is open: then once more.
  while (!isOpened) {
    const socket = openSocket("brief")
      .once("open", () => (isOpened = true))
      .on("error", () => undefined);
    code = await new Promise((resolve) => socket.once("close", resolve));
  }
  assert.is(code, 1008);
});

/** Something that goes on for whoever has the token; it resolves once it is there, with what ends it. */
interface Held {
  readonly XX: boolean;
  readonly ended: Promise<unknown>;
}

const held = async (opening: Promise<Response>): Promise<Held> => {
  const response = await opening;
  const ended = response.text().catch(() => undefined);
  return { XX: response.status === 200, ended };
};

const listening = (uris: readonly string[]) => (token: string) => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { notifications: { resourceSubscriptions: uris }, _meta };
  return held(
    fetch(server.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "subscriptions/listen",
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params }),
    }),
  );
};

/** Streams of every kind, each opened with a token that has all scopes. */
const STREAMS: Readonly<Record<string, (token: string) => Promise<Held>>> = {
  "a subscription": listening(["demo://secret"]),
  "the stream of a session": async (token) => {
    const headers = { authorization: `Bearer ${token}` };
    const session = await openSessionWith(headers);
    const accept = { accept: "text/event-stream" };
    return held(fetch(server.url, { headers: { ...session, ...headers, ...accept } }));
  },
  "a stream of server-sent events": async (token) => {
    const headers = { authorization: `Bearer ${token}` };
    const url = new URL("/sse", server.url);
    const response = await fetch(url, { headers });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    const path = /^data: (.+)$/m.exec(new TextDecoder().decode(value))?.[1] ?? "";
    await post(new URL(path, url).href, headers, { method: "ping" });
    const ended = (async () => {
      while (!(await reader.read()).done);
    })().catch(() => undefined);
    return { XX: response.status === 200, ended };
  },
  "a socket": async (token) => {
    const socket = openSocket(token).on("error", () => undefined);
    let XX = false;
    socket.on("open", () => (XX = true));
    const ended = new Promise((resolve) => socket.once("close", resolve));
    await Promise.race([ended, new Promise((resolve) => socket.once("open", resolve))]);
    return { XX, ended };
  },
};

for (const [name, open] of Object.entries(STREAMS)) {
  const caller = name.replaceAll(/\W/g, "_");
  test(`${name} ends when the credentials that opened it expire`, async () => {
    let stream: Held;
    // On a busy machine they may run out before it is open: then once more.
    do stream = await open(`${caller}.brief`);
    while (!stream.XX);
    await stream.ended;
  });

  test(`${name} ends when its caller loses scopes that it requires`, async () => {
    const stream = await open(`${caller}.wide`);
    assert.ok(stream.XX);
    let isOver = false;
    void stream.ended.then(() => (isOver = true));
    const who = { name: "whoami", arguments: {} };
    await ask("tools/call", who, { authorization: `Bearer ${caller}.wide` });
    await ask("tools/call", who, { authorization: "Bearer somebody_else.narrow" });
    assert.not(isOver, "the same scopes, and those of others, end nothing");
    await ask("tools/call", who, { authorization: `Bearer ${caller}.narrow` });
    await stream.ended;
  });
}

test("a subscription that requires no scope stays open when scopes are lost", async () => {
  const stream = await listening(["demo://open"])("free.wide");
  assert.ok(stream.XX);
  let isOver = false;
  void stream.ended.then(() => (isOver = true));
  await ask(
    "tools/call",
    { name: "whoami", arguments: {} },
    { authorization: "Bearer free.narrow" },
  );
  await ask(
    "tools/call",
    { name: "whoami", arguments: {} },
    { authorization: "Bearer free.narrow" },
  );
  assert.not(isOver);
});

test.run();
