import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  LOG_LEVEL_META_KEY,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Client,
  type Transport,
} from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import type { ServerDefinition } from "../../../../templates/runtime/engine/definition.js";
import { createSearchedTools } from "../../../../templates/runtime/search/search.js";
import {
  createServer,
  type RunningServer,
} from "../../../../templates/runtime/server/create-server.js";
import {
  serveCustomClients,
  type TransportHost,
} from "../../../../templates/runtime/connections/custom-transport.js";
import type {
  HttpDefinition,
  SseDefinition,
  WebSocketDefinition,
} from "../../../../templates/runtime/http/definition.js";
import { listen } from "../../../../templates/runtime/http/listener.js";
import { httpEndpointWithSessions } from "../../../../templates/runtime/http/sessions.js";
import { createLog } from "../../../../templates/runtime/observe/log.js";
import { sseEndpoint } from "../../../../templates/runtime/sse/endpoint.js";
import {
  closeAll,
  closeLater,
  connect,
} from "../../../../templates/runtime/suite/clients/harness.js";
import type { Era } from "../../../../templates/runtime/context/context.js";
import { erased, sampleServer, tool } from "../../../../templates/runtime/samples/server.js";
import { WebSocketClientTransport } from "../../../../templates/runtime/suite/clients/websocket-client.js";
import { webSocketEndpoint } from "../../../../templates/runtime/websocket/endpoint.js";
import { WireRecord } from "../../harness/clients/wire-record.js";

/** What must be the same on every transport, in each era that it has: cancellation, log levels and outputs work of any type. */

const test = suite("every transport");

/** Outputs that are easily taken for none. */
const OUTPUTS: Readonly<Record<string, unknown>> = {
  a_null: null,
  a_false: false,
  a_zero: 0,
  a_text: "",
  a_list: [],
  an_object: {},
};
const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

/** The calls of the tool `wait`: told of when they begin, and when their signal fires. */
class Waiting {
  readonly begun: Promise<void>;
  readonly cancelled: Promise<void>;
  readonly handler = erased(async (_input, { signal }) => {
    this.#begin();
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    this.#cancel();
    return "cancelled";
  });
  #begin = (): void => undefined;
  #cancel = (): void => undefined;

  constructor() {
    this.begun = new Promise((resolve) => (this.#begin = resolve));
    this.cancelled = new Promise((resolve) => (this.#cancel = resolve));
  }
}

function makeServer(waiting: Waiting, parts: Partial<ServerDefinition> = {}): RunningServer {
  const outputs = Object.entries(OUTPUTS).map(([name, value]) =>
    tool(
      name,
      erased(() => value),
      { outputSchema: { type: typeOf(value) } },
    ),
  );
  const logs = erased((_input, { log }) => {
    log.debug("a detail");
    log.error("a failure");
    return "logged";
  });
  const tools = [...outputs, tool("logs", logs), tool("wait", waiting.handler)];
  const log = createLog({ write: () => undefined });
  return createServer({ ...sampleServer, tools, ...parts }, { root: process.cwd(), log });
}

const http = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const sse = sampleServer.transports.find(({ type }) => type === "sse") as SseDefinition;
const socket = sampleServer.transports.find(
  ({ type }) => type === "websocket",
) as WebSocketDefinition;

/** Serves over a transport; what it returns makes a client's end of it. */
type Serve = (server: RunningServer) => Promise<(record: WireRecord) => Transport>;

const TRANSPORTS: Readonly<Record<string, Serve>> = {
  HTTP: async (server) => {
    const { url, close } = await listen(server, [httpEndpointWithSessions(server, http)]);
    closeLater(close);
    return ({ fetch }) => new StreamableHTTPClientTransport(new URL(url), { fetch });
  },
  SSE: async (server) => {
    const { url, close } = await listen(server, [sseEndpoint(server, sse)]);
    closeLater(close);
    return (record) => record.around(new SSEClientTransport(new URL(url)));
  },
  WebSocket: async (server) => {
    const { url, close } = await listen(server, [webSocketEndpoint(server, socket)]);
    closeLater(close);
    return (record) => record.around(new WebSocketClientTransport(url));
  },
  // Over stdio a client is served by the same code.
  "a project's own": async (server) => {
    let host: TransportHost<object> | undefined;
    const open = (given: TransportHost<object>): { close: () => void } => {
      host = given;
      return { close: () => undefined };
    };
    const running = await serveCustomClients(open, server, {});
    closeLater(() => running.close());
    return (record) => {
      const [own, theirs] = InMemoryTransport.createLinkedPair();
      host?.connect(theirs);
      return record.around(own);
    };
  },
};

/** The levels of the messages that calls of `logs` bring. */
function levels(record: WireRecord): unknown[] {
  return record
    .messages()
    .filter(({ message: { method } }) => method === "notifications/message")
    .map(({ message: { params } }) => (params as { level: string }).level);
}

for (const [name, serve] of Object.entries(TRANSPORTS)) {
  for (const era of ["modern", "legacy"] as const) {
    if (name === "SSE" && era === "modern") continue;
    test(`${name}, ${era}: cancellation, log levels and outputs work`, async () => {
      const waiting = new Waiting();
      const clientEnd = await serve(makeServer(waiting));
      const records = [new WireRecord(), new WireRecord()] as const;
      const [first, second] = await Promise.all(
        records.map((record) => connect(clientEnd(record), era)),
      );
      await hearLogs(era, [first!, second!], records);
      await readOutputs(first!, era);
      await cancel(second!, waiting);
      await closeAll();
    });
    test(`${name}, ${era}: tools that are not listed can be searched and called`, async () => {
      const greet = tool(
        "greet_someone",
        erased(({ who }: { who: string }) => ({ text: `Hello, ${who}!` })),
        { ...whoIsGreeted, outputSchema: { type: "object" } },
      );
      const exposed = { exposure: { listed: [] }, createSearchedTools, tools: [greet] };
      const clientEnd = await serve(makeServer(new Waiting(), exposed));
      await searchAndCall(await connect(clientEnd(new WireRecord()), era));
      await closeAll();
    });
  }
}

const whoIsGreeted = {
  properties: { who: { type: "string" } },
  required: ["who"],
  search: { heading: "greet someon", text: "sai hello" },
};

/** The client holds what is found against the schema that it was listed with. */
async function searchAndCall(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  assert.equal(
    tools.map(({ name }) => name),
    ["search_tools", "read_tool", "call_tool"],
  );
  const query = { query: "greet a person" };
  const found = await client.callTool({ name: "search_tools", arguments: query });
  const [first] = (found.structuredContent as { tools: { name: string; callWith: string }[] })
    .tools;
  assert.equal([first?.name, first?.callWith], ["greet_someone", "call_tool"]);
  const call = { name: "greet_someone", arguments: { who: "Ada" } };
  const answer = await client.callTool({ name: "call_tool", arguments: call });
  assert.equal(answer.structuredContent, { text: "Hello, Ada!" });
  const { isError } = await client.callTool({ name: "read_tool", arguments: call });
  assert.is(isError, true);
}

/** Each client has its own level: of its session, or of its requests. */
async function hearLogs(
  era: Era,
  clients: readonly [Client, Client],
  records: readonly [WireRecord, WireRecord],
): Promise<void> {
  const call = { name: "logs", arguments: {} };
  if (era === "legacy") {
    await clients[0].setLoggingLevel("error");
    await clients[1].setLoggingLevel("debug");
    const loud = { method: "logging/setLevel", params: { level: "loud" } } as never;
    assert.is(await clients[0].request(loud).then(String, ({ code }) => code), -32602);
    for (const client of clients) await client.callTool(call);
  } else {
    for (const [index, level] of ["error", "debug"].entries()) {
      await clients[index as 0 | 1].callTool({ ...call, _meta: { [LOG_LEVEL_META_KEY]: level } });
      // One that asks for none gets none, whatever it asked for before.
      await clients[index as 0 | 1].callTool(call);
    }
  }
  assert.equal(records.map(levels), [["error"], ["debug", "error"]]);
}

async function readOutputs(client: Client, era: Era): Promise<void> {
  await client.listTools();
  for (const [name, value] of Object.entries(OUTPUTS)) {
    const { structuredContent, content, isError } = await client.callTool({ name, arguments: {} });
    assert.not(isError, name);
    const isWrapped = era === "legacy" && typeOf(value) !== "object";
    assert.equal(structuredContent, isWrapped ? { result: value } : value, name);
    const text = JSON.stringify(value);
    assert.equal(content, [{ type: "text", text }], name);
  }
}

async function cancel(client: Client, waiting: Waiting): Promise<void> {
  const gone = new AbortController();
  const call = client
    .callTool({ name: "wait", arguments: {} }, { signal: gone.signal })
    .then(String, () => "given up");
  await waiting.begun;
  gone.abort();
  assert.is(await call, "given up");
  await waiting.cancelled;
}

test.run();
