import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";
import {
  requestBody,
  type DemoServer,
} from "../../../scenarios/attacks/hostile-requests/demo-server.js";
import { sendMutated } from "../../../scenarios/attacks/hostile-requests/mutated-requests.js";
import { floodAttacks, type Attack } from "./flood-attackers.js";
import type { IsRunning } from "./honest-clients.js";
import type { RandomNumbers } from "../../../harness/runner/random-numbers.js";

const localAddress = "127.0.20.1";
const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const ignore = (): undefined => undefined;

/** Requests that are given up before or while they are answered. */
const giveUp: Attack = async (server, random) => {
  const params = { name: "late", arguments: { text: "given up", ms: 200 } };
  const body = requestBody("tools/call", params);
  const socket = await server.open(localAddress);
  socket.write(
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
      `MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: late\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await delay(random(300));
  socket.destroy();
};

const openAndFallSilent: Attack = async (server, random) => {
  const start = ["", "POST /mcp HTTP/1.1\r\nHost: local", "\x16\x03\x01"][random(3)] ?? "";
  const sockets = await Promise.all(Array.from({ length: 40 }, () => server.open(localAddress)));
  for (const socket of sockets) socket.resume().write(start);
  await delay(random(1_000));
  for (const socket of sockets) socket.destroy();
};

const tooLong: Attack = (server) =>
  server.request({ headers: json, body: "x".repeat(600_000), localAddress });

const tooMany: Attack = (server) => {
  const headers = { ...json, host: "evil.example" };
  const one = () => server.request({ headers, body: "{}", localAddress: "127.0.20.2" });
  return Promise.all(Array.from({ length: 100 }, () => one().catch(ignore)));
};

/** Sessions that nobody uses, and ids that are guessed. */
const spendSessions: Attack = async (server) => {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "attacker", version: "1" },
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const open = () => server.request({ headers: json, body, localAddress });
  await Promise.all(Array.from({ length: 30 }, () => open().catch(ignore)));
  const headers = { ...json, "mcp-session-id": "0".repeat(32) };
  const { status } = await server.request({
    headers,
    body: body.replace("initialize", "ping"),
    localAddress,
  });
  if (status !== 404 && status !== 429) throw new Error(`a guessed session was answered ${status}`);
};

const subscribe: Attack = async (server, random) => {
  const body = requestBody("subscriptions/listen", { notifications: { toolsListChanged: true } });
  const head =
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
    `MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\nContent-Length: ${body.length}\r\n\r\n`;
  const sockets = await Promise.all(Array.from({ length: 60 }, () => server.open(localAddress)));
  for (const socket of sockets) socket.resume().write(head + body);
  await delay(random(500));
  for (const socket of sockets) socket.destroy();
};

const throwFrames: Attack = async (server, random) => {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, { localAddress });
  socket.on("error", ignore);
  await new Promise((resolve) => socket.once("open", resolve).once("close", resolve));
  const frames = [
    "{",
    "[]",
    "x".repeat(600_000),
    Buffer.from([0, 255]),
    `[${"[],".repeat(60_000)}[]]`,
  ];
  const frame = frames[random(frames.length)];
  if (socket.readyState === WebSocket.OPEN) socket.send(frame ?? "");
  await delay(100);
  socket.terminate();
};

const failInside: Attack = (server) => server.call("fail", { text: "inside" }, { localAddress });

const mutate: Attack = async (server, random) => {
  const [first] = (await sendMutated(server, 100, random(1_000_000_000))).wrong;
  if (first !== undefined) throw new Error(first);
};

const attacks: readonly Attack[] = [
  ...[giveUp, openAndFallSilent, tooLong, tooMany, spendSessions, subscribe, throwFrames],
  ...[failInside, mutate, ...floodAttacks],
];

/** What attackers have done. */
export interface AttackRecord {
  attacks: number;
  /** What went wrong: the server answered as it must not. */
  readonly wrong: string[];
}

/** Attacks in one way after another until it is stopped. */
export async function attack(
  server: DemoServer,
  record: AttackRecord,
  random: RandomNumbers,
  isRunning: IsRunning,
): Promise<void> {
  while (isRunning()) {
    const chosen = attacks[random(attacks.length)] as Attack;
    record.attacks += 1;
    await chosen(server, random).catch((error: NodeJS.ErrnoException) => {
      // Connections may be cut: there are more of them than the server takes.
      if (error.code === undefined && record.wrong.length < 20) record.wrong.push(error.message);
    });
    await delay(random(100));
  }
}
