import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { StdioBridge } from "./stdio-bridge.js";

type Message = Record<string, unknown>;

/** One end of a connection, as messages. */
class End {
  readonly stream = new PassThrough();

  send(...messages: Message[]): void {
    for (const message of messages) this.stream.write(`${JSON.stringify(message)}\n`);
  }

  /** The messages that arrived since the last call. */
  async got(): Promise<Message[]> {
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    const text = textIn(this.stream);
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Message);
  }
}

/** Everything that waits in a stream. From version 26 on, `read()` of Node.js returns one written chunk at a time. */
function textIn(stream: PassThrough): string {
  let text = "";
  for (let chunk: unknown; (chunk = stream.read()) !== null;) text += String(chunk);
  return text;
}

class Server {
  readonly in = new End();
  readonly out = new End();
  readonly ends = { stdin: this.in.stream, stdout: this.out.stream };
}

function bridge(longest?: number) {
  const [fromClient, toClient] = [new End(), new End()];
  let ended = 0;
  const made = new StdioBridge(fromClient.stream, toClient.stream, () => (ended += 1), longest);
  return { made, fromClient, toClient, endings: () => ended };
}

const request = (id: number, method = "tools/list"): Message => ({ jsonrpc: "2.0", id, method });
const answer = (id: number | string, result: Message = {}): Message => ({
  jsonrpc: "2.0",
  id,
  result,
});

test("messages before the first server or between two servers wait; answers are passed on unchanged", async () => {
  const { made, fromClient, toClient } = bridge();
  fromClient.send(request(1));
  assert.equal(await toClient.got(), []);
  const first = new Server();
  made.connect(first.ends);
  assert.equal(await first.in.got(), [request(1)]);
  made.hold();
  fromClient.send(request(2));
  first.out.send(answer(1));
  assert.equal(await toClient.got(), [answer(1)], "the old server may still answer");
  made.disconnect();
  const second = new Server();
  made.connect(second.ends);
  assert.equal(await first.in.got(), []);
  assert.equal(await second.in.got(), [request(2)]);
  assert.equal(await toClient.got(), []);
});

test("a request that a server leaves unanswered is answered with an error", async () => {
  const { made, fromClient, toClient } = bridge();
  made.connect(new Server().ends);
  fromClient.send(request(7), { jsonrpc: "2.0", method: "notifications/cancelled" });
  await setImmediate();
  await toClient.got();
  made.disconnect();
  const [error, ...rest] = await toClient.got();
  assert.equal(rest, []);
  assert.is(error?.["id"], 7);
  assert.match(JSON.stringify(error?.["error"]), "restarted before it had answered");
});

test("the handshake is repeated with a new server, and the client does not see it", async () => {
  const { made, fromClient, toClient } = bridge();
  const first = new Server();
  made.connect(first.ends);
  const initialize = { ...request(0, "initialize"), params: { protocolVersion: "2025-11-25" } };
  const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
  const capabilities = { tools: {}, logging: {} };
  fromClient.send(initialize);
  await first.in.got();
  first.out.send(answer(0, { capabilities, serverInfo: { name: "a" } }));
  assert.equal(await toClient.got(), [
    answer(0, {
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: "a" },
    }),
  ]);
  fromClient.send(initialized);
  assert.equal(await first.in.got(), [initialized]);

  made.disconnect();
  fromClient.send(request(3));
  const second = new Server();
  made.connect(second.ends);
  const [repeated, ...early] = await second.in.got();
  assert.equal(early, [], "nothing before the handshake is done");
  assert.equal({ ...repeated, id: 0 }, initialize);
  assert.is.not(repeated?.["id"], 0);
  second.out.send(answer(String(repeated?.["id"]), { capabilities }));
  assert.equal(await toClient.got(), [
    { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
  ]);
  assert.equal(await second.in.got(), [initialized, request(3)]);
});

test("the end of the client's input reaches the server", async () => {
  const { made, fromClient, endings } = bridge();
  const server = new Server();
  made.connect(server.ends);
  fromClient.stream.end();
  await server.in.got();
  assert.is(endings(), 1);
  assert.ok(server.in.stream.writableEnded);
});

test("a line that is no message is passed on, and a server that has ended does no harm", async () => {
  const { made, fromClient, toClient } = bridge();
  const server = new Server();
  made.connect(server.ends);
  fromClient.stream.write("no JSON\n[1]\n");
  await setImmediate();
  server.out.stream.write("neither\n");
  assert.is((await setImmediate(), textIn(server.in.stream)), "no JSON\n[1]\n");
  await setImmediate();
  assert.is(textIn(toClient.stream), "neither\n");
  server.in.stream.destroy(new Error("EPIPE"));
  fromClient.send(request(1));
  await setImmediate();
});

test("a message that is too large is answered with an error, and the next one is passed on", async () => {
  const { made, fromClient, toClient } = bridge(100);
  const server = new Server();
  made.connect(server.ends);
  const large = { params: { text: "x".repeat(200) } };
  const says = "too large: mcpwright dev passes on at most 100 bytes";
  const error = (id: number, code: number, what: string): Message => ({
    jsonrpc: "2.0",
    id,
    error: { code, message: `${what} ${says}` },
  });
  fromClient.send(
    { ...request(1), ...large },
    { jsonrpc: "2.0", method: "notifications/x", ...large },
    { ...answer(7), ...large },
    request(2),
  );
  assert.equal(await toClient.got(), [error(1, -32_000, "Message")]);
  assert.equal(await server.in.got(), [error(7, -32_000, "Message"), request(2)]);
  server.out.send(answer(2, large), { ...request(8), ...large }, answer(3));
  assert.equal(await toClient.got(), [error(2, -32_603, "The server's message"), answer(3)]);
  assert.equal(await server.in.got(), [error(8, -32_603, "The server's message")]);
  fromClient.stream.write("x".repeat(200));
  fromClient.stream.write("\n");
  const [unreadable] = await toClient.got();
  assert.equal(unreadable, { jsonrpc: "2.0", error: error(0, -32_000, "Message")["error"] });
});

test.run();
