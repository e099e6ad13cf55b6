import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLog } from "../observe/log.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import { until } from "../samples/until.js";
import { createServer } from "../server/create-server.js";
import { closeAll, closeLater } from "../suite/clients/harness.js";
import { modernRequest } from "../suite/clients/http.js";
import type { HttpDefinition } from "./definition.js";
import { httpEndpoint } from "./endpoint.js";
import { listen } from "./listener.js";

/** What becomes of a request whose client ends its side of the connection before it has the answer. */

test.after(closeAll);

const http = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;

/** What became of the calls of the tool `wait`. */
const calls: string[] = [];

const wait = tool(
  "wait",
  erased(async ({ ms }: { ms: number }, ctx) => {
    calls.push("begun");
    await delay(ms, undefined, { signal: ctx.signal }).catch(() => calls.push("aborted"));
    return `waited ${ms} ms`;
  }),
  { properties: { ms: { type: "number" } }, required: ["ms"] },
);

async function serve(): Promise<string> {
  calls.length = 0;
  const log = createLog({ write: () => undefined });
  const tools = [...sampleServer.tools, wait];
  const server = createServer({ ...sampleServer, tools }, { root: process.cwd(), log });
  const { url, close } = await listen(server, [httpEndpoint(server, http)]);
  closeLater(close);
  return url;
}

/** The bytes of a call that takes this long. */
async function callBytes(url: string, ms: number): Promise<string> {
  const { headers, body } = await outlined(url, ms);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

async function outlined(url: string, ms: number) {
  const request = modernRequest(url, "tools/call", { name: "wait", arguments: { ms } });
  return { headers: [...request.headers], body: await request.text() };
}

const open = (url: string): Socket =>
  connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });

test("a client that ends its side right after its request gets its answer, and then the end", async () => {
  const url = await serve();
  for (const ms of [0, 20, 200, 1_000]) {
    const socket = open(url);
    socket.end(await callBytes(url, ms));
    assert.match(await text(socket), `waited ${ms} ms`);
  }
});

test("several requests of one connection are all answered", async () => {
  const url = await serve();
  const socket = open(url);
  socket.end((await callBytes(url, 100)) + (await callBytes(url, 20)) + (await callBytes(url, 1)));
  const answer = await text(socket);
  assert.equal(answer.match(/waited \d+ ms/g), ["waited 100 ms", "waited 20 ms", "waited 1 ms"]);
});

test("a call ends at once when its client hangs up during the call, and after a while when it hung up at the start", async () => {
  const url = await serve();
  const late = open(url);
  late.on("error", () => undefined).write(await callBytes(url, 20_000));
  await until(() => calls.length === 1);
  await delay(500);
  const before = performance.now();
  late.end();
  await until(() => calls.length === 2);
  assert.ok(performance.now() - before < 1_000);
  const gone = open(url);
  gone.on("error", () => undefined).write(await callBytes(url, 20_000));
  await once(gone, "ready");
  await delay(50);
  gone.destroy();
  await until(() => calls.length === 4);
  assert.equal(calls, ["begun", "aborted", "begun", "aborted"]);
});

test("an idle connection, and half of a request, are ended at once", async () => {
  const url = await serve();
  const idle = open(url);
  idle.end();
  assert.is(await text(idle), "");
  const half = open(url);
  half.end((await callBytes(url, 1)).slice(0, -5));
  assert.match(await text(half), "HTTP/1.1 400 Bad Request");
});

test.run();
