import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { until } from "../samples/until.js";
import { Connections } from "./connections.js";

const unanswered: ServerResponse[] = [];
/** The numbers of requests that have begun to arrive, by the ports of their clients. */
const begun = new Map<number | undefined, number>();
const listener = createServer((request: IncomingMessage, response: ServerResponse) => {
  connections.follow(request, response);
  count(request.socket);
  request.resume();
  if (request.url === "/slow") unanswered.push(response);
  else response.end("done");
});
/** The addresses of the clients that lost a connection in use, or got none. */
const lost: string[] = [];
const connections = new Connections(listener, 3, {
  onLoss: (address) => void lost.push(address),
  refuse: (socket) => void socket.destroy(),
});
listener.on("upgrade", ({ socket }: IncomingMessage) => {
  socket.on("error", () => undefined).on("end", () => socket.destroy());
  socket.resume();
  connections.markUpgraded(socket);
  count(socket);
});
listener.on("connection", ({ remotePort }: Socket) => begun.set(remotePort, 0));
listener.listen(0, "127.0.0.1");
await once(listener, "listening");
const { port } = listener.address() as AddressInfo;
const sockets: Socket[] = [];

test.after(() => {
  for (const socket of sockets) socket.destroy();
  listener.close();
});

function count({ remotePort }: Socket): void {
  begun.set(remotePort, (begun.get(remotePort) ?? 0) + 1);
}

/** Opens a connection and sends the text. Resolves when the server has seen its requests, or has closed it. */
async function open(text = "", localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => undefined);
  sockets.push(socket);
  await once(socket, "connect");
  const { localPort } = socket;
  socket.resume().write(text);
  const requests = text.split("HTTP/1.1").length - 1;
  await until(() => socket.closed || (begun.get(localPort) ?? -1) >= requests);
  return socket;
}

/** Closes all connections, and waits until the server has none. */
async function closeAll(): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy();
  await until(() => connections.open === 0);
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

test("a new connection replaces the one that has waited longest, and none that is in use", async () => {
  const served = await open(get("/slow"));
  const slow = await open("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab");
  const idle = await open();
  const other = await open(get("/"));
  // An upload that does not end also waits.
  await until(() => slow.closed);
  assert.not(idle.closed);
  const third = await open(get("/"));
  await until(() => idle.closed);
  assert.equal([served.closed, other.closed, third.closed], [false, false, false]);
  for (const response of unanswered.splice(0)) response.end("late");
  const [answer] = (await once(served, "data")) as [Buffer];
  assert.match(answer.toString(), "late");
});

test("a connection in use is not replaced if it sends further bytes meanwhile", async () => {
  await closeAll();
  const upload = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab";
  const served = await open(get("/slow") + upload);
  for (let count = 0; count < 4; count++) await open(get("/"));
  assert.not(served.closed);
  for (const response of unanswered.splice(0)) response.end("late");
  await once(served, "data");
  for (let count = 0; count < 3; count++) await open(get("/"));
  // After its answer, it waits for the rest of its upload.
  await until(() => served.closed);
  await closeAll();
});

test("a connection with another protocol is not replaced", async () => {
  const upgraded = await open(
    "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
  );
  for (let count = 0; count < 4; count++) await open();
  assert.not(upgraded.closed);
  await closeAll();
});

test("if all connections are in use, a new one is closed", async () => {
  for (let count = 0; count < 3; count++) await open(get("/slow"));
  assert.is(unanswered.length, 3);
  assert.equal(lost, [], "who waits in vain loses nothing");
  const refused = await open(get("/"));
  await until(() => refused.closed);
  assert.equal(lost.splice(0), ["127.0.0.1"]);
  for (const response of unanswered.splice(0)) response.end();
});

test("if all connections are in use, the address with most of them loses one to another address", async () => {
  await closeAll();
  const busy = [await open(get("/slow")), await open(get("/slow")), await open(get("/slow"))];
  const other = await open(get("/slow"), "127.0.0.2");
  await until(() => busy[0]?.closed === true);
  assert.not(other.closed);
  const third = await open(get("/slow"), "127.0.0.3");
  await until(() => busy[1]?.closed === true);
  // Each address has one connection.
  const fourth = await open(get("/slow"), "127.0.0.4");
  await until(() => fourth.closed);
  assert.equal([busy[2]?.closed, other.closed, third.closed], [false, false, false]);
  assert.equal(lost.splice(0), ["127.0.0.1", "127.0.0.1", "127.0.0.4"]);
  for (const response of unanswered.splice(0)) response.end();
});

test("if too many requests wait for answers, the connection with most of them is closed", async () => {
  for (let turn = 0; turn < 2; turn++) {
    await closeAll();
    const other = await open(get("/slow").repeat(3));
    const flood = connect({ port, host: "127.0.0.1" }).on("error", () => undefined);
    sockets.push(flood);
    flood.resume().write(get("/slow").repeat(200));
    await until(() => flood.closed);
    // The requests of the closed connection are not counted anymore.
    const another = await open(get("/slow").repeat(20));
    assert.not(other.closed);
    assert.not(another.closed);
  }
});

test.run();
