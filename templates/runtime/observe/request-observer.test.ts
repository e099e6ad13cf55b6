import { connectHttp, modernRequest, sendRaw } from "../suite/clients/http.js";
import { request as httpRequest } from "node:http";
import { SSEClientTransport } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { serveConnection } from "../connections/connection.js";
import { createServer, type RunningServer } from "../server/create-server.js";
import type { HttpDefinition } from "../http/definition.js";
import { httpEndpointWithSessions } from "../http/sessions.js";
import { httpEndpoint } from "../http/endpoint.js";
import { listen } from "../http/listener.js";
import type { SetLimits } from "../engine/limits.js";
import { createLog } from "./log.js";
import { sseEndpoint } from "../sse/endpoint.js";
import { closeAll, connect } from "../suite/clients/harness.js";
import type { Era } from "../context/context.js";
import { sampleServer } from "../samples/server.js";
import { until } from "../samples/until.js";
import { WebSocketClientTransport } from "../suite/clients/websocket-client.js";
import type { RunningHttp } from "../http/transport.js";
import { webSocketEndpoint } from "../websocket/endpoint.js";

type Line = Readonly<Record<string, unknown>>;

/** A text that clients send in arguments, headers and URIs, and that no line may contain. */
const canary = "c4nary-5ecret";
const lines: string[] = [];
const running: RunningHttp[] = [];
const definition = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const { host, port, allowedHosts, allowedOrigins, trustProxy } = definition;
const address = { host, port, allowedHosts, allowedOrigins, trustProxy };

test.after(async () => {
  await closeAll();
  await Promise.all(running.map((http) => http.close()));
});

function makeServer(options: { fastPath?: boolean; limits?: SetLimits } = {}): RunningServer {
  const { limits = {}, ...pathOptions } = options;
  const log = createLog({ level: "debug", write: (line) => void lines.push(line) });
  const settings = { root: process.cwd(), log, logRequests: true, ...pathOptions };
  // Logs every refusal, also repeated ones.
  const countRefusals = () => ({ isCounted: () => false, flush: () => undefined });
  return createServer({ ...sampleServer, countRefusals, limits }, settings);
}

async function serve(server: RunningServer, sessions = false): Promise<RunningHttp> {
  const endpoint = sessions ? httpEndpointWithSessions : httpEndpoint;
  const http = await listen(server, [
    endpoint(server, definition),
    sseEndpoint(server, { type: "sse", path: "/sse", messagesPath: "/messages", ...address }),
    webSocketEndpoint(server, { type: "websocket", path: "/ws", ...address }),
  ]);
  running.push(http);
  return http;
}

/** The lines about requests, without the first `from` lines of the log. */
function requestLines(from: number): Line[] {
  return lines
    .slice(from)
    .map((line) => JSON.parse(line) as Line)
    .filter(({ message }) => message === "request" || message === "refused for a limit");
}

/** Returns what `run` logs about requests of these methods, after a check of times and levels. */
async function logged(run: () => Promise<unknown>, ...methods: string[]): Promise<Line[]> {
  const from = lines.length;
  await run();
  return requestLines(from)
    .filter(({ method }) => methods.length === 0 || methods.includes(String(method)))
    .map(({ time, level, message: _message, durationMs, requestId, ...entry }) => {
      assert.match(String(time), /^\d{4}-.*Z$/);
      if (entry["limit"] !== undefined) {
        assert.is(level, "warning");
        return { outcome: "refused", ...entry };
      }
      assert.is(level, "info");
      assert.ok(Number(durationMs) >= 0);
      assert.ok(entry["outcome"] === "refused" || requestId !== undefined, "the request's id");
      return entry;
    });
}

const call = (url: string, name: string, args: object = {}): Request =>
  modernRequest(url, "tools/call", { name, arguments: args });

for (const fastPath of [true, false]) {
  const path = fastPath ? "fast path" : "path through the SDK";

  test(`${path}: each request has one line with its outcome`, async () => {
    const { url } = await serve(makeServer({ fastPath }));
    const head = { transport: "http", era: "modern" } as const;
    const send = (request: Request) => () => sendRaw(request);
    assert.equal(await logged(send(call(url, "greet", { who: canary }))), [
      { method: "tools/call", name: "greet", ...head, outcome: "ok" },
    ]);
    assert.equal(await logged(send(call(url, "greet", { who: 1 }))), [
      { method: "tools/call", name: "greet", ...head, outcome: "tool_error" },
    ]);
    assert.equal(await logged(send(call(url, "no\u001bsuch\u2028tool"))), [
      {
        method: "tools/call",
        name: "no\\u001bsuch\\u2028tool",
        ...{ transport: "http", outcome: "refused" },
        ...{ code: -32020, status: 400, reason: "Bad Request" },
      },
    ]);
    assert.equal(await logged(send(call(url, "none"))), [
      { method: "tools/call", name: "none", ...head, outcome: "error", code: -32602 },
    ]);
    assert.equal(await logged(send(modernRequest(url, "tools/list"))), [
      { method: "tools/list", ...head, outcome: "ok" },
    ]);
    const read = (uri: string) => send(modernRequest(url, "resources/read", { uri }));
    assert.equal(await logged(read("sample://help")), [
      { method: "resources/read", name: "help", ...head, outcome: "ok" },
    ]);
    assert.equal(await logged(read(`sample://none/${canary}`)), [
      { method: "resources/read", ...head, outcome: "error", code: -32602 },
    ]);
    assert.equal(await logged(send(modernRequest(url, "x/y"))), [
      { method: "x/y", ...head, outcome: "error", code: -32601 },
    ]);
  });

  test(`${path}: a request whose client disconnects has one line`, async () => {
    const server = makeServer({ fastPath });
    const { url } = await serve(server);
    const from = lines.length;
    const clientAbort = new AbortController();
    const request = new Request(call(url, "sleep", { ms: 20_000 }), { signal: clientAbort.signal });
    const answer = fetch(request).catch(() => "gone");
    await until(() => lines.slice(from).some((line) => line.includes('"sleeping"')));
    assert.is(server.observer?.inFlight, 1);
    clientAbort.abort();
    assert.is(await answer, "gone");
    await until(() => requestLines(from).length > 0);
    assert.equal(
      requestLines(from).map(({ outcome }) => outcome),
      ["cancelled"],
    );
    assert.is(server.observer?.inFlight, 0);
  });
}

test("requests of legacy clients are logged, with and without sessions", async () => {
  for (const sessions of [false, true]) {
    const { url } = await serve(makeServer(), sessions);
    const client = await connectHttp(url, "legacy");
    const run = () => client.callTool({ name: "greet", arguments: { who: canary } });
    assert.equal(await logged(run, "tools/call"), [
      { method: "tools/call", name: "greet", transport: "http", outcome: "ok", era: "legacy" },
    ]);
  }
  const { url } = await serve(makeServer(), true);
  const headers = { "content-type": "application/json", "mcp-session-id": canary };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { canary } });
  const stranger = new Request(url, { method: "POST", headers, body });
  const refused = { transport: "http", outcome: "refused", status: 404, reason: "Not Found" };
  assert.equal(await logged(() => sendRaw(stranger)), [
    { method: "ping", ...refused, code: -32001 },
  ]);
});

test("requests over SSE, WebSocket and stdio are logged", async () => {
  const server = makeServer();
  const http = await serve(server);
  const urls = (type: "sse" | "websocket") => http.urls.get(type) as string;
  const clients = {
    sse: () => connect(new SSEClientTransport(new URL(urls("sse"))), "legacy"),
    websocket: (era: Era) => connect(new WebSocketClientTransport(urls("websocket")), era),
    stdio: (era: Era) => {
      const [own, theirs] = InMemoryTransport.createLinkedPair();
      serveConnection(server, theirs, "stdio");
      return connect(own, era);
    },
  };
  for (const [transport, open] of Object.entries(clients)) {
    for (const era of transport === "sse"
      ? (["legacy"] as const)
      : (["modern", "legacy"] as const)) {
      const client = await open(era);
      const greet = () => client.callTool({ name: "greet", arguments: { who: canary } });
      assert.equal(await logged(greet, "tools/call"), [
        { method: "tools/call", name: "greet", transport, outcome: "ok", era },
      ]);
      const none = () => client.callTool({ name: "none" }).catch(() => undefined);
      assert.equal(await logged(none, "tools/call"), [
        { method: "tools/call", name: "none", transport, outcome: "error", era, code: -32602 },
      ]);
      await client.close();
    }
  }
  assert.is(server.observer?.inFlight, 0);
});

test("a subscription is logged when its stream ends", async () => {
  const { url } = await serve(makeServer());
  const clientAbort = new AbortController();
  const listenTo = async (): Promise<void> => {
    const request = modernRequest(url, "subscriptions/listen", { notifications: {} });
    const response = await fetch(new Request(request, { signal: clientAbort.signal }));
    clientAbort.abort();
    await response.text().catch(() => undefined);
  };
  const from = lines.length;
  await listenTo();
  await until(() => requestLines(from).length > 0);
  const [{ method, outcome } = {}] = requestLines(from);
  assert.equal([method, outcome], ["subscriptions/listen", "ok"]);
});

test("a refused request has one line, whatever refused it", async () => {
  const { url } = await serve(makeServer({ limits: { bodyBytes: 2_000, elements: 50 } }));
  const hostile = call(url, "greet", { who: canary });
  const variants: readonly (readonly [status: number, Partial<RequestInit>, path?: string])[] = [
    [403, { headers: { origin: `http://${canary}.example` } }],
    [415, { headers: { "content-type": `text/${canary}` } }],
    [413, { body: JSON.stringify(canary.repeat(1_000)) }],
    [400, { body: JSON.stringify(Array(100).fill(canary)) }],
    [400, { body: `{"${canary}` }],
    [400, { headers: { "mcp-method": canary } }],
    [400, { headers: { "mcp-name": canary } }],
    [400, { headers: { "mcp-protocol-version": canary } }],
    [405, { method: "PUT", headers: { "x-any": canary } }],
    [404, {}, `/${canary}?${canary}`],
  ];
  for (const [status, init, path = ""] of variants) {
    const headers = { ...Object.fromEntries(hostile.headers), ...(init.headers as object) };
    const body = init.body ?? (await hostile.clone().text());
    const request = new Request(path === "" ? url : new URL(path, url), {
      ...{ method: "POST", body, ...init },
      headers,
    });
    const seen = await logged(() => sendRaw(request));
    assert.equal(
      seen.map(({ outcome, status }) => [outcome, status]),
      [["refused", status]],
      JSON.stringify([status, init, path]),
    );
  }
  const wrongHost = await logged(() => statusWithHost(url, `${canary}.example`));
  const named = { received: `${canary}.example`, setting: "allowedHosts" };
  assert.equal(wrongHost, [
    { transport: "http", outcome: "refused", status: 403, reason: "Host not allowed", ...named },
  ]);
  const { url: strict } = await serve(makeServer({ limits: { ratePerSecond: 0.001 } }));
  const twice = async (): Promise<void> => {
    for (const turn of [1, 2]) await sendRaw(modernRequest(strict, "tools/list", { turn }));
  };
  assert.equal(
    (await logged(twice)).map(({ outcome, status }) => [outcome, status]),
    [
      ["ok", undefined],
      ["refused", 429],
    ],
  );
});

test("no line of any level contains texts from arguments, headers or URIs, but a host or origin that was refused", () => {
  assert.ok(lines.length > 60);
  const refusedName = /"received":"(?:http:..)?[^"]*","setting":"allowed(?:Hosts|Origins)"/;
  for (const line of lines) assert.not.ok(line.replace(refusedName, "").includes(canary), line);
});

/** Sends a request with this Host header, which `fetch` cannot set. */
function statusWithHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: "POST", headers: { host } }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    request.on("error", reject).end("{}");
  });
}

test.run();
