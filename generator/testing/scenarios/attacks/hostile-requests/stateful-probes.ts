import * as assert from "uvu/assert";
import { until } from "../../../../../templates/runtime/samples/until.js";
import { requestBody, textOf, type Answer, type DemoServer } from "./demo-server.js";
import type { Probes } from "./probes.js";
import { shortOrLong } from "../../../harness/runner/test-length.js";
import { figure, initialize, json, legacyBody, withSharedServer } from "./stateful-project.js";

function inSession(server: DemoServer, id: string, changes: object = {}): Promise<Answer> {
  const headers = { ...json, "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" };
  return server.request({ headers, body: legacyBody("ping"), ...changes });
}

/** How many times half as many clients as there may be sessions open one. */
const ROUNDS = shortOrLong(4, 20);

/** How often a client is told of an update of 8 kB that it does not read: more than the server holds. */
const UPDATES = 11_000;

/** As many as the server holds for a client that reads, but is slow: they are told in turns, each after all were heard. */
const UPDATES_IN_TURN = 1_100;

/** The method of a notification that a resource was updated. */
const UPDATED = "resources/updated";

/** Opens a stream with these subscriptions. @returns the first of what it is told, and the number of its updates */
async function listen(server: DemoServer, notifications: object, localAddress?: string) {
  const body = requestBody("subscriptions/listen", { notifications });
  const lines = [
    "POST /mcp HTTP/1.1",
    "Host: localhost",
    ...Object.entries(json).map(([name, value]) => `${name}: ${value}`),
    "MCP-Protocol-Version: 2026-07-28",
    "Mcp-Method: subscriptions/listen",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const socket = await server.open(localAddress);
  let text = "";
  let updates = 0;
  let tail = "";
  socket.on("data", (data: Buffer) => {
    if (text.length < 100_000) text += data.toString();
    const unseen = tail + data.toString("latin1");
    updates += unseen.split(UPDATED).length - 1;
    tail = unseen.slice(1 - UPDATED.length);
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  await until(async () => text.includes("acknowledged") || text.includes('"error"'));
  return { socket, closed, said: () => text, updates: () => updates };
}

/** Clients that the server has to remember. */
export const statefulProbes: Probes = {
  R54: () =>
    withSharedServer(async (server) => {
      const something = { resourceSubscriptions: ["state://any"] };
      assert.match((await listen(server, {})).said(), "acknowledged", "of nothing, over at once");
      const streams = [];
      for (let count = 0; count < 20; count++) streams.push(await listen(server, something));
      assert.ok(streams.every(({ said }) => said().includes("acknowledged")));
      assert.match((await listen(server, something)).said(), /"code":-32603,.*limit reached/);
      streams.splice(0, 15).forEach(({ socket }) => socket.destroy());
      await until(async () => (await listen(server, something)).said().includes("acknowledged"));
      const uris = (count: number) => Array.from({ length: count }, (_none, n) => `state://${n}`);
      const params = { notifications: { resourceSubscriptions: uris(100_000) } };
      const { status, message } = await server.send("subscriptions/listen", params);
      assert.equal([status, message.error?.code], [400, -32602]);
      // One that never reads is let go; one that does hears everything.
      const uri = `state://${"x".repeat(7_900)}`;
      const deaf = await listen(server, { resourceSubscriptions: [uri, "state://never"] });
      const hearing = await listen(server, { resourceSubscriptions: [uri] });
      deaf.socket.pause();
      for (let told = 0; told < UPDATES; told += UPDATES_IN_TURN) {
        const answer = await server.call("shout", { uri, times: UPDATES_IN_TURN });
        assert.is(textOf(answer), "told");
        await until(() => hearing.updates() >= told + UPDATES_IN_TURN);
      }
      const unread = await figure(server, "process_resident_memory_bytes");
      assert.ok(unread < 500_000_000, `${unread} bytes for what nobody reads`);
      deaf.socket.resume();
      await deaf.closed;
      assert.ok(deaf.updates() < UPDATES, "it was let go");
    }),
  R56: () =>
    withSharedServer(async (server) => {
      const open = () => server.request({ headers: json, body: initialize });
      const used = String((await open()).headers["mcp-session-id"]);
      assert.match(used, /^[0-9a-f]{32}$/);
      assert.is((await inSession(server, used)).status, 200);
      const ids = new Set<unknown>();
      for (let round = 0; round < ROUNDS; round++) {
        const opened = await Promise.all(Array.from({ length: 25 }, open));
        for (const { status, headers } of opened) {
          assert.ok(status === 200 || status === 503, String(status));
          ids.add(headers["mcp-session-id"]);
        }
        assert.ok((await figure(server, "mcp_server_sessions")) <= 50);
        assert.is((await inSession(server, used)).status, 200, "one that is used stays");
      }
      assert.ok(ids.size >= ROUNDS * 22, "no id twice");
      for (const guess of ["0".repeat(32), "../", used.toUpperCase(), "x".repeat(5_000)]) {
        assert.is((await inSession(server, guess)).status, 404, guess);
        const gone = { method: "DELETE", body: undefined };
        assert.is((await inSession(server, guess, gone)).status, 404, guess);
      }
      assert.is((await inSession(server, used)).status, 200);
    }),
  R65: () =>
    withSharedServer(async (server) => {
      const ask = (text: string, more: object = {}): Promise<Answer> => {
        const params = { name: "confirm", arguments: { text }, ...more };
        const can = '"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}';
        const body = requestBody("tools/call", params).replace(
          '"io.modelcontextprotocol/clientCapabilities":{}',
          can,
        );
        return server.send("tools/call", params, { body });
      };
      const asked = (await ask("one")).message.result ?? {};
      const { requestState, inputRequests } = asked as {
        readonly requestState: string;
        readonly inputRequests: Readonly<Record<string, unknown>>;
      };
      const [key = ""] = Object.keys(inputRequests);
      const inputResponses = { [key]: { action: "accept", content: { yes: true } } };
      const flipped = `${requestState.slice(0, -5)}${requestState.at(-5) === "A" ? "B" : "A"}${requestState.slice(-4)}`;
      for (const [what, text, state] of [
        ["changed", "one", flipped],
        ["cut", "one", requestState.slice(0, 40)],
        ["made up", "one", "e30.e30"],
        ["of another request", "two", requestState],
        ["too long", "one", requestState.repeat(1_000)],
        ["no text", "one", { state: requestState }],
      ] as const) {
        const { message } = await ask(text, { requestState: state, inputResponses });
        assert.is(message.error?.code, -32602, what);
      }
      for (let turn = 0; turn < 2; turn++) {
        const answer = await ask("one", { requestState, inputResponses });
        assert.is(textOf(answer), "one: true", "in time it may come twice");
      }
    }),
  R73: () =>
    withSharedServer(async (server) => {
      const [honest, greedy] = ["127.0.0.2", "127.0.4.1"];
      const something = { resourceSubscriptions: ["state://any"] };
      for (let count = 0; count < 25; count++) await listen(server, something, greedy);
      for (let count = 0; count < 10; count++) {
        const { said } = await listen(server, something, honest);
        assert.match(said(), "acknowledged", `subscription ${count}`);
      }
      const open = (localAddress: string) =>
        server.request({ headers: json, body: initialize, localAddress });
      const used = String((await open(honest)).headers["mcp-session-id"]);
      for (let count = 0; count < 100; count++) await open(greedy);
      const { status } = await inSession(server, used, { localAddress: honest });
      assert.is(status, 200, "its session is there, though it was idle");
      assert.is((await open(honest)).status, 200);
      // These connections are in use: each waits for messages of the server.
      const stream = "GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
      const sockets = await Promise.all(Array.from({ length: 400 }, () => server.open(greedy)));
      for (const socket of sockets) socket.write(stream);
      const answer = await server.call("echo", { text: "through" }, { localAddress: honest });
      assert.is(textOf(answer), "through");
      const lasting = await server.open(honest);
      lasting.write(stream);
      await until(() => lasting.bytesRead > 0);
    }),
};
