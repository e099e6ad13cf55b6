import { once } from "node:events";
import { connect } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { WebSocket } from "ws";
import { answerMemoryBytes, answerMemoryInWords, type LimitName } from "../engine/limits.js";
import { createLog } from "../observe/log.js";
import { sampleServer } from "../samples/server.js";
import { until } from "../samples/until.js";
import { createServer } from "../server/create-server.js";
import { sseEndpoint } from "../sse/endpoint.js";
import { closeAll, closeLater } from "../suite/clients/harness.js";
import { modernRequest, sendRaw } from "../suite/clients/http.js";
import { webSocketEndpoint } from "../websocket/endpoint.js";
import type { HttpDefinition } from "./definition.js";
import { answerMemory } from "./answer-memory.js";
import { listen } from "./listener.js";
import { httpEndpointWithSessions } from "./sessions.js";

test.after(closeAll);

const http = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const { host, port, allowedHosts, allowedOrigins, trustProxy } = http;
const address = { host, port, allowedHosts, allowedOrigins, trustProxy };

/** A server over every network transport, with one limit set, and its warnings. */
interface Limited {
  readonly url: string;
  readonly warnings: () => readonly string[];
}

async function serve(name: LimitName, limit: number): Promise<Limited> {
  const lines: string[] = [];
  const log = createLog({ level: "warning", write: (line) => void lines.push(line) });
  // The time for a body counts from the connection, so that it has to be short, too, where headers have arrived.
  const limits = { ...(name === "bodyTimeoutMs" && { headersTimeoutMs: limit }), [name]: limit };
  const definition = { ...sampleServer, limits };
  const server = createServer(definition, { root: process.cwd(), log });
  const running = await listen(server, [
    httpEndpointWithSessions(server, { ...http, sessions: "memory" }),
    sseEndpoint(server, { type: "sse", path: "/sse", messagesPath: "/messages", ...address }),
    webSocketEndpoint(server, { type: "websocket", path: "/ws", ...address }),
  ]);
  closeLater(running.close);
  const warnings = (): string[] =>
    lines
      .map((line) => JSON.parse(line) as Record<string, string>)
      .filter(({ message }) => message === "refused for a limit")
      .map(({ limit = "", address: sender = "nobody" }) => `${limit} by ${sender}`);
  return { url: running.url, warnings };
}

/** Sends a request of the newest era. @returns the text of its error */
async function errorOf(
  url: string,
  method: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { message } = await sendRaw(modernRequest(url, method, parameters));
  return message.error?.message ?? "no error";
}

const callEcho = (url: string, value: unknown): Promise<string> =>
  errorOf(url, "tools/call", { name: "echo", arguments: { value } });

/** Calls a tool that sleeps. @returns the text of its answer */
async function callSleep(url: string): Promise<string> {
  const request = modernRequest(url, "tools/call", { name: "sleep", arguments: { ms: 60_000 } });
  const end = new AbortController();
  closeLater(() => end.abort());
  const { message } = await sendRaw(new Request(request, { signal: end.signal }));
  return JSON.stringify(message);
}

/** Sends a request over a WebSocket. @returns the answer */
async function answerOverSocket(
  url: string,
  method: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<string> {
  const socket = new WebSocket(url.replace(/^http/, "ws").replace("/mcp", "/ws"));
  closeLater(() => socket.terminate());
  const body = await modernRequest(url, method, parameters).text();
  socket.on("open", () => socket.send(body));
  const [answer] = (await once(socket, "message")) as [Buffer];
  return answer.toString();
}

/** Sends bytes that are no whole request. @returns what arrives until the server closes the connection */
async function sendPart(url: string, part: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let received = "";
  socket.on("data", (data) => (received += data.toString())).on("error", () => undefined);
  socket.write(part);
  await once(socket, "close");
  return received;
}

/** Sends a message over a WebSocket. @returns the reason with which the server closes it */
async function closedFor(url: string, message: string): Promise<string> {
  const socket = new WebSocket(url.replace(/^http/, "ws").replace("/mcp", "/ws"));
  socket.on("error", () => undefined).on("open", () => socket.send(message));
  // An answer means that the message was taken.
  socket.on("message", () => socket.close(1000, "taken"));
  const [code, reason] = (await once(socket, "close")) as [number, Buffer];
  return `${code} ${reason.toString()}`;
}

/** Opens a stream over SSE. @returns the answer, of a stream only its status */
async function openStream(url: string): Promise<string> {
  const end = new AbortController();
  closeLater(() => end.abort());
  const answer = await fetch(url.replace("/mcp", "/sse"), { signal: end.signal });
  return answer.ok ? String(answer.status) : `${answer.status} ${await answer.text()}`;
}

/** Opens a WebSocket. @returns the answer of a server that refuses it */
async function openSocket(url: string): Promise<string> {
  const socket = new WebSocket(url.replace(/^http/, "ws").replace("/mcp", "/ws"));
  closeLater(() => socket.terminate());
  return new Promise((resolve) => {
    socket.on("open", () => resolve("open")).on("error", () => undefined);
    socket.on("unexpected-response", (_request, answer) => {
      let text = `${answer.statusCode} `;
      answer.on("data", (data: Buffer) => (text += data.toString()));
      answer.on("end", () => resolve(text));
    });
  });
}

const head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

/** How a limit is exceeded, and what the client reads of it. */
const cases: readonly (readonly [
  name: LimitName,
  limit: number,
  exceed: (url: string) => Promise<string>,
  answer: RegExp,
])[] = [
  ["bodyBytes", 500, (url) => callEcho(url, "x".repeat(1_000)), /\(limits\.bodyBytes: 500\)/],
  ["elements", 20, (url) => callEcho(url, Array(50).fill(0)), /\(limits\.elements: 20\)/],
  ["depth", 3, (url) => callEcho(url, [[[[1]]]]), /\(limits\.depth: 3\)/],
  [
    ...(["uriLength", 20] as const),
    (url) => errorOf(url, "resources/read", { uri: `x://${"y".repeat(30)}` }),
    /\(limits\.uriLength: 20\)/,
  ],
  [
    ...(["sessions", 1] as const),
    async (url) => (await openStream(url), openStream(url)),
    /^503 .*\(limits\.sessions: 1\)/,
  ],
  [
    ...(["sessions", 1] as const),
    async (url) => (await openSocket(url), openSocket(url)),
    /^503 .*\(limits\.sessions: 1\)/,
  ],
  [
    ...(["headersTimeoutMs", 50] as const),
    (url) => sendPart(url, head),
    /^HTTP\/1\.1 408 .*Connection: close.*\(limits\.headersTimeoutMs: 50\)/s,
  ],
  [
    ...(["bodyTimeoutMs", 50] as const),
    (url) => sendPart(url, `${head}Content-Length: 10\r\n\r\n12345`),
    /^HTTP\/1\.1 408 .*Connection: close.*\(limits\.bodyTimeoutMs: 50\)/s,
  ],
  [
    ...(["connections", 1] as const),
    async (url) => {
      await openStream(url);
      return sendPart(url, "");
    },
    /^HTTP\/1\.1 503 .*Connection: close.*\(limits\.connections: 1\)/s,
  ],
  [
    ...(["ratePerSecond", 1] as const),
    async (url) => (await callEcho(url, 1), callEcho(url, 1)),
    /\(limits\.ratePerSecond: 1\)/,
  ],
  [
    ...(["concurrency", 1] as const),
    async (url) => {
      const calls = [callSleep(url), callSleep(url)];
      return Promise.race(calls);
    },
    /\(limits\.concurrency: 1\)/,
  ],
  [
    ...(["subscriptions", 0] as const),
    (url) => errorOf(url, "subscriptions/listen", { notifications: {} }),
    /^Subscription limit reached \(limits\.subscriptions: 0\)/,
  ],
  [
    ...(["subscriptions", 0] as const),
    (url) => answerOverSocket(url, "subscriptions/listen", { notifications: {} }),
    /Subscription limit reached \(limits\.subscriptions: 0\)/,
  ],
  [
    ...(["bodyBytes", 500] as const),
    (url) => closedFor(url, " ".repeat(1_000)),
    /^1009 message too large \(limits\.bodyBytes: 500\)$/,
  ],
  [
    ...(["elements", 20] as const),
    (url) => closedFor(url, JSON.stringify(Array(500).fill(0))),
    /^1008 .*\(limits\.elements: 20\)/,
  ],
];

for (const [name, limit, exceed, answer] of cases) {
  test(`what exceeds ${name} is a warning that names the limit, and so is its answer: ${answer.source}`, async () => {
    const { url, warnings } = await serve(name, limit);
    assert.match(await exceed(url), answer);
    await until(() => warnings().length > 0);
    const [warning = ""] = warnings();
    assert.ok(warning.startsWith(`limits.${name}: ${limit} by `), warning);
    assert.is(warnings().length, 1);
  });
}

test("an answer without memory is a warning that names its limit, and so is what the client reads", async () => {
  const { url, warnings } = await serve("depth", 64);
  const connection = {
    ...{ holder: "127.0.0.1", isClosed: false },
    ...{ unread: () => 0, taken: () => 0, end: () => undefined },
  };
  const { budget } = answerMemory;
  const [all, longest] = [answerMemoryBytes.ofAddress, answerMemoryBytes.ofAddress - 1_000];
  const [held, waiting] = [budget.reservation(connection), budget.reservation({ ...connection })];
  await held.hold(all);
  const granted = waiting.hold(longest, true);
  const answer = await sendRaw(
    modernRequest(url, "tools/call", { name: "echo", arguments: { value: "x".repeat(200_000) } }),
  );
  assert.match(JSON.stringify(answer.message), `(${answerMemoryInWords})`);
  assert.equal(warnings(), [`${answerMemoryInWords} by 127.0.0.1`]);
  held.release();
  await granted;
  waiting.release();
});

test("a client that connects in advance and sends nothing is no reason for a warning", async () => {
  const { url, warnings } = await serve("headersTimeoutMs", 50);
  await sendPart(url, "");
  assert.equal(warnings(), []);
});

test.run();
