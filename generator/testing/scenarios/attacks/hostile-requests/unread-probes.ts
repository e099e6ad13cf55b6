import { existsSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import * as assert from "uvu/assert";
import { WebSocket } from "ws";
import { until } from "../../../../../templates/runtime/samples/until.js";
import { awaitedLater, requestBody, textOf, type DemoServer } from "./demo-server.js";
import { figure, initialize, json, withServer } from "./stateful-project.js";
import type { Probes } from "./probes.js";
import { shortOrLong } from "../../../harness/runner/test-length.js";

/** How many answers nobody reads, on each transport: more than are held. */
const COUNT = shortOrLong(8, 100);

/** The length of an answer, in characters: the most that the handler gives. */
const LENGTH = 15_000_000;

/** Most memory of the process, in bytes. It includes dropped answers that are not collected yet. */
const MOST_BYTES = 500_000_000;

/** Longest time for which a client reads what it has left unread, in milliseconds. */
const READING_MS = 60_000;

/** Most answers that may wait for their clients: the server may hold 96 MiB, and the operating system a part of each. */
const MOST_HELD = isWholeKept() ? COUNT : 7;

/** Most sessions, by the manifest of the server. In the long run, further clients of sessions are refused. */
const MOST_SESSIONS = 50;

/**
 * True if the operating system takes a whole answer for a client that reads nothing: newer versions of Linux let the buffer of
 * a connection grow to 32 MiB. Those answers are no longer held by the server, whose memory is bounded all the same.
 */
function isWholeKept(): boolean {
  const setting = "/proc/sys/net/ipv4/tcp_rmem";
  if (!existsSync(setting)) return false;
  const [, , most = 0] = readFileSync(setting, "utf8").split(/\s+/).map(Number);
  return most >= LENGTH;
}

const call = requestBody("tools/call", { name: "repeat", arguments: { length: LENGTH } });

const legacyCall = JSON.stringify({
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "repeat", arguments: { length: LENGTH } },
});

function head(path: string, body: string, more: Readonly<Record<string, string>> = {}): string {
  const headers = { host: "localhost", ...json, "content-length": body.length, ...more };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${path} HTTP/1.1`, ...lines, "", body].join("\r\n");
}

const modernHeaders = {
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "repeat",
};

/**
 * Reads what a client has left unread, until an answer is whole or the connection ends. @returns whether an answer
 * was held for the client
 */
type ReadUnread = () => Promise<boolean>;

/** Of a client that was not let in, since there are too many. */
const refused: ReadUnread = async () => false;

/** A client that asks for a long answer, and reads none of it. */
type Ask = (server: DemoServer, localAddress: string) => Promise<ReadUnread>;

/** What a client reads of the answer that it has left unread. */
class LateReading {
  #length = 0;
  #start = "";

  add(data: Buffer): void {
    this.#length += data.length;
    if (this.#start.length < 10_000) this.#start += data.toString("latin1", 0, 10_000);
  }

  /** Waits until a long answer is whole, another one says that there is no memory for it, or the connection has ended. */
  async isHeld(hasEnded: () => boolean): Promise<boolean> {
    const isWhole = (): boolean => this.#length >= LENGTH;
    await until(
      () => isWhole() || this.#start.includes("the server has no memory") || hasEnded(),
      READING_MS,
    ).catch((error: Error) => {
      throw new Error(
        `${error.message}, after ${this.#length} bytes: ${this.#start.slice(0, 500)}`,
      );
    });
    return isWhole();
  }
}

function pausedReader(socket: Socket): ReadUnread {
  socket.pause();
  return async () => {
    const reading = new LateReading();
    socket.on("data", (data: Buffer) => reading.add(data));
    socket.resume();
    const isHeld = await reading.isHeld(() => socket.destroyed);
    socket.destroy();
    return isHeld;
  };
}

async function sendUnread(
  server: DemoServer,
  localAddress: string,
  text: string,
): Promise<ReadUnread> {
  const socket = await server.open(localAddress);
  const reader = pausedReader(socket);
  socket.write(text);
  return reader;
}

const ASKS: Readonly<Record<string, Ask>> = {
  plain: (server, address) => sendUnread(server, address, head("/mcp", call, modernHeaders)),
  "through the SDK": (server, address) =>
    sendUnread(
      server,
      address,
      head("/mcp", call, { ...modernHeaders, origin: "http://localhost" }),
    ),
  "of a session": async (server, address) => {
    const options = { localAddress: address, headers: json, body: initialize };
    const { headers } = await server.request(options);
    const session = { "mcp-session-id": String(headers["mcp-session-id"]) };
    return sendUnread(server, address, head("/mcp", legacyCall, session));
  },
  "server-sent events": async (server, address) => {
    const stream = await server.open(address);
    let text = "";
    stream.on("data", (data: Buffer) => (text += data.toString()));
    stream.write("GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
    await until(
      () => text.includes("sessionId") || stream.destroyed || text.includes("HTTP/1.1 503"),
    );
    if (!text.includes("sessionId")) return refused;
    const reader = pausedReader(stream);
    const { pathname, search } = new URL(
      /data: (\S+)/.exec(text)?.[1] ?? "",
      "http://localhost/sse",
    );
    const path = pathname + search;
    const post = { path, localAddress: address, headers: json };
    await server.request({ ...post, body: initialize });
    await server.request({ ...post, body: legacyCall });
    return reader;
  },
  WebSocket: async (server, address) => {
    const url = `ws://127.0.0.1:${server.port}/mcp/ws`;
    const socket = new WebSocket(url, "mcp", { localAddress: address });
    socket.on("error", () => undefined);
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("open", () => resolve(true)).once("close", () => resolve(false));
    });
    if (!isOpen) return refused;
    socket.pause();
    socket.send(call);
    return async () => {
      const reading = new LateReading();
      socket.on("message", (data: Buffer) => reading.add(data));
      socket.resume();
      const isHeld = await reading.isHeld(() => socket.readyState === WebSocket.CLOSED);
      socket.terminate();
      return isHeld;
    };
  },
  // The answers wait behind the first, which is not read.
  pipelined: (server, address) =>
    sendUnread(server, address, head("/mcp", call, modernHeaders).repeat(10)),
};

/** What an honest client has seen. */
interface Seen {
  calls: number;
  mostBytes: number;
  slowestMs: number;
}

/** A client that calls until it is stopped. Every other call shares its address with the attack. */
function honestClient(
  server: DemoServer,
  name: string,
): { readonly seen: Seen; stop(): Promise<void> } {
  const seen: Seen = { calls: 0, mostBytes: 0, slowestMs: 0 };
  let isOver = false;
  const calling = async (): Promise<void> => {
    while (!isOver) {
      for (const localAddress of ["127.0.0.2", "127.0.2.1"]) {
        const started = performance.now();
        const answer = await server.call("echo", { text: "honest" }, { localAddress });
        const { status, text } = answer;
        assert.is(textOf(answer), "honest", `${name}: ${status} ${text.slice(0, 200)}`);
        seen.slowestMs = Math.max(seen.slowestMs, performance.now() - started);
        seen.calls++;
      }
      const bytes = await figure(server, "process_resident_memory_bytes");
      seen.mostBytes = Math.max(seen.mostBytes, bytes);
      await delay(50);
    }
  };
  const all = awaitedLater(calling());
  return {
    seen,
    stop: async () => {
      await Promise.race([all, until(() => seen.calls > 20)]);
      isOver = true;
      await all;
    },
  };
}

/** The number of finished calls of the tool `repeat`. */
async function callsOfRepeat(server: DemoServer): Promise<number> {
  const { text } = await server.request({ method: "GET", path: "/metrics" });
  const counts = text.matchAll(/^mcp_server_requests_total\{[^}]*"repeat"[^}]*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function leaveUnread(server: DemoServer, name: string): Promise<void> {
  const ask = ASKS[name];
  if (ask === undefined) throw new Error(`no way ${name}`);
  const connections = name === "pipelined" ? shortOrLong(4, 10) : COUNT;
  const honest = honestClient(server, name);
  const former = await callsOfRepeat(server);
  const readers: ReadUnread[] = [];
  for (let count = 0; count < connections; count++) {
    readers.push(await ask(server, `127.0.2.${1 + (count % 5)}`));
  }
  const accepted = readers.filter((readUnread) => readUnread !== refused).length;
  const wanted = former + Math.min(accepted, MOST_SESSIONS);
  await until(async () => (await callsOfRepeat(server)) >= wanted);
  // The server answers one request after the other here, so that all former answers are written by now.
  await server.call("echo", { text: "next" }, { localAddress: "127.0.2.1" });
  const long = await server.call("repeat", { length: LENGTH }, { localAddress: "127.0.2.1" });
  assert.is(textOf(long).length, LENGTH, `${name}: a long answer that is read`);
  await honest.stop();
  const { mostBytes, slowestMs } = honest.seen;
  assert.ok(mostBytes < MOST_BYTES, `${name}: ${Math.round(mostBytes / 1e6)} MB at the most`);
  const answers = await Promise.all(readers.map((readUnread) => readUnread()));
  const held = answers.filter((isHeld) => isHeld).length;
  assert.ok(held > 0 && held <= MOST_HELD, `${name}: ${held} of ${connections} answers were held`);
  if (process.env["PRINT_FIGURES"] !== undefined) {
    const figures = `${Math.round(mostBytes / 1e6)} MB, slowest ${Math.round(slowestMs)} ms`;
    console.log(`${name}: ${held} answers held, ${figures}`);
  }
}

/**
 * The ways that are tried. In short, answers that the SDK writes to a stream; `answer-memory.test.ts` has what holds for all. In the
 * long run, each has a server of its own, since its sessions reach the limit.
 */
const TRIED = shortOrLong<readonly string[]>(["of a session"], Object.keys(ASKS));

/** Answers that their clients leave unread. */
export const unreadProbes: Probes = {
  R72: async () => {
    for (const name of TRIED) await withServer((server) => leaveUnread(server, name));
  },
};
