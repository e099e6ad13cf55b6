import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { until } from "../samples/until.js";
import { Agent, buildConnector, ProxyAgent } from "./platform-agent.js";

let running = 0;
let most = 0;
const server = createServer((request, response) => {
  most = Math.max(most, ++running);
  response.on("close", () => void running--);
  if (request.url === "/never") return;
  if (request.url === "/elsewhere") {
    return void response.writeHead(302, { location: "http://192.0.2.1/" }).end();
  }
  const isZipped = request.url === "/zipped";
  const text = `${request.method} ${request.headers["x-own"]}`;
  response.writeHead(200, isZipped ? { "content-encoding": "gzip" } : {});
  setTimeout(() => response.end(isZipped ? gzipSync(text) : text), 20);
}).listen(0, "127.0.0.1");
await once(server, "listening");
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
test.after(() => {
  server.closeAllConnections();
  server.close();
});

const request = (path: string, signal = new EventEmitter()) => ({
  ...{ method: "POST", origin, path, body: "{}", signal },
  headers: { "x-own": "header", "accept-encoding": "gzip, deflate, br" },
});

async function textOf(body: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const chunk of body) text += String(chunk);
  return text;
}

test("a request is sent by fetch, and its answer read, whatever its encoding", async () => {
  const agent = new Agent({ connect: buildConnector() });
  for (const path of ["/", "/zipped"]) {
    const { statusCode, headers, body } = await agent.request(request(path));
    assert.is(statusCode, 200);
    assert.is(headers["content-encoding"], undefined);
    assert.is(await textOf(body), "POST header");
  }
});

test("redirects are not followed", async () => {
  const { statusCode, headers, body } = await new Agent({ connect: buildConnector() }).request(
    request("/elsewhere"),
  );
  assert.is(statusCode, 302);
  assert.is(headers["location"], "http://192.0.2.1/");
  await textOf(body);
});

test("a request that the connector refuses is not sent", async () => {
  const agent = new Agent({
    connect: (_target, callback) => callback(new Error("not public"), null),
  });
  const before = most;
  const problem = await agent.request(request("/")).then(() => "sent", String);
  assert.match(problem, "not public");
  assert.is(most, before);
});

test("no more requests run at the same time than connections may be open", async () => {
  most = 0;
  const agent = new Agent({ connect: buildConnector(), connections: 2 });
  const answers = Array.from({ length: 6 }, async () => {
    const { body } = await agent.request(request("/"));
    return textOf(body);
  });
  assert.is(new Set(await Promise.all(answers)).size, 1);
  assert.ok(most <= 2, `${most} at the same time`);
});

test("a request that is stopped ends, and gives its place back", async () => {
  const agent = new Agent({ connect: buildConnector(), connections: 1 });
  const signal = new EventEmitter();
  const stopped = agent.request(request("/never", signal)).then(
    () => "answered",
    () => "stopped",
  );
  await until(() => running === 1);
  signal.emit("abort");
  assert.is(await stopped, "stopped");
  const { body } = await agent.request(request("/"));
  assert.is(await textOf(body), "POST header");
});

test("a proxy is refused", () => {
  assert.throws(() => new ProxyAgent(), /proxy/);
});

test.run();
