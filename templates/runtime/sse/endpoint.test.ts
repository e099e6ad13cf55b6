import { connectHttp } from "../suite/clients/http.js";
import { SSEClientTransport, type Client } from "@modelcontextprotocol/client";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServer } from "../server/create-server.js";
import type { HttpDefinition, SseDefinition } from "../http/definition.js";
import { httpEndpoint } from "../http/endpoint.js";
import { listen } from "../http/listener.js";
import type { SetLimits } from "../engine/limits.js";
import { createLog } from "../observe/log.js";
import { sseEndpoint } from "./endpoint.js";
import { closeAll, connect } from "../suite/clients/harness.js";
import { sampleServer } from "../samples/server.js";
import { until } from "../samples/until.js";
import type { RunningHttp } from "../http/transport.js";

const http = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const { host, port, allowedHosts, allowedOrigins, trustProxy } = http;
const definition: SseDefinition = {
  type: "sse",
  path: "/sse",
  messagesPath: "/messages",
  ...{ host, port, allowedHosts, allowedOrigins, trustProxy },
};
const running: RunningHttp[] = [];
const lines: string[] = [];

test.after(async () => {
  await closeAll();
  await Promise.all(running.map((one) => one.close()));
});

async function serve(limits: SetLimits = {}): Promise<RunningHttp> {
  const log = createLog({ write: (line) => void lines.push(line) });
  const server = createServer({ ...sampleServer, limits }, { root: process.cwd(), log });
  const listening = await listen(server, [
    sseEndpoint(server, definition),
    httpEndpoint(server, http),
  ]);
  running.push(listening);
  return listening;
}

const connectTo = (listening: RunningHttp): Promise<Client> =>
  connect(new SSEClientTransport(new URL(listening.url)), "legacy");

test("the official client is served, on the listener that serves Streamable HTTP too", async () => {
  const listening = await serve();
  const client = await connectTo(listening);
  const answer = await client.callTool({ name: "greet", arguments: { who: "Ada" } });
  assert.equal(answer.content, [{ type: "text", text: "Hello, Ada!" }]);
  const modern = await connectHttp(listening.urls.get("http") as string, "modern");
  assert.is(modern.getServerVersion()?.name, "sample");
});

test("a server that closes answers running calls, then ends the stream", async () => {
  const listening = await serve();
  const client = await connectTo(listening);
  const before = lines.length;
  const call = client.callTool({ name: "sleep", arguments: { ms: 300 } });
  await until(() => lines.slice(before).some((line) => line.includes('"sleeping"')));
  await listening.close();
  assert.equal((await call).content, [{ type: "text", text: "slept 300 ms" }]);
});

/** Opens a stream. @returns the URL in its first event, and a function that closes the stream */
async function openStream(
  url: string,
): Promise<{ messages: URL; reference: string; abort: () => void }> {
  const disconnection = new AbortController();
  const response = await fetch(url, { signal: disconnection.signal });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const first = Buffer.from((await reader.read()).value ?? []).toString();
  const [, path = ""] = /^event: endpoint\ndata: (.+)$/m.exec(first) ?? [];
  return { messages: new URL(path, url), reference: path, abort: () => disconnection.abort() };
}

function post(messages: URL, body: string, headers: Record<string, string> = {}): Promise<number> {
  const type = { "content-type": "application/json" };
  return fetch(messages, { method: "POST", body, headers: { ...type, ...headers } }).then(
    ({ status }) => status,
  );
}

const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

test("the endpoint of messages is relative, so that it is found below a prefix that a proxy has stripped", async () => {
  const { url } = await serve();
  for (const [asked, prefix] of [
    [url, ""],
    [url, "/below/a"],
    [`${url}/`, "/below"],
  ] as const) {
    const { reference, abort } = await openStream(asked);
    const { origin, pathname } = new URL(asked);
    assert.is(new URL(reference, `${origin}${prefix}${pathname}`).pathname, `${prefix}/messages`);
    abort();
  }
});

test("a message is refused without an open stream, and with an origin, media type or length that is not allowed", async () => {
  const { url } = await serve({ bodyBytes: 1_000 });
  const { messages, abort } = await openStream(url);
  assert.match(messages.search, /^\?sessionId=[0-9a-f]{32}$/);
  assert.is(await post(messages, ping), 202);
  assert.is(await post(messages, ping, { origin: "http://evil.example" }), 403);
  assert.is(await post(messages, ping, { "content-type": "text/plain" }), 415);
  assert.equal([await post(messages, "{"), await post(messages, "[]")], [400, 400]);
  assert.is(await post(messages, "x".repeat(2_000)), 413);
  assert.is((await fetch(messages)).status, 405);
  assert.is((await fetch(url, { headers: { origin: "null" } })).status, 403);
  const other = new URL(`/messages?sessionId=${"0".repeat(32)}`, url);
  assert.is(await post(other, ping), 404);
  abort();
  await until(async () => (await post(messages, ping)) !== 202);
  assert.is(await post(messages, ping), 404);
});

test("a stream beyond the limit is refused", async () => {
  const { url } = await serve({ sessions: 1 });
  const { abort } = await openStream(url);
  const refused = await fetch(url);
  assert.equal([refused.status, refused.headers.get("retry-after")], [503, "60"]);
  abort();
});

test.run();
