import { connectHttp } from "../suite/clients/http.js";
import type { HttpDefinition, SseDefinition, WebSocketDefinition } from "./definition.js";
import { rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import {
  connect as connectSocket,
  createServer as createTcpServer,
  type AddressInfo,
  type Socket,
} from "node:net";
import { basename, join } from "node:path";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { SSEClientTransport } from "@modelcontextprotocol/client";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServer } from "../server/create-server.js";
import type { SetLimits } from "../engine/limits.js";
import type { TransportDefinition } from "../engine/definition.js";
import { httpEndpoint } from "./endpoint.js";
import { listenWithTls } from "./tls.js";
import { createLog } from "../observe/log.js";
import { sseEndpoint } from "../sse/endpoint.js";
import { closeAll, closeLater, connect } from "../suite/clients/harness.js";
import { sampleServer } from "../samples/server.js";
import { until } from "../samples/until.js";
import { testTls } from "../suite/clients/tls.js";
import { WebSocketClientTransport } from "../suite/clients/websocket-client.js";
import type { RunningHttp } from "./transport.js";
import { webSocketEndpoint } from "../websocket/endpoint.js";

const ofSample = (wanted: string): TransportDefinition | undefined =>
  sampleServer.transports.find(({ type }) => type === wanted);
const sample = ofSample("http") as HttpDefinition;
const tls = { cert: "TEST_TLS_CERT", key: "TEST_TLS_KEY" };
const files = testTls().writeFiles();
test.after(() => rmSync(files.folder, { recursive: true }));
test.after(closeAll);

function serve(
  cert: string | undefined,
  key: string,
  definition = { ...sample, tls },
  limits: SetLimits = {},
) {
  delete process.env[tls.cert];
  if (cert !== undefined) process.env[tls.cert] = cert;
  process.env[tls.key] = key;
  const log = createLog({ write: () => undefined });
  const server = createServer({ ...sampleServer, limits }, { root: process.cwd(), log });
  return async (): Promise<RunningHttp> =>
    listenWithTls(server, [httpEndpoint(server, definition)]);
}

for (const era of ["modern", "legacy"] as const) {
  test(`${era}: the official client is served over TLS`, async () => {
    const http = await serve(files.cert, files.key)();
    assert.match(http.url, /^https:/);
    const client = await connectHttp(http.url, era, testTls().fetch);
    const answer = await client.callTool({ name: "greet", arguments: { who: "Ada" } });
    assert.equal(answer.content, [{ type: "text", text: "Hello, Ada!" }]);
    await closeAll();
    await http.close();
  });
}

test("transports that share the address are served over TLS, too", async () => {
  process.env[tls.cert] = files.cert;
  process.env[tls.key] = files.key;
  const log = createLog({ write: () => undefined });
  const server = createServer(sampleServer, { root: process.cwd(), log });
  const http = await listenWithTls(server, [
    httpEndpoint(server, { ...sample, tls }),
    sseEndpoint(server, ofSample("sse") as SseDefinition),
    webSocketEndpoint(server, ofSample("websocket") as WebSocketDefinition),
  ]);
  const [events, socket] = [http.urls.get("sse") ?? "", http.urls.get("websocket") ?? ""];
  closeLater(http.close);
  assert.match(`${events} ${socket}`, /^https:.* https:/);
  const send = (url: string | URL, init?: RequestInit): Promise<Response> =>
    testTls().fetch(new Request(url, init));
  for (const [transport, era] of [
    [new SSEClientTransport(new URL(events), { fetch: send }), "legacy"],
    [new WebSocketClientTransport(socket, testTls().authority), "legacy"],
    [new WebSocketClientTransport(socket, testTls().authority), "modern"],
  ] as const) {
    const client = await connect(transport, era);
    const answer = await client.callTool({ name: "greet", arguments: { who: "Ada" } });
    assert.equal(answer.content, [{ type: "text", text: "Hello, Ada!" }]);
  }
  await closeAll();
});

/** Opens a TLS connection. Returns the code of the error that ended it; undefined if there was none. */
function ending(socket: TLSSocket): Promise<string> {
  return new Promise((resolve) => {
    socket.once("error", ({ code = "" }: NodeJS.ErrnoException) => resolve(code));
    socket.once("close", () => resolve("closed"));
  });
}

test("stalled handshakes are ended, and others are served meanwhile", async () => {
  const http = await serve(files.cert, files.key, undefined, { headersTimeoutMs: 300 })();
  closeLater(http.close);
  const port = Number(new URL(http.url).port);
  // This is the beginning of a message of 512 bytes.
  const hello = Buffer.from("160301020001000003", "hex");
  const stalled = Array.from({ length: 100 }, (_none, index) => {
    const socket = connectSocket(port, "127.0.0.1").on("error", () => undefined);
    if (index % 2 === 0) socket.write(hello);
    return new Promise<void>((resolve) => socket.once("close", () => resolve()));
  });
  const client = await connectHttp(http.url, "modern", testTls().fetch);
  assert.is((await client.listTools()).tools.length > 0, true);
  await Promise.all(stalled);
  await closeAll();
});

/** The beginning of a handshake, as a client sends it. */
async function clientHello(): Promise<Buffer> {
  const listener = createTcpServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const client = connectTls({ port, host: "127.0.0.1" }).on("error", () => undefined);
  const [socket] = (await once(listener, "connection")) as [Socket];
  const [hello] = (await once(socket, "data")) as [Buffer];
  client.destroy();
  socket.destroy();
  listener.close();
  return hello;
}

test("plain HTTP, bytes that are no TLS, and clients that leave during a handshake stop nobody", async () => {
  const http = await serve(files.cert, files.key)();
  closeLater(http.close);
  const port = Number(new URL(http.url).port);
  const hello = await clientHello();
  // The length of this record is that of its content, which is no handshake.
  const nonsense = Buffer.concat([Buffer.from("1603014000", "hex"), Buffer.alloc(0x4000, 7)]);
  const plain = Buffer.from("GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const open = (bytes: Buffer, leave: (socket: Socket) => void): Promise<void> => {
    const socket = connectSocket(port, "127.0.0.1").on("error", () => undefined);
    socket.write(bytes);
    socket.once("data", () => leave(socket));
    return new Promise((resolve) => socket.once("close", () => resolve()));
  };
  const closed = Array.from({ length: 40 }, (_none, index) => [
    open(plain, () => undefined),
    open(nonsense, () => undefined),
    open(hello, (socket) => (index % 2 === 0 ? socket.destroy() : socket.resetAndDestroy())),
  ]);
  const client = await connectHttp(http.url, "modern", testTls().fetch);
  assert.is((await client.listTools()).tools.length > 0, true);
  await Promise.all(closed.flat());
  await closeAll();
});

test("a connection counts before its handshake: one that stalls makes room for a new one", async () => {
  const http = await serve(files.cert, files.key, undefined, { connections: 3 })();
  closeLater(http.close);
  const port = Number(new URL(http.url).port);
  const stalled = Array.from({ length: 6 }, () => {
    const socket = connectSocket(port, "127.0.0.1").on("error", () => undefined);
    closeLater(() => socket.destroy());
    return socket;
  });
  await until(() => stalled.filter(({ closed }) => closed).length >= 3);
  const client = await connectHttp(http.url, "modern", testTls().fetch);
  assert.is((await client.listTools()).tools.length > 0, true);
  await closeAll();
});

test("old versions of TLS and renegotiation are refused", async () => {
  const http = await serve(files.cert, files.key)();
  closeLater(http.close);
  const port = Number(new URL(http.url).port);
  const options = { port, host: "127.0.0.1", rejectUnauthorized: false };
  for (const version of ["TLSv1", "TLSv1.1"] as const) {
    const old = { minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" };
    const code = await ending(connectTls({ ...options, ...old }));
    assert.match(code, /ERR_SSL_.*(?:PROTOCOL_VERSION|UNSUPPORTED)|ECONNRESET/, version);
  }
  const socket = connectTls({ ...options, maxVersion: "TLSv1.2" });
  await once(socket, "secureConnect");
  const refused = new Promise<unknown>((resolve) => {
    socket.on("error", resolve);
    socket.renegotiate({ rejectUnauthorized: false }, resolve);
  });
  assert.instance(await refused, Error);
  await closeAll();
});

test("an address without TLS is served over plain HTTP", async () => {
  const { tls: _none, ...plain } = { ...sample, tls };
  const http = await serve(undefined, "", plain as typeof sample & { tls: typeof tls })();
  assert.match(http.url, /^http:/);
  await http.close();
});

test("files of TLS that are not set, missing or no certificate are reported", async () => {
  const problem = (cert: string | undefined, key: string): Promise<string> =>
    serve(cert, key)().then(
      () => "none",
      ({ name, message }: Error) => `${name}: ${message}`,
    );
  const nonsense = join(files.folder, "nonsense.pem");
  writeFileSync(nonsense, "nonsense");
  assert.is(
    await problem(undefined, files.key),
    "SettingError: TEST_TLS_CERT is not set; it must hold the path of a PEM file",
  );
  assert.match(await problem(files.cert, "/nowhere.pem"), /^SettingError: TEST_TLS_KEY: ENOENT/);
  assert.match(
    await problem("/dev/zero", files.key),
    /^SettingError: TEST_TLS_CERT: it is not a regular file$/,
  );
  assert.match(await problem(nonsense, files.key), /^SettingError: TEST_TLS_CERT and TEST_TLS_KEY/);
});

test("paths are relative to the project's folder", async () => {
  process.env[tls.cert] = basename(files.cert);
  process.env[tls.key] = basename(files.key);
  const log = createLog({ write: () => undefined });
  const server = createServer(sampleServer, { root: files.folder, log });
  const http = await listenWithTls(server, [httpEndpoint(server, { ...sample, tls })]);
  assert.match(http.url, /^https:/);
  await http.close();
});

test.run();
