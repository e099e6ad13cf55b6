import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLog } from "../observe/log.js";
import { askingParts, sampleAsks, type AskingContext } from "../samples/asking.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import { until } from "../samples/until.js";
import { createServer, type RunningServer } from "../server/create-server.js";
import { sseEndpoint } from "../sse/endpoint.js";
import { closeAll } from "../suite/clients/harness.js";
import { WebSocketClientTransport } from "../suite/clients/websocket-client.js";
import { webSocketEndpoint } from "../websocket/endpoint.js";
import type { HttpDefinition } from "./definition.js";
import { listen } from "./listener.js";
import { limitQuestions } from "./open-questions.js";
import { httpEndpointWithSessions } from "./sessions.js";
import type { Endpoint, RunningHttp } from "./transport.js";

const running: RunningHttp[] = [];

test.after(async () => {
  await closeAll();
  await Promise.all(running.map((one) => one.close()));
});

async function askName(_input: unknown, ctx: AskingContext): Promise<string> {
  const { name } = await ctx.elicit.name();
  return `Hello, ${name}!`;
}

function makeServer(concurrency: number): RunningServer {
  const asking = tool("ask", erased(askName as never), { asks: sampleAsks });
  return createServer(
    {
      ...sampleServer,
      ...askingParts,
      limitQuestions,
      limits: { concurrency },
      tools: [asking],
    },
    { root: process.cwd(), log: createLog({ write: () => undefined }) },
  );
}

const http = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const { host, port, allowedHosts, allowedOrigins, trustProxy } = http;
const network = { host, port, allowedHosts, allowedOrigins, trustProxy };

/** Endpoints with lasting connections, each with the official client's transport. */
const transports: Record<
  string,
  readonly [(server: RunningServer) => Endpoint, (url: string) => Transport]
> = {
  sessions: [
    (server) => httpEndpointWithSessions(server, { ...http, sessions: "memory" }),
    (url) => new StreamableHTTPClientTransport(new URL(url)),
  ],
  sse: [
    (server) =>
      sseEndpoint(server, { type: "sse", path: "/sse", messagesPath: "/messages", ...network }),
    (url) => new SSEClientTransport(new URL(url)),
  ],
  websocket: [
    (server) => webSocketEndpoint(server, { type: "websocket", path: "/ws", ...network }),
    (url) => new WebSocketClientTransport(url),
  ],
};

for (const [name, [makeEndpoint, connectTo]] of Object.entries(transports)) {
  test(`${name}: questions beyond the limit fail their calls, and answers make room`, async () => {
    const server = makeServer(3);
    const listening = await listen(server, [makeEndpoint(server)]);
    running.push(listening);
    const client = new Client(
      { name: "asked", version: "1.0.0" },
      { capabilities: { elicitation: { form: {} } } },
    );
    const reply: (() => void)[] = [];
    client.setRequestHandler(
      "elicitation/create",
      () =>
        new Promise((resolve) => {
          reply.push(() => resolve({ action: "accept", content: { name: "Ada" } }));
        }),
    );
    await client.connect(connectTo(listening.url));
    const call = async (): Promise<string> => {
      const { content } = await client.callTool({ name: "ask" });
      return JSON.stringify(content);
    };
    for (let round = 0; round < 2; round++) {
      const settled: string[] = [];
      const calls: Promise<void>[] = [];
      for (let count = 1; count <= 5; count++) {
        calls.push(call().then((text) => void settled.push(text)));
        await until(() => reply.length + settled.length === count);
      }
      for (const text of settled) assert.match(text, "too many questions wait for an answer");
      for (const answer of reply.splice(0)) answer();
      await Promise.all(calls);
      assert.is(settled.filter((text) => text.includes("Hello, Ada!")).length, 3);
    }
    await client.close();
  });
}

/** A client's transport in memory, with the messages in both directions. */
function sampleTransport(): Transport & { sent: JSONRPCMessage[]; heard: JSONRPCMessage[] } {
  const sent: JSONRPCMessage[] = [];
  const heard: JSONRPCMessage[] = [];
  return {
    sent,
    heard,
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => void sent.push(message),
    onmessage: (message: JSONRPCMessage) => void heard.push(message),
  };
}

const question = (id: number): JSONRPCMessage => ({ jsonrpc: "2.0", id, method: "roots/list" });

test("the principal with the most open questions loses one to another principal", async () => {
  const server = makeServer(3);
  const [greedy, honest] = [sampleTransport(), sampleTransport()];
  limitQuestions(server, greedy, "a");
  limitQuestions(server, honest, "b");
  for (const id of [0, 1, 2, 3]) await greedy.send(question(id));
  assert.equal(
    greedy.sent.map((message) => "id" in message && message.id),
    [0, 1, 2],
  );
  await honest.send(question(0));
  assert.is(honest.sent.length, 1);
  const failed = greedy.heard.map((message) => "error" in message && message.id);
  assert.equal(failed, [3, 0], "its own newest was refused, then its oldest gave way");
});

test("questions that are answered, cancelled or disconnected make room", async () => {
  const server = makeServer(1);
  const client = sampleTransport();
  limitQuestions(server, client, "a");
  await client.send(question(0));
  client.onmessage?.({ jsonrpc: "2.0", id: 0, result: { roots: [] } });
  await client.send(question(1));
  client.onmessage?.({ jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } });
  await client.send(question(2));
  const cancelled = { method: "notifications/cancelled", params: { requestId: 2 } };
  await client.send({ jsonrpc: "2.0", ...cancelled });
  await client.send(question(3));
  client.onclose?.();
  await client.send(question(4));
  assert.is(client.sent.length, 6, "five questions and one withdrawal");
});

test.run();
