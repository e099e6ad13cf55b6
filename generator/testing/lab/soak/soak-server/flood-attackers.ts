import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";
import {
  requestBody,
  type DemoServer,
} from "../../../scenarios/attacks/hostile-requests/demo-server.js";
import type { RandomNumbers } from "../../../harness/runner/random-numbers.js";
import { SLOW_MS } from "./soak-project.js";

/** One short attack. It fails if the server behaves wrongly. */
export type Attack = (server: DemoServer, random: RandomNumbers) => Promise<unknown>;

/*
 * The attacks R71 to R79. The others of that list need a server of another kind and are tried elsewhere: R76 in
 * `served-principals.test.ts`, R80 in `resources/file.test.ts`, R81 in `http/tls.test.ts`.
 */

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const ignore = (): undefined => undefined;

/** Statuses by which a server says that this caller has had its share. */
const REFUSED_FOR_WANT_OF_ROOM = [429, 503];

/** The bytes of a request of protocol 2026-07-28 that calls a tool. */
function toolCall(name: string, args: object): string {
  const body = requestBody("tools/call", { name, arguments: args });
  const headers = {
    ...{ host: "localhost", ...json, "content-length": Buffer.byteLength(body) },
    ...{ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name },
  };
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  return ["POST /mcp HTTP/1.1", ...lines, "", body].join("\r\n");
}

/** Opens connections from one address. Each sends this text, and reads only if that is set. */
async function openMany(
  server: DemoServer,
  count: number,
  localAddress: string,
  text: string,
): Promise<Socket[]> {
  const sockets = await Promise.all(Array.from({ length: count }, () => server.open(localAddress)));
  for (const socket of sockets) socket.pause().write(text);
  return sockets;
}

/** Sends bytes. Returns the statuses of the answers, and their whole text. */
async function exchange(
  server: DemoServer,
  localAddress: string,
  text: string,
): Promise<{ readonly statuses: readonly number[]; readonly text: string }> {
  const socket = await server.open(localAddress);
  const received = server.received(socket, false);
  socket.write(text);
  const answer = await Promise.race([received, delay(SLOW_MS, undefined)]);
  socket.destroy();
  if (answer === undefined)
    throw new Error(`not closed within ${SLOW_MS} ms: ${text.slice(0, 60)}`);
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  return { statuses, text: answer };
}

/** Fails where an answer has another status than these, or than those for want of room. */
function expectStatuses(what: string, found: readonly number[], expected: readonly number[]): void {
  const allowed = [...expected, ...REFUSED_FOR_WANT_OF_ROOM];
  const wrong = found.find((status) => !allowed.includes(status));
  if (wrong !== undefined) throw new Error(`${what} was answered ${wrong}`);
}

/** R71: upgrades that are not WebSocket's, alone and behind a call that runs. */
const floodUpgrades: Attack = async (server, random) => {
  const localAddress = `127.0.21.${1 + random(20)}`;
  const upgrades =
    "GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n".repeat(
      1_022,
    );
  const alone = await exchange(server, localAddress, upgrades);
  if (alone.statuses.length > 1) throw new Error(`${alone.statuses.length} answers to upgrades`);
  const call = toolCall("late", { text: "before upgrades", ms: random(100) });
  const behind = await exchange(server, localAddress, call + upgrades);
  const [first] = behind.statuses;
  if (first === 200 && !behind.text.includes("before upgrades")) {
    throw new Error("the answer to a call before upgrades is lost");
  }
  if (first !== undefined) expectStatuses("a call before upgrades", [first], [200]);
};

/** R72: long answers that nobody reads. */
const leaveUnread: Attack = async (server, random) => {
  const text = toolCall("repeat", { length: 5_000_000 });
  const perConnection = 1 + random(3);
  const sockets = await openMany(server, 20, "127.0.22.1", text.repeat(perConnection));
  await delay(random(2_000));
  for (const socket of sockets) socket.destroy();
};

/** R72 on the other transport: the answers of many calls on one socket. */
const leaveFramesUnread: Attack = async (server, random) => {
  const body = requestBody("tools/call", { name: "repeat", arguments: { length: 5_000_000 } });
  const sockets = await openWebSockets(server, 5, "127.0.22.2");
  for (const socket of sockets) {
    socket.pause();
    for (let count = 0; count < 4; count++) socket.send(body);
  }
  await delay(random(2_000));
  for (const socket of sockets) socket.terminate();
};

/** R73: one address takes every connection, session and WebSocket that it can get, and uses them. */
const takeEveryPlace: Attack = async (server, random) => {
  const localAddress = "127.0.23.1";
  const call = toolCall("late", { text: "holding", ms: 2_000 });
  const sockets = await openMany(server, 320, localAddress, call);
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "greedy", version: "1" },
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const open = () => server.request({ headers: json, body, localAddress: "127.0.23.2" });
  await Promise.all(Array.from({ length: 250 }, () => open().catch(ignore)));
  const webSockets = await openWebSockets(server, 50, "127.0.23.3");
  await delay(random(1_000));
  for (const socket of sockets) socket.destroy();
  for (const socket of webSockets) socket.terminate();
};

/** R74 and R75: more headers than are read, and headers that are there twice. */
const floodHeaders: Attack = async (server, random) => {
  const start = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
  const filler = Array.from({ length: 201 + random(1_500) }, (_none, index) => `X-${index}: a\r\n`);
  const localAddress = `127.0.24.${1 + random(20)}`;
  const last = ["Origin: http://evil.example", "Authorization: Bearer other"][random(2)];
  const many = await exchange(server, localAddress, `${start}${filler.join("")}${last}\r\n\r\n`);
  expectStatuses("a flood of headers", many.statuses, [431]);
  const twice = ["Host: evil.example", "Mcp-Session-Id: a\r\nMcp-Session-Id: b"][random(2)];
  const doubled = await exchange(server, localAddress, `${start}${twice}\r\n\r\n`);
  expectStatuses("a header that is there twice", doubled.statuses, [400]);
};

/** Requests one behind the other on a connection, of which the client reads all or nothing. */
const pipeline: Attack = async (server, random) => {
  const localAddress = `127.0.25.${1 + random(20)}`;
  const calls = toolCall("late", { text: "one of many", ms: 1 }).repeat(300);
  const [unread] = await openMany(server, 1, localAddress, calls);
  const last = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  const { statuses } = await exchange(
    server,
    localAddress,
    toolCall("echo", { text: "x" }).repeat(100) + last,
  );
  expectStatuses("a pipelined call", statuses, [200]);
  unread?.destroy();
};

/** Frames faster than they can be served, pings among them, whose answers nobody reads. */
const floodFrames: Attack = async (server, random) => {
  const body = requestBody("tools/call", { name: "echo", arguments: { text: "x".repeat(1_000) } });
  const sockets = await openWebSockets(server, 10, `127.0.26.${1 + random(20)}`);
  for (const socket of sockets) {
    socket.pause();
    for (let count = 0; count < 300; count++) {
      socket.send(body, ignore);
      socket.ping("ping", undefined, ignore);
    }
    // A message in pieces that never ends.
    for (let count = 0; count < 100; count++) socket.send("[".repeat(100), { fin: false }, ignore);
  }
  await delay(random(500));
  for (const socket of sockets) socket.terminate();
};

/** R77 and R78: numbers that JavaScript rounds, and values that are more than one part of a path. */
const sendWrongValues: Attack = async (server, random) => {
  const localAddress = `127.0.27.${1 + random(20)}`;
  const number = ["9007199254740993", "12345678901234567890", "1e400", "1E-400"][random(4)];
  const params = { name: "repeat", arguments: { length: "@" } };
  const body = requestBody("tools/call", params).replace('"@"', () => number ?? "");
  const rounded = await server.send("tools/call", params, { body, localAddress });
  if (rounded.status === 200 && rounded.message.result?.["isError"] !== true) {
    throw new Error(`${number} as an argument was answered ${rounded.text.slice(0, 200)}`);
  }
  const value = ["%252e%252e", "a.", "a%20", "a:stream", "CON", "C:", "%5c"][random(7)];
  const read = await server.send(
    "resources/read",
    { uri: `soak://texts/${value}` },
    { localAddress },
  );
  if (read.message.result !== undefined) throw new Error(`${value} in a template was read`);
};

/** R79: pages that are not there, and requests that are refused. */
const floodRefusals: Attack = async (server) => {
  const localAddress = "127.0.28.1";
  const nowhere = () => server.request({ method: "GET", path: "/nowhere", localAddress });
  const headers = { ...json, origin: "http://evil.example" };
  const foreign = () => server.request({ headers, body: "{}", localAddress });
  const answers = await Promise.all(
    Array.from({ length: 600 }, (_none, index) =>
      (index % 2 ? nowhere() : foreign()).catch(ignore),
    ),
  );
  const statuses = answers.flatMap((answer) => (answer === undefined ? [] : [answer.status]));
  expectStatuses("a page that is not there, or a foreign origin", statuses, [403, 404]);
};

/** Those that open: the server may have too many already. */
async function openWebSockets(
  server: DemoServer,
  count: number,
  localAddress: string,
): Promise<WebSocket[]> {
  const sockets = Array.from({ length: count }, () => {
    return new WebSocket(`ws://127.0.0.1:${server.port}/ws`, "mcp", { localAddress });
  });
  for (const socket of sockets) socket.on("error", ignore);
  await Promise.all(
    sockets.map((socket) =>
      Promise.race([once(socket, "open"), once(socket, "close")]).catch(ignore),
    ),
  );
  return sockets.filter(({ readyState }) => readyState === WebSocket.OPEN);
}

export const floodAttacks: readonly Attack[] = [
  ...[floodUpgrades, leaveUnread, leaveFramesUnread, takeEveryPlace, floodHeaders, pipeline],
  ...[floodFrames, sendWrongValues, floodRefusals],
];
