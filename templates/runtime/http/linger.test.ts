import { createServer as createHttpServer, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServer } from "../server/create-server.js";
import type { HttpDefinition, WebSocketDefinition } from "./definition.js";
import { httpEndpoint } from "./endpoint.js";
import { endWhenReceived } from "./linger.js";
import { listen } from "./listener.js";
import { createLog } from "../observe/log.js";
import { closeAll, closeLater } from "../suite/clients/harness.js";
import { holdTimers } from "../samples/held-timers.js";
import { sampleServer } from "../samples/server.js";
import { until } from "../samples/until.js";
import { webSocketEndpoint } from "../websocket/endpoint.js";

/** Clients that are refused before their request has arrived whole can read the answer, unless they never stop. */

const definition = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const bodyBytes = 4_000_000;

/** Starts a server with these time limits for headers and bodies, in milliseconds. Returns its port. */
async function serve(waitMs: number): Promise<number> {
  const log = createLog({ write: () => undefined });
  const times = { headersTimeoutMs: waitMs, bodyTimeoutMs: waitMs };
  const limits = { bodyBytes, ratePerSecond: 100_000, ...times };
  const server = createServer({ ...sampleServer, limits }, { root: process.cwd(), log });
  const socketDefinition: WebSocketDefinition = { ...definition, type: "websocket", path: "/ws" };
  const http = await listen(server, [
    httpEndpoint(server, definition),
    webSocketEndpoint(server, socketDefinition),
  ]);
  closeLater(http.close);
  return Number(new URL(http.url).port);
}

/** The time for which a refused client may pause. It ends when a test ends it. */
const pauses = holdTimers(1_000);
closeLater(() => pauses.release());

/** A time limit that clients which send never reach, even on a slow machine. */
const patientPort = await serve(600_000);
/** A time limit for clients that stop sending. */
const strictPort = await serve(300);

test.after(closeAll);

interface Wire {
  readonly socket: Socket;
  /** The received text, and the error that closed the connection, if any. */
  readonly closed: Promise<{ readonly text: string; readonly error?: string }>;
}

function open(port = patientPort, allowHalfOpen = false): Wire {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen });
  closeLater(() => socket.destroy());
  let text = "";
  let failure: string | undefined;
  socket.on("data", (data: Buffer) => (text += data.toString()));
  socket.on("error", ({ code }: NodeJS.ErrnoException) => (failure = code));
  const closed = new Promise<{ text: string; error?: string }>((resolve) => {
    socket.on("close", () => resolve({ text, ...(failure !== undefined && { error: failure }) }));
  });
  return { socket, closed };
}

const answerBegins = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => socket.once("data", resolve));

function head(path: string, ...headers: string[]): string {
  const all = ["Host: 127.0.0.1", "Content-Type: application/json", ...headers];
  return [`POST ${path} HTTP/1.1`, ...all, "", ""].join("\r\n");
}

const chunk = (length: number): string => `${length.toString(16)}\r\n${"x".repeat(length)}\r\n`;

/** Sends a whole request before it reads anything. */
async function answerTo(...pieces: string[]): Promise<string> {
  const { socket, closed } = open();
  socket.pause();
  for (const piece of pieces) await new Promise((written) => socket.write(piece, written));
  socket.resume();
  const { text, error } = await closed;
  assert.is(error, undefined, `${error} after ${text.length} characters`);
  return text;
}

const twice = "x".repeat(2 * bodyBytes);
/** The number of attempts of each case. In a trial, 200 attempts passed, too. */
const tries = 8;
const declared = `Content-Length: ${twice.length}`;
const once = "Connection: close";

const refused: readonly (readonly [what: string, status: number, ...pieces: string[]])[] = [
  ["a body that says it is too long", 413, head("/mcp", declared), twice],
  [
    "a body that turns out to be too long",
    413,
    head("/mcp", "Transfer-Encoding: chunked"),
    `${chunk(2 * bodyBytes)}0\r\n\r\n`,
  ],
  ["a foreign origin", 403, head("/mcp", declared, once, "Origin: http://evil.example"), twice],
  ["a method that is none", 405, head("/mcp", declared, once).replace("POST", "PUT"), twice],
  ["an encoding", 415, head("/mcp", declared, once, "Content-Encoding: br"), twice],
  ["a path that is none", 404, head("/nowhere", declared, once), twice],
];

for (const [what, status, ...pieces] of refused) {
  test(`${what}: the client reads ${status}, every time`, async () => {
    for (let count = 0; count < tries; count++) {
      const answer = await answerTo(...pieces);
      assert.match(answer, `HTTP/1.1 ${status} `, `try ${count}`);
      assert.match(answer, /\}$/, "the answer is whole");
    }
  });
}

test("a client that sends slowly can read its answer", async () => {
  const pieces = Array.from({ length: 20 }, () => chunk(bodyBytes / 10));
  const wire = open();
  wire.socket.pause().write(head("/mcp", "Transfer-Encoding: chunked"));
  for (const piece of pieces) {
    wire.socket.write(piece);
    await delay(5);
  }
  wire.socket.resume().write("0\r\n\r\n");
  const { text, error } = await wire.closed;
  assert.is(error, undefined);
  assert.match(text, /^HTTP\/1\.1 413 .*connection: close/is);
});

test("after a refused request that has arrived whole, the connection stays open", async () => {
  const { socket, closed } = open();
  const foreign = head("/mcp", declared, "Origin: http://evil.example");
  for (let count = 0; count < 3; count++) socket.write(foreign + twice);
  socket.write(head("/nowhere", "Content-Length: 2", once) + "{}");
  const { text } = await closed;
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  assert.equal(statuses, ["403", "403", "403", "404"]);
});

test("a client that never stops sending is disconnected", async () => {
  for (const path of ["/mcp", "/nowhere"]) {
    const { socket, closed } = open();
    let sent = 0;
    socket.write(head(path, "Transfer-Encoding: chunked"));
    const piece = chunk(0x10000);
    const write = (): void => {
      while (socket.writable && socket.write(piece)) sent += piece.length;
    };
    socket.on("drain", write);
    write();
    const { text } = await closed;
    assert.match(text, path === "/mcp" ? /^(HTTP\/1\.1 413|$)/ : /^(HTTP\/1\.1 404|$)/);
    // The buffers of the operating system hold some megabytes.
    assert.ok(sent < 5 * bodyBytes + 40_000_000, `${sent} bytes were taken`);
  }
});

test("the server does not wait for a client that stops in the middle of a request", async () => {
  const { socket, closed } = open();
  socket.write(`${head("/mcp", declared)}xx`);
  await answerBegins(socket);
  pauses.end();
  const { text } = await closed;
  assert.match(text, /^HTTP\/1\.1 413 /);
});

const upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Origin: http://evil.example"];

for (const [what, status, request] of [
  ["an upgrade from a foreign page", 403, head("/ws", ...upgrade).replace("POST", "GET")],
  ["a tunnel", 405, "CONNECT example.com:80 HTTP/1.1\r\nHost: example.com:80\r\n\r\n"],
  ["what is no HTTP", 400, "HELO\r\n\r\n"],
  ["a body that does not come", 408, `${head("/mcp", "Content-Length: 1000")}xx`],
] as const) {
  test(`${what}: the connection ends, though the client never ends its side`, async () => {
    const { socket, closed } = open(strictPort, true);
    socket.write(request);
    await answerBegins(socket);
    pauses.end();
    // A write to a closed connection fails.
    const writing = setInterval(() => socket.write("x"), 50);
    const { text, error } = await closed;
    clearInterval(writing);
    assert.match(text, `HTTP/1.1 ${status} `);
    assert.match(error ?? "", /^(EPIPE|ECONNRESET)$/);
  });
}

test("refusals that wait behind a running call are all sent, and the connection's listeners do not accumulate", async () => {
  const count = 20;
  let running: ServerResponse | undefined;
  let arrived = 0;
  const server = createHttpServer((request, response) => {
    if (request.url === "/call") return void (running = response);
    request.once("end", () => arrived++);
    response.writeHead(403);
    endWhenReceived(response, bodyBytes);
  });
  closeLater(() => server.close());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { socket, closed } = open((server.address() as AddressInfo).port);
  const refused = head("/refused", "Content-Length: 2") + "{}";
  socket.write(head("/call", "Content-Length: 0") + refused.repeat(count));
  await until(() => arrived === count);
  pauses.end();
  const ours = running?.socket;
  assert.ok(ours !== undefined && ours !== null && ours.writable, "the connection is open");
  assert.ok(ours.listenerCount("finish") < 10, `${ours.listenerCount("finish")} listeners`);
  running?.end("called");
  socket.write(head("/refused", "Content-Length: 0", "Connection: close"));
  const { text } = await closed;
  assert.match(text, "called");
  assert.is(text.match(/HTTP\/1\.1 403/g)?.length, count + 1);
});

test.run();
