import { channel } from "node:diagnostics_channel";
import { open, mkdtemp, rm, writeFile, type FileHandle } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createBackends } from "../backends/backends.js";
import { defaultLimits } from "../engine/limits.js";
import { createLog } from "../observe/log.js";
import { erased, sampleServer } from "../samples/server.js";
import { until } from "../samples/until.js";
import { createServer } from "../server/create-server.js";
import { modernRequest, sendRaw } from "../suite/clients/http.js";
import type { HttpDefinition } from "./definition.js";
import { httpEndpoint } from "./endpoint.js";
import { listen } from "./listener.js";
import type { RunningHttp } from "./transport.js";

/** The length of an answer, in bytes. Four of them are more than one address may have unread. */
const LENGTH = 15_000_000;
const CLIENTS = 12;

/** The length of the output of a program, which may print much more. */
const PRINTED = 300_000;

/** Most answers that may be in the making, or unread, for one address. */
const MOST_AT_ONCE = 4;

const root = await mkdtemp(join(tmpdir(), "answer-memory-"));
await writeFile(join(root, "long.txt"), Buffer.alloc(LENGTH, "x"));
let started = 0;
const { tools, resources } = sampleServer;
const [sleep] = tools.filter(({ definition }) => definition.name === "sleep");
const parts = {
  tools: [
    ...tools,
    {
      ...sleep!,
      definition: { ...sleep!.definition, name: "printed" },
      handler: () =>
        erased(async (_input, { programs }) => {
          const print = `process.stdout.write("x".repeat(${PRINTED}))`;
          const command = [process.execPath, "-e", print] as const;
          return (await programs.run(command, { maxBytes: 33_554_432 })).text();
        }),
    },
    {
      ...sleep!,
      definition: { ...sleep!.definition, name: "long" },
      handler: () =>
        erased(async () => {
          started++;
          await delay(1);
          return "x".repeat(LENGTH);
        }),
    },
  ],
  resources: [
    ...resources,
    {
      definition: { uri: "sample://long", name: "long", mimeType: "text/plain" },
      file: "long.txt",
    },
  ],
};

const definition = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const log = createLog({ write: () => undefined });
const served = { ...sampleServer, ...parts };
const programs = createBackends(served, { root }, defaultLimits);
const server = createServer(served, { root, log, facilities: [programs] });
const http: RunningHttp = await listen(server, [httpEndpoint(server, definition)]);

test.after(async () => {
  await http.close();
  await rm(root, { recursive: true });
});

/** Sends a request on a connection of its own, and reads nothing of the answer. */
async function askUnread(request: Request): Promise<Socket> {
  const { port } = new URL(http.url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => undefined).pause();
  const body = await request.text();
  const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`);
  const length = `content-length: ${Buffer.byteLength(body)}`;
  socket.write(
    ["POST /mcp HTTP/1.1", "host: localhost", ...headers, length, "", body].join("\r\n"),
  );
  return socket;
}

/** The connections of the server, and the number of those that have closed. */
const connections: Socket[] = [];
let closed = 0;
channel("net.server.socket").subscribe((message) => {
  const { socket } = message as { readonly socket: Socket };
  connections.push(socket);
  socket.once("close", () => closed++);
});

/** The most answers that were begun and whose connections were still open, while clients asked and did not read. */
async function mostAtOnce(request: () => Request, hasStarted: () => number): Promise<number> {
  let most = 0;
  closed = 0;
  const look = (): void => void (most = Math.max(most, hasStarted() - closed));
  const looking = setInterval(look, 1);
  const sockets: Socket[] = [];
  for (let count = 0; count < CLIENTS; count++) sockets.push(await askUnread(request()));
  // The last two take the places of clients that have stalled.
  await until(() => {
    look();
    return hasStarted() >= MOST_AT_ONCE + 2;
  });
  clearInterval(looking);
  const short = modernRequest(http.url, "tools/call", { name: "greet", arguments: { who: "Ada" } });
  assert.match((await sendRaw(short)).text, "Ada");
  const read = await sendRaw(request());
  assert.is(read.status, 200);
  assert.ok(read.text.length > LENGTH, `an answer that is read: ${read.text.slice(0, 200)}`);
  for (const socket of sockets) socket.destroy();
  return most;
}

test("of 12 long files that the clients of one address do not read, at most 4 are read at once", async () => {
  const file = await open(join(root, "long.txt"));
  const prototype = Object.getPrototypeOf(file) as FileHandle;
  await file.close();
  const { read } = prototype;
  let reads = 0;
  prototype.read = function (this: FileHandle, ...options: never[]) {
    // The first read of a file has no offset in the buffer.
    if ((options as unknown[])[1] === 0) reads++;
    return (read as (...all: never[]) => unknown).apply(this, options) as never;
  };
  try {
    const request = (): Request =>
      modernRequest(http.url, "resources/read", { uri: "sample://long" });
    const most = await mostAtOnce(request, () => reads);
    assert.ok(most <= MOST_AT_ONCE, `${most} were read at once`);
  } finally {
    prototype.read = read;
  }
});

test("of 12 calls with long results that the clients of one address do not read, at most 4 run at once", async () => {
  const request = (): Request =>
    modernRequest(http.url, "tools/call", { name: "long", arguments: { ms: 1 } });
  // The length of a handler's result is known from the one before.
  assert.ok((await sendRaw(request())).text.length > LENGTH);
  started = 0;
  const most = await mostAtOnce(request, () => started);
  assert.ok(most <= MOST_AT_ONCE, `${most} ran at once`);
});

test("a program's output needs memory for its own length, and not for the most that it may print", async () => {
  await until(() => connections.every(({ destroyed }) => destroyed));
  connections.length = 0;
  const read = (): Request => modernRequest(http.url, "resources/read", { uri: "sample://long" });
  const sockets = await Promise.all([1, 2, 3].map(() => askUnread(read())));
  const isUnread = ({ writableLength }: Socket): boolean => writableLength > LENGTH / 2;
  await until(() => connections.filter(isUnread).length === sockets.length);
  const call = modernRequest(http.url, "tools/call", { name: "printed", arguments: { ms: 1 } });
  const { text } = await sendRaw(call);
  assert.ok(text.length > PRINTED, text.slice(0, 200));
  assert.is(connections.filter(isUnread).length, sockets.length, "none had to make room");
  for (const socket of sockets) socket.destroy();
});

test.run();
