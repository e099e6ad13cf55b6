import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { HttpServers } from "../samples/http-servers.js";
import { jsonHeaders, RawClient } from "../samples/raw-client.js";
import { patience, until } from "../samples/until.js";
import { drainMs } from "../start/transport.js";
import { modernRequest, sendRaw } from "../suite/clients/http.js";
import type { RunningHttp } from "./transport.js";

const servers = new HttpServers();
test.after(() => servers.close());

/** Closes a server. Throws if that took as long as the time limit of calls, which a second timer measures. */
async function closeWithoutWaiting(listening: RunningHttp): Promise<void> {
  const waited = delay(drainMs, "waited for its limit", { ref: false });
  const closed = listening.close().then(() => "closed");
  assert.is(await Promise.race([closed, waited]), "closed");
}

test("a client that goes away cancels its call", async () => {
  const { http, server } = await servers.start({ limits: { timeoutMs: patience } });
  const gone = new AbortController();
  const request = modernRequest(http.url, "tools/call", {
    name: "sleep",
    arguments: { ms: patience },
  });
  const asleep = servers.callsAsleep(1);
  const answer = fetch(request, { signal: gone.signal }).catch(() => "gone");
  await asleep;
  gone.abort();
  assert.is(await answer, "gone");
  // Draining waits until no call is running.
  const drained = await Promise.race([
    server.drain(patience).then(() => "idle"),
    delay(patience / 2, "busy", { ref: false }),
  ]);
  assert.is(drained, "idle");
});

test("closing answers running calls, refuses new ones, and ends subscriptions", async () => {
  const { http } = await servers.start();
  const sleeping = modernRequest(http.url, "tools/call", {
    name: "sleep",
    arguments: { ms: 300 },
  });
  const asleep = servers.callsAsleep(20);
  const calls = Array.from({ length: 20 }, () => sendRaw(sleeping.clone()));
  const filter = { notifications: { toolsListChanged: true } };
  const subscription = await fetch(modernRequest(http.url, "subscriptions/listen", filter));
  const events = subscription.text();
  await asleep;
  await closeWithoutWaiting(http);
  for (const { text } of await Promise.all(calls)) assert.match(text, /slept 300 ms/);
  await events;
  const refused = await fetch(http.url).catch(() => "refused");
  assert.is(refused, "refused");
});

test("closing cuts uploads that have not ended", async () => {
  const { http } = await servers.start();
  const raw = new RawClient(http.url);
  const length = ["Content-Length: 100", "Expect: 100-continue"];
  const { port } = new URL(http.url);
  const upload = connectSocket(Number(port), "127.0.0.1").on("error", () => undefined);
  const closed = once(upload, "close");
  let answer = "";
  upload.on("data", (data: Buffer) => (answer += data.toString()));
  upload.write(`${raw.head("POST /mcp HTTP/1.1", ...jsonHeaders, ...length)}{`);
  await until(() => answer !== "");
  await closeWithoutWaiting(http);
  await closed;
  assert.is(answer, "HTTP/1.1 100 Continue\r\n\r\n");
});

test("pipelined requests are answered one by one, in their order", async () => {
  const { http } = await servers.start();
  const { port } = new URL(http.url);
  const call = (id: number): string => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { name: "sleep", arguments: { ms: 50 }, _meta };
    const body = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
    const named = jsonHeaders.map((line) => line.replace("tools/list", "tools/call"));
    const headers = [...named, "Mcp-Name: sleep", `Content-Length: ${body.length}`];
    const first = ["POST /mcp HTTP/1.1", `Host: 127.0.0.1:${port}`];
    return [...first, ...headers, "", body].join("\r\n");
  };
  const earlier = servers.begunSleeps;
  const socket = connectSocket(Number(port), "127.0.0.1");
  let answers = "";
  let asleepBeforeAnswer = 0;
  socket.on("data", (data: Buffer) => {
    if (answers === "") asleepBeforeAnswer = servers.begunSleeps - earlier;
    answers += data.toString();
  });
  socket.write(call(1) + call(2) + call(3));
  await until(() => answers.match(/"id":\d/g)?.length === 3);
  assert.equal(answers.match(/"id":\d/g), ['"id":1', '"id":2', '"id":3']);
  // The second call begins while the first answer is sent.
  assert.ok(asleepBeforeAnswer < 3, `${asleepBeforeAnswer} calls ran before the first answer`);
  // The requests of a client that has disconnected do not wait any longer.
  socket.write(call(4) + call(5));
  socket.destroy();
  await closeWithoutWaiting(http);
});

test.run();
