import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { boundConnections } from "./connections.js";

const unanswered: ServerResponse[] = [];
const listener = createServer((request: IncomingMessage, response: ServerResponse) => {
  follow(request, response);
  request.resume();
  if (request.url === "/slow") unanswered.push(response);
  else response.end("done");
});
const { follow, waitsNoMore } = boundConnections(listener, 3);
listener.on("upgrade", ({ socket }: IncomingMessage) => {
  socket.on("error", () => undefined).on("end", () => socket.destroy());
  socket.resume();
  waitsNoMore(socket);
});
listener.listen(0, "127.0.0.1");
await once(listener, "listening");
const { port } = listener.address() as AddressInfo;
const sockets: Socket[] = [];

test.after(() => {
  for (const socket of sockets) socket.destroy();
  listener.close();
});

async function open(text = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  sockets.push(socket);
  await once(socket, "connect");
  socket.resume().write(text);
  // Until the server has seen it.
  await delay(30);
  return socket;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

test("the connection that waits longest gives way; one that is served does not", async () => {
  const served = await open(get("/slow"));
  const slow = await open("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab");
  const idle = await open();
  const other = await open(get("/"));
  assert.ok(slow.destroyed || slow.readableEnded, "an upload that does not end waits too");
  assert.not(idle.closed);
  const third = await open(get("/"));
  assert.ok(idle.closed, "then the idle one");
  assert.equal([served.closed, other.closed, third.closed], [false, false, false]);
  for (const response of unanswered.splice(0)) response.end("late");
  const [answer] = (await once(served, "data")) as [Buffer];
  assert.match(answer.toString(), "late");
});

test("a connection that is served does not give way for what it sends meanwhile", async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  const upload = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab";
  const served = await open(get("/slow") + upload);
  for (let count = 0; count < 4; count++) await open(get("/"));
  assert.not(served.closed);
  for (const response of unanswered.splice(0)) response.end("late");
  await delay(30);
  for (let count = 0; count < 3; count++) await open(get("/"));
  assert.ok(served.closed, "answered, it waits for the rest of its upload");
  for (const socket of sockets.splice(0)) socket.destroy();
  await delay(30);
});

test("a connection that speaks another protocol now does not give way", async () => {
  const upgraded = await open(
    "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
  );
  for (let count = 0; count < 4; count++) await open();
  assert.not(upgraded.closed);
  for (const socket of sockets.splice(0)) socket.destroy();
  await delay(30);
});

test("where all are served, a new one is closed", async () => {
  for (let count = 0; count < 3; count++) await open(get("/slow"));
  assert.is(unanswered.length, 3);
  const refused = await open(get("/"));
  assert.ok(refused.closed);
  for (const response of unanswered.splice(0)) response.end();
});

test.run();
