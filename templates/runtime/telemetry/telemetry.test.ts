import { once } from "node:events";
import { createServer as createHttpServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { context, propagation, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from "@opentelemetry/core";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createBackends } from "../backends/backends.js";
import { createDatabases, type SqliteDatabase } from "../databases/databases.js";
import type { DatabaseConnections } from "../databases/definition.js";
import type { ServerDefinition } from "../engine/definition.js";
import { createLog } from "../observe/log.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import { createServer } from "../server/create-server.js";
import { SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Transport } from "@modelcontextprotocol/server";
import { FetchEndpoint } from "../fetch/endpoint.js";
import type { HttpDefinition, SseDefinition } from "../http/definition.js";
import { listen } from "../http/listener.js";
import { httpEndpointWithSessions } from "../http/sessions.js";
import { sseEndpoint } from "../sse/endpoint.js";
import { closeAll, closeLater, connect } from "../suite/clients/harness.js";
import type { Era } from "../context/context.js";
import { modernRequest, sendRaw } from "../suite/clients/http.js";
import type { Upstream } from "../upstreams/upstream.js";
import { createUpstreams } from "../upstreams/upstreams.js";
import { traceStatements } from "./databases.js";
import { traceHeaders } from "./headers.js";
import { traceMethods } from "./requests.js";
import { traceRequest } from "./upstreams.js";

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
// These are the propagators that OpenTelemetry's SDK for Node.js sets.
propagation.setGlobalPropagator(
  new CompositePropagator({
    propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
  }),
);

const SECRET = "marked-value-77";
const CLIENT_TRACE = "0af7651916cd43dd8448eb211c80319c";
const CLIENT_SPAN = "b7ad6b7169203331";
const traceparent = `00-${CLIENT_TRACE}-${CLIENT_SPAN}-01`;

const received: IncomingHttpHeaders[] = [];
const upstream = createHttpServer((request, response) => {
  received.push(request.headers);
  response.writeHead(request.url?.includes("missing") ? 404 : 200).end("{}");
}).listen(0, "127.0.0.1");
await once(upstream, "listening");
const { port } = upstream.address() as AddressInfo;

/** Answers every statement with one row. */
const connections: DatabaseConnections = {
  run: async ({ text }) => {
    if (text.includes("nothing")) throw new Error(`no ${SECRET}`);
    return { rows: [{ one: 1 }], isCut: false };
  },
  check: async () => undefined,
  close: async () => undefined,
};

interface HandlerContext {
  readonly upstreams: { readonly shelves: Upstream };
  readonly databases: { readonly books: SqliteDatabase };
}

const look = tool(
  "look",
  erased(async ({ path, query }: { path: string; query: string }, ctx) => {
    const { upstreams, databases } = ctx as typeof ctx & HandlerContext;
    await upstreams.shelves.get(`/${path}`, { query: { token: SECRET } });
    await databases.books.query(query, { secret: SECRET });
    return "looked";
  }),
  { properties: { path: { type: "string" }, query: { type: "string" } } },
);

const retired = tool(
  "retired",
  erased(() => "done"),
  { deprecated: { use: "look" }, open: true },
);

const definition: ServerDefinition = {
  ...sampleServer,
  tools: [...sampleServer.tools, look, retired],
  ...{ createBackends, traceMethods },
  ...{ createUpstreams, createDatabases, traceRequest, traceStatements },
  openSqlite: () => connections,
  databases: [{ name: "books", type: "sqlite", place: ":memory:", poolSize: 1, timeoutMs: 1_000 }],
  ...{
    upstreams: [
      {
        ...{ name: "shelves", baseUrl: `http://127.0.0.1:${port}`, private: true },
        ...{ timeoutMs: 1_000, redirects: 0, concurrency: 1 },
      },
    ],
  },
};
const log = createLog({ write: () => undefined });
const server = createServer(definition, { root: process.cwd(), log });
const tracingServer = createServer({ ...definition, traceHeaders }, { root: process.cwd(), log });
test.after(async () => {
  await closeAll();
  await Promise.all([server.close(), tracingServer.close()]);
  upstream.close();
});

/** The spans of one call, in the order in which they ended. */
async function spansOf(
  name: string,
  input: object,
  meta: object = {},
  id: string | number = 1,
): Promise<ReadableSpan[]> {
  exporter.reset();
  const request = modernRequest("http://localhost/mcp", "tools/call", { name, arguments: input });
  const body = (await request.json()) as { id: string | number; params: { _meta: object } };
  body.id = id;
  Object.assign(body.params._meta, meta);
  const traceable = new Request(request.url, {
    method: "POST",
    headers: request.headers,
    body: JSON.stringify(body),
  });
  await sendRaw(traceable, (incoming) => server.fetch(incoming));
  return exporter.getFinishedSpans();
}

test("a call with a request and a statement is a tree of spans below the client's", async () => {
  const spans = await spansOf(
    "look",
    { path: SECRET, query: `select '${SECRET}'` },
    { traceparent },
  );
  const [request, statement, call] = spans;
  assert.equal(
    spans.map(({ name, parentSpanContext: parent }) => [name, parent?.spanId]),
    [
      ["GET", call?.spanContext().spanId],
      ["books", call?.spanContext().spanId],
      ["tools/call look", CLIENT_SPAN],
    ],
  );
  assert.ok(spans.every((span) => span.spanContext().traceId === CLIENT_TRACE));
  assert.equal(call?.attributes, {
    ...{ "mcp.method.name": "tools/call", "jsonrpc.request.id": "1" },
    ...{ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look" },
  });
  assert.equal(request?.attributes, {
    ...{ "http.request.method": "GET", "server.address": "127.0.0.1", "server.port": port },
    ...{ "peer.service": "shelves", "http.response.status_code": 200 },
  });
  assert.equal(statement?.attributes, {
    ...{ "db.system.name": "sqlite", "db.response.returned_rows": 1 },
  });
  const passedOn = `00-${CLIENT_TRACE}-${request?.spanContext().spanId}-01`;
  assert.is(received.at(-1)?.["traceparent"], passedOn);
  const spanData = spans.map(({ name, attributes, events, status }) => ({
    ...{ name, attributes, events, status },
  }));
  assert.not.ok(JSON.stringify(spanData).includes(SECRET));
});

test("the span of a call to a deprecated item says so", async () => {
  const [span, ...others] = await spansOf("retired", {});
  assert.equal([span?.name, others], ["tools/call retired", []]);
  assert.is(span?.attributes["mcpwright.deprecated"], true);
});

test("a span that only the HTTP headers name is the parent, with every transport", async () => {
  const [http, sse] = (["http", "sse"] as const).map((type) =>
    sampleServer.transports.find((transport) => transport.type === type),
  );
  const { url, urls, close } = await listen(tracingServer, [
    httpEndpointWithSessions(tracingServer, http as HttpDefinition),
    sseEndpoint(tracingServer, sse as SseDefinition),
  ]);
  closeLater(close);
  const headers = { traceparent: `00-${CLIENT_TRACE}-${CLIENT_SPAN}-01` };
  const requestInit = { headers };
  const clients: readonly (readonly [Transport, Era])[] = [
    [new StreamableHTTPClientTransport(new URL(url), { requestInit }), "modern"],
    [new StreamableHTTPClientTransport(new URL(url), { requestInit }), "legacy"],
    [new SSEClientTransport(new URL(urls.get("sse") ?? ""), { requestInit }), "legacy"],
  ];
  for (const [transport, era] of clients) {
    const client = await connect(transport, era);
    exporter.reset();
    const input = { path: SECRET, query: "select 1" };
    await client.callTool({ name: "look", arguments: input });
    const spans = exporter.getFinishedSpans();
    const call = spans.find(({ name }) => name === "tools/call look");
    assert.is(call?.parentSpanContext?.spanId, CLIENT_SPAN, `${transport.constructor.name} ${era}`);
    assert.ok(spans.every((span) => span.spanContext().traceId === CLIENT_TRACE));
  }
});

test("a span that only the HTTP headers name is the parent where a runtime calls a function", async () => {
  const http = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
  const endpoint = new FetchEndpoint(tracingServer, { ...http, sessions: "none" });
  const call = { name: "look", arguments: { path: "books", query: "select 1" } };
  exporter.reset();
  const request = modernRequest("http://localhost/mcp", "tools/call", call, { traceparent });
  const response = await endpoint.answer(request, "127.0.0.1");
  assert.is(response.status, 200);
  const spans = exporter.getFinishedSpans();
  assert.is(spans.at(-1)?.parentSpanContext?.spanId, CLIENT_SPAN);
  assert.ok(spans.every((span) => span.spanContext().traceId === CLIENT_TRACE));
});

test("values of any type in the client's trace context are no error", async () => {
  const values: unknown[] = [
    5,
    true,
    null,
    [5],
    [{ toString: 1 }],
    { split: 1 },
    { toString: 1 },
    ["a", null],
  ];
  for (const value of values) {
    for (const meta of [
      { baggage: value },
      { traceparent: value },
      { traceparent, tracestate: value },
    ]) {
      const spans = await spansOf("look", { path: "books", query: "select 1" }, meta);
      const call = spans.find(({ name }) => name === "tools/call look");
      const shown = JSON.stringify(meta);
      assert.is(call?.status.code, SpanStatusCode.UNSET, shown);
      assert.is(
        call?.parentSpanContext?.spanId,
        "tracestate" in meta ? CLIENT_SPAN : undefined,
        shown,
      );
    }
  }
});

test("the span of a request in the name of a caller says who acts for whom", async () => {
  exporter.reset();
  const request = { method: "GET", origin: "https://ledger.example", path: "/", headers: {} };
  const answer = { status: 200, headers: {}, body: Buffer.alloc(0), isTruncated: false };
  const acting = { actor: "books", subject: "ada" };
  await traceRequest("ledger", request, async () => answer, acting);
  const [span] = exporter.getFinishedSpans();
  const { "mcpwright.actor": actor, "mcpwright.subject": subject } = span?.attributes ?? {};
  assert.equal([actor, subject], ["books", "ada"]);
});

test("what a client writes into baggage is sent to no upstream", async () => {
  const baggage = "user.role=admin";
  await spansOf("look", { path: "books", query: "select 1" }, { traceparent, baggage });
  assert.is(received.at(-1)?.["baggage"], undefined);
  const http = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
  const { url, close } = await listen(tracingServer, [
    httpEndpointWithSessions(tracingServer, http),
  ]);
  closeLater(close);
  const input = { path: "books", query: "select 1" };
  const call = { name: "look", arguments: input };
  await sendRaw(modernRequest(url, "tools/call", call, { traceparent, baggage }));
  assert.match(String(received.at(-1)?.["traceparent"]), new RegExp(`^00-${CLIENT_TRACE}-`));
  assert.is(received.at(-1)?.["baggage"], undefined);
});

test("an id that is too long is in no span, since spans wait in memory until they are exported", async () => {
  const input = { path: "books", query: "select 1" };
  const attributeFor = async (id: string): Promise<unknown> =>
    (await spansOf("look", input, {}, id)).at(-1)?.attributes["jsonrpc.request.id"];
  assert.is(await attributeFor("x".repeat(128)), "x".repeat(128));
  assert.is(await attributeFor("x".repeat(100_000)), undefined);
});

test("a failure is an error of its span, without the message", async () => {
  const spans = await spansOf("look", { path: "missing", query: "nothing" });
  assert.equal(
    spans.map(({ name, attributes, status }) => [name, attributes["error.type"], status.code]),
    [
      ["GET", "404", SpanStatusCode.ERROR],
      ["books", "Error", SpanStatusCode.ERROR],
      ["tools/call look", "tool_error", SpanStatusCode.ERROR],
    ],
  );
  assert.not.ok(spans.some(({ events }) => events.length > 0));
  const [unknown] = await spansOf("no such tool", {});
  assert.is(unknown?.name, "tools/call");
  assert.is(unknown?.attributes["rpc.response.status_code"], "-32602");
});

test.run();
