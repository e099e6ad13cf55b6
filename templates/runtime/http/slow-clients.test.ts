import { modernRequest, sendRaw } from "../suite/clients/http.js";
import { connect, type Socket } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServer } from "../server/create-server.js";
import type { HttpDefinition } from "./definition.js";
import { httpEndpoint } from "./endpoint.js";
import { listen } from "./listener.js";
import type { SetLimits } from "../engine/limits.js";
import { defaultLimits } from "../engine/limits.js";
import { createLog } from "../observe/log.js";
import { closeAll, closeLater } from "../suite/clients/harness.js";
import { sampleServer } from "../samples/server.js";
import { until } from "../samples/until.js";

const definition = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

test.after(closeAll);

async function serve(limits: SetLimits): Promise<string> {
  const log = createLog({ write: () => undefined });
  const server = createServer({ ...sampleServer, limits }, { root: process.cwd(), log });
  const { url, close } = await listen(server, [httpEndpoint(server, definition)]);
  closeLater(close);
  return url;
}

interface Wire {
  readonly socket: Socket;
  /** The text that was received until the server closed the connection. */
  readonly closed: Promise<string>;
}

async function open(url: string, start = ""): Promise<Wire> {
  const { port } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  closeLater(() => socket.destroy());
  let text = "";
  socket.on("error", () => undefined).on("data", (data) => (text += data.toString()));
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(text)));
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.write(start);
  return { socket, closed };
}

const isOpen = ({ socket }: Wire): boolean => !socket.destroyed && socket.readable;

test("headers that arrive too late get 408, but not with a longer time limit", async () => {
  const strict = await open(await serve({ headersTimeoutMs: 150 }), head);
  const patient = await open(await serve({ headersTimeoutMs: 600_000 }), head);
  assert.match(await strict.closed, /^HTTP\/1\.1 408 /);
  assert.ok(isOpen(patient));
});

/** Opens a connection whose headers have arrived in time, which the server has confirmed. */
async function sendHeaders(url: string): Promise<Wire> {
  const start = `${head}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n12345`;
  for (;;) {
    const wire = await open(url, start);
    let text = "";
    wire.socket.on("data", (data: Buffer) => (text += data.toString()));
    await until(() => text !== "" || wire.socket.closed);
    if (text.startsWith("HTTP/1.1 100 ")) return wire;
  }
}

test("a body that arrives too late gets 408, but not with a longer time limit", async () => {
  const headersTimeoutMs = 100;
  const strict = await sendHeaders(await serve({ headersTimeoutMs, bodyTimeoutMs: 100 }));
  const patient = await sendHeaders(await serve({ headersTimeoutMs, bodyTimeoutMs: 600_000 }));
  assert.match(await strict.closed, /^HTTP\/1\.1 100 .*HTTP\/1\.1 408 /s);
  assert.ok(isOpen(patient));
});

test("a request that comes in time is answered", async () => {
  const url = await serve({ headersTimeoutMs: 600_000, bodyTimeoutMs: 600_000 });
  assert.is((await sendRaw(modernRequest(url, "tools/list"))).status, 200);
});

test("at the limit of connections, a new one replaces the one that has waited longest", async () => {
  const url = await serve({ connections: 2 });
  const [first, second] = [await open(url), await open(url)];
  assert.ok(isOpen(first) && isOpen(second), "as many as there may be");
  const third = await open(url);
  await first.closed;
  assert.ok(isOpen(second) && isOpen(third), "the others stay");
});

test("the defaults limit the time of requests and the number of connections", () => {
  const { headersTimeoutMs, bodyTimeoutMs, connections } = defaultLimits;
  assert.ok(headersTimeoutMs <= 10_000 && headersTimeoutMs + bodyTimeoutMs <= 30_000);
  assert.ok(connections <= 10_000);
});

test.run();
