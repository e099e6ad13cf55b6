import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  ask,
  askTwice,
  authorization,
  openSession,
  post,
  type Answer,
  type Who,
} from "../../harness/clients/caller-requests.js";
import { connectClient } from "../../harness/clients/every-method.js";
import { listening, openSocket, STREAMS, type Held } from "../../harness/clients/held-streams.js";
import { makeKnownCallersProject } from "../../harness/services/known-callers-project.js";
import {
  connectStdio,
  startHttp,
  type StartedServer,
} from "../../harness/clients/project-clients.js";

/** A server that knows its callers, asked by two of them, by nobody, and by others with bad tokens. */

const test = suite("a server with authenticated callers");

let folder: string;
let server: StartedServer;
/** The same without the fast path. */
let slow: StartedServer;

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcpwright-principals-"));
  await makeKnownCallersProject(folder);
  server = await startHttp(folder, {}, ["--sse", "--websocket"]);
  slow = await startHttp(folder, { MCP_FAST_PATH: "off" });
});
test.after(async () => {
  await Promise.all([server, slow].map((one) => one?.stop()));
  await rm(folder, { recursive: true, force: true });
});

/** The headers of requests in a new session of a caller. */
async function sessionOf(who: Who): Promise<Record<string, string>> {
  const session = await openSession(server.url, authorization(who));
  assert.ok(session["mcp-session-id"]);
  return session;
}

const metadata =
  'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"';

test("unknown callers are refused, and the response says where tokens are issued", async () => {
  const as = (token?: string): Promise<Answer> =>
    ask(
      server.url,
      "tools/list",
      {},
      token === undefined ? {} : { authorization: `Bearer ${token}` },
    );
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
  const basic = await ask(server.url, "tools/list", {}, { authorization: "Basic YWRhOmFkYQ==" });
  assert.is(basic.status, 401);
  const two = await askTwice(server.url, "token-of-ada", "token-of-bob");
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
  const callerOf = async (who: Who, { url }: StartedServer) => {
    const call = { name: "whoami", arguments: {} };
    return (await ask(url, "tools/call", call, authorization(who))).message.result?.["content"];
  };
  for (const one of [server, slow]) {
    assert.equal(await callerOf("ada", one), [{ type: "text", text: "ada" }]);
    assert.equal(await callerOf("bob", one), [{ type: "text", text: "bob" }]);
  }
  const session = await sessionOf("ada");
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
  const session = await sessionOf("bob");
  for (const [method, params, scopes] of guarded) {
    const legacy = { ...session, ...authorization("bob") };
    const answers = [
      await ask(server.url, method, params, authorization("bob")),
      await ask(slow.url, method, params, authorization("bob")),
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
      const { status } = await ask(url, method, params, authorization("ada"));
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
  const session = await sessionOf("ada");
  const ping = async (who: Who): Promise<number> =>
    (await post(server.url, { ...session, ...authorization(who) }, { method: "ping" })).status;
  assert.equal([await ping("bob"), await ping("nobody"), await ping("ada")], [404, 401, 200]);
  const remove = { method: "DELETE", headers: { ...session, ...authorization("bob") } };
  assert.is((await fetch(server.url, remove)).status, 404);
  assert.is(await ping("ada"), 200);
});

test("a question to one caller cannot be answered by another", async () => {
  const call = { name: "ask", arguments: {} };
  const asked = await ask(server.url, "tools/call", call, authorization("ada"));
  const { requestState, inputRequests = {} } = asked.message.result ?? {};
  assert.type(requestState, "string");
  const [key = ""] = Object.keys(inputRequests as object);
  const inputResponses = { [key]: { action: "accept", content: { name: "Eve" } } };
  const reply = { ...call, requestState, inputResponses };
  const stolen = await ask(server.url, "tools/call", reply, authorization("bob"));
  assert.is(stolen.message.error?.code, -32602);
  const own = await ask(server.url, "tools/call", reply, authorization("ada"));
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

test("a socket opens only for known callers, and checks scopes for each message", async () => {
  const refused = openSocket(server.url, "guessed");
  const status = await new Promise((resolve) => {
    refused.on("unexpected-response", (_request, response) => resolve(response.statusCode));
  });
  assert.is(status, 401);
  const socket = openSocket(server.url, "token-of-bob");
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
    const socket = openSocket(server.url, "brief")
      .once("open", () => (isOpened = true))
      .on("error", () => undefined);
    code = await new Promise((resolve) => socket.once("close", resolve));
  }
  assert.is(code, 1008);
});

for (const [name, open] of Object.entries(STREAMS)) {
  const caller = name.replaceAll(/\W/g, "_");
  test(`${name} ends when the credentials that opened it expire`, async () => {
    let stream: Held;
    // On a busy machine they may run out before it is open: then once more.
    do stream = await open(server.url, `${caller}.brief`);
    while (!stream.isOpen);
    await stream.ended;
  });

  test(`${name} ends when its token loses scopes that it requires, but not for another token of its caller`, async () => {
    const stream = await open(server.url, `${caller}.wide`);
    assert.ok(stream.isOpen);
    let isOver = false;
    void stream.ended.then(() => (isOver = true));
    const who = { name: "whoami", arguments: {} };
    await ask(server.url, "tools/call", who, { authorization: `Bearer ${caller}.wide` });
    await ask(server.url, "tools/call", who, { authorization: "Bearer somebody_else.narrow" });
    await ask(server.url, "tools/call", who, { authorization: `Bearer ${caller}.narrow` });
    assert.not(isOver, "the same scopes, and those of other tokens, end nothing");
    await ask(server.url, "tools/call", who, { authorization: `Bearer narrowing.now` });
    await ask(server.url, "tools/call", who, { authorization: `Bearer ${caller}.wide` });
    await stream.ended;
    await ask(server.url, "tools/call", who, { authorization: `Bearer widening.now` });
  });
}

test("a subscription that requires no scope stays open when scopes are lost", async () => {
  const stream = await listening(["demo://open"])(server.url, "free.wide");
  assert.ok(stream.isOpen);
  let isOver = false;
  void stream.ended.then(() => (isOver = true));
  const who = { name: "whoami", arguments: {} };
  for (const token of ["narrowing.now", "free.wide", "free.wide"]) {
    await ask(server.url, "tools/call", who, { authorization: `Bearer ${token}` });
  }
  assert.not(isOver);
  await ask(server.url, "tools/call", who, { authorization: "Bearer widening.now" });
});

test.run();
