import { rmSync } from "node:fs";
import { connect as connectSocket, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLog } from "../observe/log.js";
import { sampleServer } from "../samples/server.js";
import { until } from "../samples/until.js";
import { createServer } from "../server/create-server.js";
import { closeAll, closeLater } from "../suite/clients/harness.js";
import { modernRequest } from "../suite/clients/http.js";
import { testTls } from "../suite/clients/tls.js";
import type { HttpDefinition } from "./definition.js";
import { httpEndpoint } from "./endpoint.js";
import { listenWithTls } from "./tls.js";

/** What clients of a listener with TLS read that are beyond the limit of connections. */

const { folder, cert, key } = testTls().writeFiles();
test.after(() => rmSync(folder, { recursive: true }));
test.after(closeAll);

const http = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;

/** The port of a server that may have one connection, which waits for an answer. */
async function serveFull(): Promise<{ readonly port: number; readonly url: string }> {
  const log = createLog({ write: () => undefined });
  const definition = { ...sampleServer, limits: { connections: 1 } };
  const server = createServer(definition, { root: process.cwd(), log });
  const tls = { cert: "CERT", key: "KEY" };
  const endpoint = httpEndpoint(server, { ...http, tls });
  const { url, close } = await listenWithTls(server, [endpoint], { CERT: cert, KEY: key });
  closeLater(close);
  const end = new AbortController();
  closeLater(() => end.abort());
  const call = modernRequest(url, "tools/call", { name: "sleep", arguments: { ms: 60_000 } });
  // The headers come while the call goes on.
  const answer = await testTls().fetch(new Request(call, { signal: end.signal }));
  void answer.text().catch(() => undefined);
  return { port: Number(new URL(url).port), url };
}

/** Connects over TLS. @returns what arrives, or the code of the error */
async function read(port: number, sent = ""): Promise<string> {
  const { authority: ca } = testTls();
  const socket = connectTls({ port, host: "127.0.0.1", ca, servername: "localhost" });
  if (sent !== "") socket.write(sent);
  return text(socket).catch(({ code }: NodeJS.ErrnoException) => String(code));
}

test("a client beyond the limit reads the limit's name, whether it sends a request or not", async () => {
  const { port } = await serveFull();
  const answer = /^HTTP\/1\.1 503 .*Connection: close.*\(limits\.connections: 1\)/s;
  assert.match(await read(port), answer);
  const requests = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3);
  const answers = await read(port, requests);
  assert.match(answers, answer);
  assert.is(answers.split("HTTP/1.1").length, 2, "and nothing else");
});

test("where many clients exceed the limit at once, few get an answer over TLS, and the others an alert without a handshake", async () => {
  const { port } = await serveFull();
  const answers = await Promise.all(Array.from({ length: 40 }, () => read(port)));
  const greeted = answers.filter((answer) => answer.startsWith("HTTP/1.1 503"));
  assert.is(greeted.length, 8);
  const alerted = answers.filter((answer) => answer === "ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR");
  assert.is(alerted.length, 32, answers.join());
  await until(async () => (await read(port)).startsWith("HTTP/1.1 503"));
});

test("clients that do not go on with the handshake are disconnected soon, and so is the one that reads nothing", async () => {
  const { port } = await serveFull();
  const closed = Array.from({ length: 8 }, (_, index) => {
    const socket: Socket = connectSocket(port, "127.0.0.1").on("error", () => undefined);
    if (index % 2 === 0) socket.write(Buffer.from("160301020001000003", "hex"));
    return new Promise<void>((resolve) => socket.resume().once("close", () => resolve()));
  });
  await Promise.all(closed);
  await until(async () => (await read(port)).startsWith("HTTP/1.1 503"));
});

test.run();
