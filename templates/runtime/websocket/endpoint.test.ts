import { modernRequest } from "../suite/clients/http.js";
import { connect as connectSocket } from "node:net";
import type { AuthenticationRequest } from "../authentication/authenticate.js";
import type { Authentication } from "../authentication/authentication.js";
import type { Client } from "@modelcontextprotocol/client";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { WebSocket } from "ws";
import { createServer } from "../server/create-server.js";
import type { HttpDefinition, WebSocketDefinition } from "../http/definition.js";
import { httpEndpoint } from "../http/endpoint.js";
import { listen } from "../http/listener.js";
import type { SetLimits } from "../engine/limits.js";
import { createLog } from "../observe/log.js";
import { closeAll, connect } from "../suite/clients/harness.js";
import type { Era } from "../context/context.js";
import { holdTimers } from "../samples/held-timers.js";
import { sampleServer } from "../samples/server.js";
import { withStoppedClock } from "../samples/stopped-clock.js";
import { until } from "../samples/until.js";
import { WebSocketClientTransport } from "../suite/clients/websocket-client.js";
import type { RunningHttp } from "../http/transport.js";
import { webSocketEndpoint } from "./endpoint.js";

const definition: WebSocketDefinition = {
  type: "websocket",
  host: "127.0.0.1",
  port: 0,
  path: "/ws",
  allowedHosts: [],
  allowedOrigins: ["https://app.example.com"],
  trustProxy: 0,
};
const running: RunningHttp[] = [];
const lines: string[] = [];

test.after(async () => {
  await closeAll();
  await Promise.all(running.map((one) => one.close()));
});

async function serve(
  limits: SetLimits = {},
  authenticate?: (request: AuthenticationRequest) => Authentication | undefined,
): Promise<RunningHttp> {
  const log = createLog({ write: (line) => void lines.push(line) });
  const server = createServer(
    { ...sampleServer, limits },
    {
      ...{ root: process.cwd(), log },
      ...(authenticate !== undefined && { authentication: { authenticate } }),
    },
  );
  const http = await listen(server, [webSocketEndpoint(server, definition)]);
  running.push(http);
  return http;
}

const connectTo = (http: RunningHttp, era: Era): Promise<Client> =>
  connect(new WebSocketClientTransport(http.url), era);

test("a socket is closed when its key is removed, but not if code authenticated the caller", async () => {
  const timers = holdTimers(60_000);
  try {
    let isThere = true;
    const http = await serve({}, ({ token = "" }) => {
      if (!isThere) return undefined;
      return { principal: token, scopes: [], ...(token === "key" && { via: "apiKey" as const }) };
    });
    const open = async (token: string): Promise<WebSocket> => {
      const headers = { authorization: `Bearer ${token}` };
      const socket = new WebSocket(http.url.replace("http", "ws"), "mcp", { headers });
      await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
      return socket;
    };
    const [byKey, byCode] = [await open("key"), await open("code")];
    const closed = new Promise((resolve) => byKey.once("close", resolve));
    timers.end();
    await new Promise(setImmediate);
    assert.is(byKey.readyState, WebSocket.OPEN, "it is there still");
    isThere = false;
    timers.end();
    assert.is(await closed, 1008);
    assert.is(byCode.readyState, WebSocket.OPEN);
    byCode.terminate();
  } finally {
    timers.release();
  }
});

test("a principal with too many sockets loses one to another principal, whatever the addresses", async () => {
  const http = await serve({ sessions: 3 }, ({ token = "" }) => ({
    principal: token,
    scopes: [],
  }));
  const open = async (principal: string): Promise<WebSocket | number> => {
    const headers = { authorization: `Bearer ${principal}` };
    const socket = new WebSocket(http.url.replace("http", "ws"), "mcp", { headers });
    return new Promise((resolve) => {
      socket.on("open", () => resolve(socket));
      socket.on("error", () => undefined);
      socket.on("unexpected-response", (_request, { statusCode = 0 }) => resolve(statusCode));
    });
  };
  const greedy = (await Promise.all([open("a"), open("a"), open("a")])) as WebSocket[];
  assert.is(await open("a"), 503, "nobody makes room for the one who has most");
  const honest = await open("b");
  assert.instance(honest, WebSocket);
  await until(() => greedy.some(({ readyState }) => readyState === WebSocket.CLOSED));
  assert.is(greedy.filter(({ readyState }) => readyState === WebSocket.OPEN).length, 2);
  for (const socket of [...greedy, honest as WebSocket]) socket.terminate();
});

for (const era of ["modern", "legacy"] as const) {
  test(`${era}: the official client is served`, async () => {
    const client = await connectTo(await serve(), era);
    const answer = await client.callTool({ name: "greet", arguments: { who: "Ada" } });
    assert.equal(answer.content, [{ type: "text", text: "Hello, Ada!" }]);
    const reports: number[] = [];
    const onprogress = ({ progress }: { progress: number }): void => void reports.push(progress);
    await client.callTool({ name: "report" }, { onprogress });
    assert.equal(reports, [0, 1]);
  });

  test(`${era}: closing answers running calls, then closes the socket`, async () => {
    const http = await serve();
    const client = await connectTo(http, era);
    const gone = new Promise<string>((resolve) => (client.onclose = () => resolve("gone")));
    const before = lines.length;
    const call = client.callTool({ name: "sleep", arguments: { ms: 300 } });
    await untilAsleep(before);
    await http.close();
    assert.equal((await call).content, [{ type: "text", text: "slept 300 ms" }]);
    assert.is(await gone, "gone");
  });
}

/** Resolves when the log has a call of `sleep` after this line. */
const untilAsleep = (from: number): Promise<void> =>
  until(() => lines.slice(from).some((line) => line.includes('"sleeping"')));

/** The result of an attempt to open a socket: the HTTP status, or the code with which the socket was closed. */
function attempt(
  http: RunningHttp,
  headers: Readonly<Record<string, string>>,
  onOpen: (socket: WebSocket) => void = (socket) => socket.terminate(),
): Promise<number> {
  const socket = new WebSocket(http.url.replace(/^http/, "ws"), { headers });
  return new Promise((resolve) => {
    socket.on("open", () => onOpen(socket));
    socket.on("unexpected-response", (_request, { statusCode = 0 }) => resolve(statusCode));
    socket.on("close", (code) => resolve(code));
    socket.on("error", () => undefined);
  });
}

test("foreign hosts and origins get 403, other requests 426 or 404", async () => {
  const http = await serve();
  assert.is(await attempt(http, { origin: "http://evil.example" }), 403);
  assert.is(await attempt(http, { origin: "null" }), 403);
  assert.is(await attempt(http, { host: "evil.example" }), 403);
  assert.is(await attempt(http, { origin: "https://app.example.com" }), 1006);
  const plain = await fetch(http.url);
  assert.equal([plain.status, plain.headers.get("upgrade")], [426, "websocket"]);
  assert.is((await fetch(http.url, { method: "POST" })).status, 405);
  const elsewhere = { ...http, url: new URL("/other", http.url).href };
  assert.is(await attempt(elsewhere, {}), 404);
});

test("an invalid or too long message closes the socket", async () => {
  const http = await serve({ bodyBytes: 1_000 });
  assert.is(await attempt(http, {}, (socket) => socket.send("nonsense")), 1008);
  assert.is(await attempt(http, {}, (socket) => socket.send(Buffer.from("{}"))), 1003);
  assert.is(await attempt(http, {}, (socket) => socket.send("x".repeat(1_001))), 1009);
});

test("a byte-order mark is skipped and parameters of null count as absent", async () => {
  const http = await serve();
  const socket = new WebSocket(http.url.replace("http", "ws"), "mcp");
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const clientInfo = { name: "t", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const answer = async (message: object): Promise<unknown> => {
    const received = new Promise<string>((resolve) =>
      socket.once("message", (data: Buffer) => resolve(data.toString())),
    );
    socket.send(`\ufeff${JSON.stringify({ jsonrpc: "2.0", id: 1, ...message })}`);
    return (JSON.parse(await received) as { readonly result?: unknown }).result;
  };
  assert.ok(await answer({ method: "initialize", params }));
  assert.ok(await answer({ method: "tools/list", params: null }));
  assert.ok(await answer({ method: "tools/call", params: { name: "echo", arguments: null } }));
  socket.terminate();
});

/** The bytes that a server sends in answer to these, until it closes the connection. */
function sendBytes(http: RunningHttp, bytes: string): Promise<string> {
  const { port } = new URL(http.url);
  return new Promise((resolve, reject) => {
    const socket = connectSocket(Number(port), "127.0.0.1");
    let received = "";
    socket.on("data", (data: Buffer) => (received += data.toString()));
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
    socket.write(bytes);
  });
}

test("a client that requests an unknown upgrade is answered over HTTP/1.1", async () => {
  const log = createLog({ write: () => undefined });
  const server = createServer(sampleServer, { root: process.cwd(), log });
  const sample = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
  const http = await listen(server, [
    httpEndpoint(server, sample),
    webSocketEndpoint(server, definition),
  ]);
  running.push(http);
  const request = modernRequest(http.url, "tools/call", {
    name: "greet",
    arguments: { who: "Ada" },
  });
  const body = await request.text();
  const headers = {
    ...Object.fromEntries(request.headers),
    host: new URL(http.url).host,
    connection: "Upgrade, HTTP2-Settings, close",
    upgrade: "h2c",
    "http2-settings": "AAMAAABkAAQAAP__",
    "content-length": String(body.length),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const answer = await sendBytes(http, ["POST /mcp HTTP/1.1", ...lines, "", body].join("\r\n"));
  assert.match(answer, /^HTTP\/1\.1 200 /);
  assert.match(answer, /Hello, Ada!/);
  const elsewhere = { ...http, url: new URL("/mcp", http.url).href };
  assert.is(await attempt(elsewhere, {}), 405);
});

test("a server that stops opens no socket", async () => {
  const http = await serve();
  const client = await connectTo(http, "modern");
  const before = lines.length;
  const call = client.callTool({ name: "sleep", arguments: { ms: 500 } });
  await untilAsleep(before);
  const closed = http.close();
  const late = await attempt(http, {});
  assert.ok([503, 1006].includes(late), String(late));
  assert.equal((await call).content, [{ type: "text", text: "slept 500 ms" }]);
  await closed;
});

test("endpoints of one server share a client's rate", async () => {
  const log = createLog({ write: () => undefined });
  const limits = { ratePerSecond: 1 };
  const server = createServer({ ...sampleServer, limits }, { root: process.cwd(), log });
  const streamable = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
  const http = await listen(server, [
    httpEndpoint(server, streamable),
    webSocketEndpoint(server, definition),
  ]);
  running.push(http);
  const statuses: number[] = [];
  await withStoppedClock(async () => {
    for (const type of ["http", "websocket"] as const) {
      const request = new Request((http.urls.get(type) as string).replace("ws:", "http:"));
      statuses.push((await fetch(request)).status);
    }
  });
  assert.equal(statuses, [405, 429]);
});

/** Sends messages and a `ping` together, and returns what arrives up to the answer to the `ping`. */
async function answersTo(socket: WebSocket, messages: readonly object[]): Promise<unknown[]> {
  const answers: { id?: string }[] = [];
  const isOver = new Promise<void>((resolve) => {
    socket.on("message", (data: Buffer) => {
      const answer = JSON.parse(data.toString()) as { id?: string };
      answers.push(answer);
      if (answer.id === "last") resolve();
    });
  });
  for (const message of [...messages, { id: "last", method: "ping" }]) {
    socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }
  await isOver;
  socket.removeAllListeners("message");
  return answers;
}

const handshake = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "many", version: "1" },
};
const tooMany = (limit: number): object => ({
  code: 429,
  message: `Too many requests (limits.ratePerSecond: ${limit})`,
  data: { retryAfter: 1 },
});

test("a client's messages have the rate of its requests", async () => {
  const http = await serve({ ratePerSecond: 6 });
  const socket = new WebSocket(http.url.replace(/^http/, "ws"));
  await withStoppedClock(async (advance) => {
    await new Promise((resolve) => socket.once("open", resolve));
    const outcomes = (answers: unknown[]): unknown[] =>
      (answers as { id: unknown; error?: unknown }[]).map(({ id, error }) => [id, error ?? "ok"]);
    // With the upgrade and the notification, these are six.
    const first = [
      { id: 1, method: "initialize", params: handshake },
      { method: "notifications/initialized" },
      { id: 2, method: "ping" },
    ];
    const under = outcomes(await answersTo(socket, first));
    assert.equal(under.sort(), [
      [1, "ok"],
      [2, "ok"],
      ["last", "ok"],
    ]);
    const at = outcomes(await answersTo(socket, []));
    assert.equal(at, [["last", "ok"]]);
    // The answer has no question, and notifications are not answered.
    const over = [
      { id: 3, method: "ping" },
      { method: "notifications/cancelled", params: { requestId: 3 } },
      { id: 4, result: {} },
      { id: 5, method: "tools/call", params: { name: "greet", arguments: { who: "Ada" } } },
    ];
    assert.equal(outcomes(await answersTo(socket, over)), [
      [3, tooMany(6)],
      [5, tooMany(6)],
      ["last", tooMany(6)],
    ]);
    // Two more are allowed, but not a third.
    advance(400);
    const later = outcomes(await answersTo(socket, [{ id: 6, method: "ping" }]));
    assert.equal(later.sort(), [
      [6, "ok"],
      ["last", "ok"],
    ]);
    assert.equal(outcomes(await answersTo(socket, [])), [["last", tooMany(6)]]);
    // The rate limit is that of the client, not of the socket.
    assert.is((await fetch(http.url)).status, 429);
  });
  socket.terminate();
});

test("behind a proxy each client has a rate of its own", async () => {
  const log = createLog({ write: () => undefined });
  const server = createServer(
    { ...sampleServer, limits: { ratePerSecond: 2 } },
    { root: process.cwd(), log },
  );
  const http = await listen(server, [webSocketEndpoint(server, { ...definition, trustProxy: 1 })]);
  running.push(http);
  await withStoppedClock(async () => {
    for (const address of ["203.0.113.1", "203.0.113.2"]) {
      const headers = { "x-forwarded-for": address };
      const socket = new WebSocket(http.url.replace(/^http/, "ws"), { headers });
      await new Promise((resolve) => socket.once("open", resolve));
      const [answer] = await answersTo(socket, []);
      assert.not("error" in (answer as object), JSON.stringify(answer));
      const error = tooMany(2);
      assert.equal(await answersTo(socket, []), [{ jsonrpc: "2.0", id: "last", error }]);
      socket.terminate();
    }
  });
});

test.run();
