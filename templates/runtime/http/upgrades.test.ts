import { modernRequest, sendRaw } from "../suite/clients/http.js";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { HttpDefinition } from "./definition.js";
import type { SetLimits } from "../engine/limits.js";
import { createLog } from "../observe/log.js";
import { sampleServer } from "../samples/server.js";
import { createServer } from "../server/create-server.js";
import { closeAll, closeLater } from "../suite/clients/harness.js";
import { webSocketEndpoint } from "../websocket/endpoint.js";
import { httpEndpoint } from "./endpoint.js";
import { listen } from "./listener.js";

const http = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const { host, port, allowedHosts, allowedOrigins, trustProxy } = http;
const webSocket = { host, port, allowedHosts, allowedOrigins, trustProxy };

test.after(closeAll);

/** Starts a server whose listener passes connections to WebSocket. Returns its URL. */
async function serve(limits: SetLimits = {}): Promise<string> {
  const log = createLog({ write: () => undefined });
  const server = createServer({ ...sampleServer, limits }, { root: process.cwd(), log });
  const { url, close } = await listen(server, [
    httpEndpoint(server, http),
    webSocketEndpoint(server, { ...webSocket, type: "websocket", path: "/ws" }),
  ]);
  closeLater(close);
  return url;
}

interface Wire {
  readonly socket: Socket;
  /** The text that was received until the server closed the connection. */
  readonly closed: Promise<string>;
}

async function open(url: string): Promise<Wire> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined);
  closeLater(() => socket.destroy());
  let text = "";
  socket.on("data", (data) => (text += data.toString()));
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(text)));
  await once(socket, "connect");
  return { socket, closed };
}

const upgrade = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;

/** The bytes of a request for a slow call. */
async function slowCall(ms: number): Promise<string> {
  const request = modernRequest("http://localhost/mcp", "tools/call", {
    name: "sleep",
    arguments: { ms },
  });
  const body = await request.text();
  const headers = { ...Object.fromEntries(request.headers), "content-length": body.length };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ["POST /mcp HTTP/1.1", "Host: localhost", ...lines, "", body].join("\r\n");
}

test("a refused upgrade gets an answer, and the connection is closed", async () => {
  const { socket, closed } = await open(await serve());
  socket.write(upgrade("/nowhere").repeat(50));
  const text = await closed;
  assert.match(text, /^HTTP\/1\.1 404 /);
  assert.match(text, /\r\nConnection: close\r\n/i);
  assert.is(text.split("HTTP/1.1").length - 1, 1, "nothing after the last request is read");
});

test("connections with an upgrade take one slot each", async () => {
  const url = await serve({ connections: 3 });
  for (let count = 0; count < 10; count++) {
    const { socket, closed } = await open(url);
    socket.write(upgrade("/nowhere"));
    assert.match(await closed, /^HTTP\/1\.1 404 /);
  }
  const running = [await open(url), await open(url)];
  for (const { socket } of running) socket.write((await slowCall(200)) + upgrade("/mcp"));
  assert.is((await sendRaw(modernRequest(url, "tools/list"))).status, 200);
  for (const { closed } of running) assert.match(await closed, "slept 200 ms");
});

for (const [what, bytes, answer] of [
  ["a wish for another protocol", upgrade("/mcp"), 405],
  ["a wish for a WebSocket that is refused", upgrade("/ws").replace("h2c", "websocket"), 400],
  ["CONNECT", "CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 405],
  ["what is no HTTP", "nonsense\r\n\r\n", 400],
] as const) {
  test(`behind a running call, ${what} is answered after it`, async () => {
    const { socket, closed } = await open(await serve());
    socket.write((await slowCall(100)) + bytes);
    const text = await closed;
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
    assert.equal(statuses, [200, answer], text);
    assert.match(text.split("HTTP/1.1")[1] ?? "", "slept 100 ms");
  });
}

test.run();
