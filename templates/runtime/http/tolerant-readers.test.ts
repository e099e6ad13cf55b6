import { deflateSync, gzipSync } from "node:zlib";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { RawClient } from "../samples/raw-client.js";
import { HttpServers } from "../samples/http-servers.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import { askingParts, sampleAsks, type AskingContext } from "../samples/asking.js";
import { modernRequest, sendRaw, type RawAnswer } from "../suite/clients/http.js";
import { createServer } from "../server/create-server.js";
import { createLog } from "../observe/log.js";
import { httpEndpointWithSessions } from "./sessions.js";
import { listen } from "./listener.js";
import type { HttpDefinition } from "./definition.js";
import type { RunningHttp } from "./transport.js";

const servers = new HttpServers();
test.after(() => servers.close());

const handshake = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "t", version: "1" },
};

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Sends a request of the older eras. A header with an empty value is left out. */
function send(url: string, message: object, { headers = {}, body }: Sent = {}): Promise<RawAnswer> {
  const all = new Headers({
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  });
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, ...message });
  return sendRaw(new Request(url, { method: "POST", headers: all, body: body ?? text }));
}

const list = { method: "tools/list", params: {} };
const greet = { method: "tools/call", params: { name: "greet", arguments: { who: "Ada" } } };
const greeting = [{ type: "text", text: "Hello, Ada!" }];

test("a path may end with one slash, and with no more", async () => {
  const { http } = await servers.start();
  for (const [suffix, status] of [
    ["", 200],
    ["/", 200],
    ["/?x=1", 200],
    ["//", 404],
    ["/%2f", 404],
    ["/x/", 404],
  ] as const) {
    const { status: got } = await send(`${http.url}${suffix}`, greet);
    assert.is(got, status, suffix);
    const modern = modernRequest(`${http.url}${suffix}`, "tools/list");
    assert.is((await sendRaw(modern)).status, status, `modern ${suffix}`);
  }
  const health = new URL("/healthz/", http.url);
  assert.is((await fetch(health)).status, 200);
});

test("a path with a slash at its end has the same guards", async () => {
  const { http } = await servers.start();
  const client = new RawClient(`${http.url}/`);
  assert.is((await client.greet({ origin: "http://evil.example" })).status, 403);
  assert.is((await client.greet({}, undefined, "PUT")).status, 405);
});

const json = "application/json";

for (const [accept, status, type] of [
  ["*/*", 200, json],
  [json, 200, json],
  ["application/*", 200, json],
  ["APPLICATION/JSON", 200, json],
  ["application/json; q=0.5", 200, json],
  ["application/json, text/event-stream;q=0", 200, json],
  ["text/event-stream", 200, "text/event-stream"],
  ["text/event-stream, */*;q=0.1", 200, "text/event-stream"],
  ["text/html", 406, json],
  ["application/json;q=0", 406, json],
] as const) {
  for (const message of [{ method: "initialize", params: handshake }, list, greet]) {
    test(`Accept: ${accept} gets ${status} for ${message.method} in the older eras`, async () => {
      const { http } = await servers.start();
      const answer = await send(http.url, message, { headers: { accept } });
      assert.equal([answer.status, answer.headers.get("content-type")], [status, type]);
      assert.is(answer.message.result !== undefined, status === 200);
    });
  }
}

test("a request without Accept, as no library sends it, is answered with JSON", async () => {
  const { http } = await servers.start();
  const client = new RawClient(http.url);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...greet });
  const head = client.head(
    "POST /mcp HTTP/1.1",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  );
  const received = await client.sendBytes(head, body);
  assert.match(received, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(received, /\r\ncontent-type: application\/json\r\n/i);
  assert.match(received, /Hello, Ada!/);
});

test("a client that takes JSON alone gets the answer of a call that sends notifications, and of a batch", async () => {
  const { http } = await servers.start();
  const headers = { accept: json };
  const report = {
    method: "tools/call",
    params: { name: "report", arguments: {}, _meta: { progressToken: 1 } },
  };
  const answer = await send(http.url, report, { headers });
  assert.match(JSON.stringify(answer.message.result), /done in era legacy/);
  const failed = await send(http.url, { method: "nope" }, { headers });
  assert.is(failed.message.error?.code, -32601);
  const batch = [1, 2].map((id) => ({ jsonrpc: "2.0", id, ...list }));
  const { text } = await send(http.url, {}, { headers, body: JSON.stringify(batch) });
  const ids = (JSON.parse(text) as { id: number }[]).map(({ id }) => id);
  assert.equal(ids.sort(), [1, 2]);
  const modern = modernRequest(http.url, "tools/call", { name: "report" });
  modern.headers.set("accept", json);
  const answered = await sendRaw(modern);
  assert.equal(answered.headers.get("content-type"), json);
  assert.match(JSON.stringify(answered.message.result), /done in era modern/);
});

const asking: RunningHttp[] = [];
test.after(async () => {
  await Promise.all(asking.map((http) => http.close()));
});

/** Starts the server of questions with sessions, and opens a session of a client that can be asked. */
async function openAskingSession(): Promise<{ url: string; session: Record<string, string> }> {
  const log = createLog({ write: () => undefined });
  const book = async (_input: unknown, ctx: AskingContext): Promise<string> =>
    (await ctx.elicit.name()).name;
  const tools = [tool("book", erased(book as never), { asks: sampleAsks })];
  const definition = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
  const server = createServer(
    { ...sampleServer, ...askingParts, tools },
    { root: process.cwd(), log },
  );
  const http = await listen(server, [
    httpEndpointWithSessions(server, { ...definition, sessions: "memory", resumable: true }),
  ]);
  asking.push(http);
  const params = { ...handshake, protocolVersion: "2025-11-25", capabilities: { elicitation: {} } };
  const opened = await send(
    http.url,
    { method: "initialize", params },
    { headers: { accept: "" } },
  );
  assert.is(opened.headers.get("content-type"), json);
  return {
    url: http.url,
    session: { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" },
  };
}

test("a session takes clients of JSON alone, and refuses in words a call that has to ask them", async () => {
  const { url, session } = await openAskingSession();
  const headers = { ...session, accept: json };
  assert.is((await send(url, list, { headers })).status, 200);
  const call = { method: "tools/call", params: { name: "book", arguments: {} } };
  const { message } = await send(url, call, { headers });
  assert.match(
    JSON.stringify(message),
    /Nobody can answer .*Accept header has no text\/event-stream/,
  );
  const stream = await fetch(url, { headers: { ...session, accept: "*/*" } });
  assert.equal([stream.status, stream.headers.get("content-type")], [200, "text/event-stream"]);
  await stream.body?.cancel();
});

test("a byte-order mark before a body is no part of it", async () => {
  const { http } = await servers.start();
  const body = `\ufeff${JSON.stringify({ jsonrpc: "2.0", id: 1, ...greet })}`;
  assert.equal((await send(http.url, {}, { body })).message.result?.["content"], greeting);
  const client = new RawClient(http.url);
  const call = await modernRequest(http.url, "tools/call", greet.params).text();
  assert.is((await client.greet({}, `\ufeff${call}`)).status, 200);
  assert.is((await client.greet({}, `\ufeff\ufeff${call}`)).status, 400);
});

test("null for parameters, arguments, a cursor or a token counts as absent", async () => {
  const { http } = await servers.start({
    pageSize: 2,
    tools: [
      ...sampleServer.tools,
      tool(
        "none",
        erased((input) => JSON.stringify(input)),
      ),
    ],
  });
  for (const message of [
    { method: "ping", params: null },
    { method: "tools/list", params: null },
    { method: "tools/list", params: { cursor: null, _meta: null } },
    { method: "tools/list", params: { cursor: "" } },
    { method: "resources/list", params: { cursor: "" } },
    { method: "tools/call", params: { name: "none", arguments: null } },
    { method: "tools/call", params: { name: "none", _meta: { progressToken: null } } },
    { method: "prompts/get", params: { name: "summary", arguments: null } },
  ]) {
    const { message: answer } = await send(http.url, message);
    assert.ok(answer.result !== undefined, `${JSON.stringify(message)}: ${JSON.stringify(answer)}`);
  }
  const wrong = await send(http.url, { method: "tools/list", params: { cursor: "no" } });
  assert.is(wrong.message.error?.code, -32602);
  const modern = modernRequest(http.url, "tools/call", { name: "none", arguments: null });
  assert.equal((await sendRaw(modern)).message.result?.["content"], [{ type: "text", text: "{}" }]);
});

test("a compressed body is read within the limits, whose bytes count decompressed", async () => {
  const { http } = await servers.start({ limits: { bodyBytes: 10_000 } });
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, ...greet });
  const padded = (length: number): string => text + " ".repeat(length - text.length);
  for (const [encoding, body, status] of [
    ["gzip", gzipSync(text), 200],
    ["GZIP", gzipSync(text), 200],
    ["x-gzip", gzipSync(text), 200],
    ["deflate", deflateSync(text), 200],
    ["identity", text, 200],
    ["gzip", gzipSync(padded(10_000)), 200],
    ["gzip", gzipSync(padded(10_001)), 413],
    ["gzip", gzipSync(`\ufeff${text}`), 200],
    ["gzip", text, 400],
    ["gzip", gzipSync(text).subarray(0, 30), 400],
    ["br", text, 415],
    ["gzip, gzip", gzipSync(gzipSync(text)), 415],
  ] as const) {
    const headers = { "content-encoding": encoding };
    const answer = await send(http.url, {}, { headers, body: body as string | Buffer });
    assert.is(answer.status, status, encoding);
    if (status === 415) assert.is(answer.headers.get("accept-encoding"), "gzip, deflate");
  }
});

test("a tool without arguments accepts and drops what some clients add to its calls", async () => {
  const nothing = tool(
    "nothing",
    erased((input) => JSON.stringify(input)),
  );
  const { http } = await servers.start({ tools: [nothing, ...sampleServer.tools] });
  const call = (name: string, input: object): Promise<RawAnswer> =>
    send(http.url, { method: "tools/call", params: { name, arguments: input } });
  const padded = await call("nothing", { random_string: "dummy" });
  assert.equal(padded.message.result?.["content"], [{ type: "text", text: "{}" }]);
  const prototype = JSON.parse('{"__proto__":{}}') as object;
  assert.is((await call("nothing", prototype)).message.error?.code, -32602);
  const closed = await call("greet", { who: "Ada", random_string: "dummy" });
  assert.is(closed.message.result?.["isError"], true);
});

test.run();
