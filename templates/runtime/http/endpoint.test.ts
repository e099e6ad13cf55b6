import { connectHttp, modernRequest, sendRaw, type RawAnswer } from "../suite/clients/http.js";
import type { RunningHttp } from "./transport.js";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect as connectSocket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServer, type RunningServer } from "../server/create-server.js";
import type { HttpDefinition } from "./definition.js";
import { httpEndpoint } from "./endpoint.js";
import { listen } from "./listener.js";
import type { SetLimits } from "../engine/limits.js";
import { createLog } from "../observe/log.js";
import { closeAll } from "../suite/clients/harness.js";
import { sampleServer } from "../samples/server.js";
import { withStoppedClock } from "../samples/stopped-clock.js";
import { patience, until } from "../samples/until.js";
import { drainMs } from "../start/transport.js";

const definition = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const lines: string[] = [];
const running: RunningHttp[] = [];
const { http } = await startSample();
const { port } = new URL(http.url);

test.after(async () => {
  await closeAll();
  await Promise.all(running.map((one) => one.close()));
});

async function startSample(
  limits: SetLimits = {},
): Promise<{ http: RunningHttp; server: RunningServer }> {
  const log = createLog({ write: (line) => void lines.push(line) });
  const server = createServer({ ...sampleServer, limits }, { root: process.cwd(), log });
  const http = await listen(server, [httpEndpoint(server, definition)]);
  running.push(http);
  return { http, server };
}

/** Closes a server. Throws if that took as long as the time limit of calls, which a second timer measures. */
async function closeWithoutWaiting(listening: RunningHttp): Promise<void> {
  const waited = delay(drainMs, "waited for its limit", { ref: false });
  const closed = listening.close().then(() => "closed");
  assert.is(await Promise.race([closed, waited]), "closed");
}

/** Resolves when this number of further calls of the tool `sleep` are running. */
function callsAsleep(count: number): Promise<void> {
  const seen = (): number => lines.filter((line) => line.includes('"sleeping"')).length;
  const wanted = seen() + count;
  return until(() => seen() >= wanted);
}

/** Makes a request that calls `greet`, with parts of it replaced. */
async function greet(
  headers: Record<string, string> = {},
  body?: string | Buffer,
  method = "POST",
): Promise<RawAnswer> {
  const call = modernRequest(http.url, "tools/call", { name: "greet", arguments: { who: "Ada" } });
  const merged = new Headers(call.headers);
  for (const [name, value] of Object.entries(headers)) {
    if (value === "") merged.delete(name);
    else merged.set(name, value);
  }
  const hasBody = method === "POST" || method === "PUT";
  return sendRaw(
    new Request(http.url, {
      method,
      headers: merged,
      ...(hasBody ? { body: body ?? (await call.text()) } : {}),
    }),
  );
}

/** Sends bytes unchanged. Returns everything that is received until the connection closes. */
function sendBytes(...pieces: (string | Buffer)[]): Promise<string> {
  return sendBytesTo(Number(port), ...pieces);
}

function sendBytesTo(port: number, ...pieces: (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(port, "127.0.0.1");
    let received = "";
    socket.on("data", (data: Buffer) => (received += data.toString()));
    socket.on("close", () => resolve(received));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // The server may close the connection while the client is still sending.
      if (error.code !== "EPIPE" && error.code !== "ECONNRESET") reject(error);
    });
    for (const piece of pieces) socket.write(piece);
  });
}

const status = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

/** Makes the request line and headers of a raw request. */
function head(line: string, ...headers: string[]): string {
  return [line, `Host: 127.0.0.1:${port}`, "Connection: close", ...headers, "", ""].join("\r\n");
}

const jsonHeaders = [
  "Content-Type: application/json",
  "Accept: application/json, text/event-stream",
  "MCP-Protocol-Version: 2026-07-28",
  "Mcp-Method: tools/list",
];

for (const era of ["modern", "legacy"] as const) {
  test(`${era}: the official client is served over a socket`, async () => {
    const client = await connectHttp(http.url, era);
    const answer = await client.callTool({ name: "greet", arguments: { who: "Ada" } });
    assert.equal(answer.content, [{ type: "text", text: "Hello, Ada!" }]);
    const reports: number[] = [];
    const onprogress = ({ progress }: { progress: number }): void => void reports.push(progress);
    await client.callTool({ name: "report" }, { onprogress });
    assert.equal(reports, [0, 1]);
  });
}

test("only the exact path is the endpoint", async () => {
  for (const path of ["/", "/MCP", "//mcp", "/mcp%2f", "/mcp/", "/mcp/../admin", "/x/../mcp"]) {
    const answer = await sendBytes(head(`POST ${path} HTTP/1.1`, "Content-Length: 0"));
    assert.is(status(answer), 404, path);
  }
  assert.is(status(await sendBytes(head("POST http://evil.example/mcp HTTP/1.1"))), 404);
  assert.is(status(await sendBytes(`GET /${"a".repeat(1_000_000)} HTTP/1.1\r\n\r\n`)), 414);
});

test("a connection that sends more requests after many refusals is closed", async () => {
  const { http: limited } = await startSample({ ratePerSecond: 3 });
  const flood = "GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".repeat(3_000);
  const answers = await sendBytesTo(Number(new URL(limited.url).port), flood);
  const count = answers.match(/HTTP\/1\.1 (404|429)/g)?.length ?? 0;
  assert.ok(count < 300, `${count} answers`);
});

test("a client that exceeds the rate gets Retry-After, and others are served", async () => {
  const { http: limited } = await startSample({ ratePerSecond: 3 });
  const send = (localAddress: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const options = { method: "POST", localAddress, agent: false } as const;
      request(limited.url, options, (answer) => resolve(answer.resume()))
        .on("error", reject)
        .end();
    });
  const answers: IncomingMessage[] = [];
  await withStoppedClock(async () => {
    answers.push(...(await Promise.all(Array.from({ length: 8 }, () => send("127.0.0.1")))));
  });
  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  assert.is(refused.length, 5, "of eight at once, three may pass");
  for (const { headers } of refused) assert.is(headers["retry-after"], "1");
  assert.is((await send("127.0.0.2")).statusCode, 415, "another client, a request without a type");
  const health = await fetch(new URL("/healthz", limited.url));
  assert.is(health.status, 200, "health is not counted");
});

test("each message of an older client's batch counts as a request", async () => {
  const pings = (length: number): string =>
    JSON.stringify(
      Array.from({ length }, (_, id) => ({ jsonrpc: "2.0", id: id + 1, method: "ping" })),
    );
  const accept = "application/json, text/event-stream";
  const headers = { "content-type": "application/json", accept };
  const statuses = [];
  for (const length of [5, 6, 101]) {
    const { http: limited } = await startSample({ ratePerSecond: 5 });
    const answer = await fetch(limited.url, { method: "POST", headers, body: pings(length) });
    if (answer.ok) assert.is((await answer.text()).split('"result":{}').length, length + 1);
    statuses.push(answer.status);
  }
  assert.equal(statuses, [200, 429, 400], "as many as a second's, one more, and too long a batch");
});

test("everyone can read the health check", async () => {
  const url = new URL("/healthz", http.url);
  const answer = await fetch(url);
  assert.equal([answer.status, await answer.json()], [200, { status: "ok" }]);
  assert.is((await fetch(url, { method: "HEAD" })).status, 200);
  assert.is((await fetch(url, { method: "POST" })).status, 405);
});

test("a server that cannot use one of its items is not healthy", async () => {
  const [first] = sampleServer.tools;
  const broken = { ...first!, handler: () => Promise.reject(new Error("no such module")) };
  const server = createServer(
    { ...sampleServer, tools: [broken] },
    { root: process.cwd(), log: createLog({ write: (line) => void lines.push(line) }) },
  );
  const listening = await listen(server, [httpEndpoint(server, definition)]);
  running.push(listening);
  const url = new URL("/healthz", listening.url);
  assert.is((await fetch(url)).status, 200, "before anything was imported");
  await server.importItems();
  const answer = await fetch(url);
  assert.equal([answer.status, await answer.json()], [503, { status: "broken" }]);
  assert.ok(lines.some((line) => line.includes("no such module")));
});

test("other methods get 405 with Allow, and no CORS", async () => {
  for (const method of ["GET", "PUT", "DELETE", "OPTIONS", "HEAD"]) {
    const { status, headers } = await greet({}, undefined, method);
    assert.is(status, 405, method);
    assert.is(headers.get("allow"), "POST");
    assert.is(headers.get("access-control-allow-origin"), null);
  }
  for (const line of ["TRACE /mcp HTTP/1.1", "CONNECT /mcp HTTP/1.1"]) {
    const answer = await sendBytes(head(line));
    assert.is(status(answer), 405, line);
    assert.match(answer, /Allow: POST/i);
  }
});

test("foreign hosts and origins get 403", async () => {
  const call = head("POST /mcp HTTP/1.1").replace(/Host: [^\r]+/, "Host: evil.example");
  assert.is(status(await sendBytes(call)), 403);
  for (const origin of ["http://evil.example", "null", "http://localhost.evil.com"]) {
    assert.is((await greet({ origin })).status, 403, origin);
  }
  assert.is((await greet({ origin: `http://localhost:${port}` })).status, 200);
});

test("requests with ambiguous headers are refused at every path", async () => {
  const many = Array.from({ length: 200 }, (_none, index) => `X-${index}: a`);
  for (const path of ["/mcp", "/healthz", "/metrics", "/nothing"]) {
    const line = `GET ${path} HTTP/1.1`;
    assert.is(status(await sendBytes(head(line, "Host: evil.example"))), 400, path);
    assert.is(status(await sendBytes(head(line, ...many))), 431, path);
  }
});

test("origins of the manifest get CORS headers, also for preflight requests", async () => {
  const origin = "https://app.example.com";
  const { status, headers } = await greet({ origin });
  assert.equal([status, headers.get("access-control-allow-origin")], [200, origin]);
  const preflight = await sendRaw(
    new Request(http.url, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-headers": "mcp-method" },
    }),
  );
  assert.is(preflight.status, 204);
  assert.is(preflight.headers.get("access-control-allow-headers"), "mcp-method");
});

test("a page of an allowed origin can read the reason of a refusal", async () => {
  const origin = "https://app.example.com";
  const refusals = [
    await greet({ origin }, undefined, "PUT"),
    await greet({ origin, "content-type": "text/plain" }),
    await greet({ origin }, "{"),
    await greet({ origin }, "x".repeat(5_000_000)),
    await sendRaw(new Request(new URL("/nothing", http.url), { headers: { origin } })),
  ];
  for (const { status, headers } of refusals) {
    assert.is(headers.get("access-control-allow-origin"), origin, String(status));
  }
  assert.equal(
    refusals.map(({ status }) => status),
    [405, 415, 400, 413, 404],
  );
});

test("bodies that are not JSON in UTF-8, or not a message, are refused", async () => {
  const invalidUtf8 = Buffer.concat([
    Buffer.from('{"a":"'),
    Buffer.from([0xc3, 0x28]),
    Buffer.from('"}'),
  ]);
  const good = await modernRequest(http.url, "tools/list").text();
  for (const body of [
    "{",
    "",
    "null",
    '""',
    "1",
    "[]",
    "{}",
    invalidUtf8,
    Buffer.from(good, "utf16le"),
    `\ufeff${good}`,
    `${good}\0`,
  ]) {
    const { status, message } = await greet({}, body);
    assert.is(status, 400, String(body).slice(0, 20));
    assert.ok([-32600, -32700].includes(message.error?.code ?? 0), JSON.stringify(message));
    // In the protocol's schema, an id may be absent, but not null.
    assert.not("id" in message, JSON.stringify(message));
  }
  for (const length of [1, 101, 100_000]) {
    const batch = `[${Array.from({ length }, () => good).join(",")}]`.slice(0, 4_000_000);
    assert.is((await greet({}, batch)).status, 400, `batch of ${length}`);
  }
});

test("media types and encodings other than plain JSON get 415", async () => {
  for (const type of [
    "text/plain",
    "application/json;charset=utf-7",
    "application/jsonp",
    "multipart/form-data",
  ]) {
    assert.is((await greet({ "content-type": type })).status, 415, type);
  }
  assert.is((await greet({ "content-type": 'application/json; charset="UTF-8"' })).status, 200);
  assert.is((await greet({ "content-encoding": "gzip" })).status, 415);
  const untyped = head("POST /mcp HTTP/1.1", "Content-Length: 2");
  assert.is(status(await sendBytes(`${untyped}{}`)), 415);
});

test("bodies over the limit get 413, with or without Content-Length", async () => {
  const declared = head("POST /mcp HTTP/1.1", ...jsonHeaders, "Content-Length: 5000000");
  assert.is(status(await sendBytes(declared)), 413);
  const chunked = head("POST /mcp HTTP/1.1", ...jsonHeaders, "Transfer-Encoding: chunked");
  const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  assert.is(status(await sendBytes(chunked, ...Array.from({ length: 80 }, () => chunk))), 413);
});

test("bytes that are not HTTP get 400, and the connection is closed", async () => {
  const length = "Content-Length: 2";
  for (const bytes of [
    head("POST /mcp HTTP/1.1", length, "Transfer-Encoding: chunked"),
    head("POST /mcp HTTP/1.1", length, "Content-Length: 3"),
    head("POST /mcp HTTP/1.1", "X-Fold: a\r\n b"),
    "POST /mcp HTTP/1.1\nHost: localhost\n\n",
    "nonsense\r\n\r\n",
  ]) {
    assert.is(status(await sendBytes(bytes)), 400, bytes);
  }
  assert.is(status(await sendBytes(head("GET /mcp HTTP/1.1", `X: ${"a".repeat(20_000)}`))), 431);
});

test("an upgrade is ignored", async () => {
  const upgrade = [
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  ];
  const request = head("GET /mcp HTTP/1.1", ...upgrade).replace(
    "Connection: close",
    "Connection: Upgrade, close",
  );
  const answer = await sendBytes(request);
  assert.ok([400, 405, 426].includes(status(answer)), answer);
});

test("headers and body must agree on version, method and name", async () => {
  for (const headers of [
    { "mcp-protocol-version": "" },
    { "mcp-protocol-version": "9999-01-01" },
    { "mcp-protocol-version": "2025-11-25" },
    { "mcp-method": "tools/list" },
    { "mcp-method": "" },
    { "mcp-name": "echo" },
    { "mcp-name": "" },
    { "mcp-name": "=?base64?!!?=" },
    { "mcp-name": "greet, greet" },
  ]) {
    const { status, message } = await greet(headers as Record<string, string>);
    assert.is(status, 400, JSON.stringify(headers));
    assert.ok([-32020, -32022].includes(message.error?.code ?? 0), JSON.stringify(message));
  }
  const duplicate = await modernRequest(http.url, "tools/list").text();
  const twice = duplicate.replace(
    '"method":"tools/list"',
    '"method":"tools/list","method":"prompts/list"',
  );
  assert.is((await greet({ "mcp-method": "tools/list", "mcp-name": "" }, twice)).status, 400);
});

test("arguments that are nested 500,000 levels deep are refused", async () => {
  const deep = `${"[".repeat(500_000)}${"]".repeat(500_000)}`;
  const call = await modernRequest(http.url, "tools/call", {
    name: "echo",
    arguments: { a: 0 },
  }).text();
  const { message } = await greet({ "mcp-name": "echo" }, call.replace('"a":0', `"a":${deep}`));
  assert.is(message.error?.code, -32602);
  assert.match(message.error?.message ?? "", /deeper than 64/);
});

test("a client that goes away cancels its call", async () => {
  const second = await startSample({ timeoutMs: patience });
  const gone = new AbortController();
  const request = modernRequest(second.http.url, "tools/call", {
    name: "sleep",
    arguments: { ms: patience },
  });
  const asleep = callsAsleep(1);
  const answer = fetch(request, { signal: gone.signal }).catch(() => "gone");
  await asleep;
  gone.abort();
  assert.is(await answer, "gone");
  // Draining waits until no call is running.
  const drained = await Promise.race([
    second.server.drain(patience).then(() => "idle"),
    delay(patience / 2, "busy", { ref: false }),
  ]);
  assert.is(drained, "idle");
});

test("closing answers running calls, refuses new ones, and ends subscriptions", async () => {
  const second = await startSample();
  const sleeping = modernRequest(second.http.url, "tools/call", {
    name: "sleep",
    arguments: { ms: 300 },
  });
  const asleep = callsAsleep(20);
  const calls = Array.from({ length: 20 }, () => sendRaw(sleeping.clone()));
  const filter = { notifications: { toolsListChanged: true } };
  const subscription = await fetch(modernRequest(second.http.url, "subscriptions/listen", filter));
  const events = subscription.text();
  await asleep;
  await closeWithoutWaiting(second.http);
  for (const { text } of await Promise.all(calls)) assert.match(text, /slept 300 ms/);
  await events;
  const refused = await fetch(second.http.url).catch(() => "refused");
  assert.is(refused, "refused");
});

test("closing cuts uploads that have not ended", async () => {
  const { http: second } = await startSample();
  const { port } = new URL(second.url);
  const length = ["Content-Length: 100", "Expect: 100-continue"];
  const upload = connectSocket(Number(port), "127.0.0.1").on("error", () => undefined);
  const closed = once(upload, "close");
  let answer = "";
  upload.on("data", (data: Buffer) => (answer += data.toString()));
  upload.write(`${head("POST /mcp HTTP/1.1", ...jsonHeaders, ...length)}{`);
  await until(() => answer !== "");
  await closeWithoutWaiting(second);
  await closed;
  assert.is(answer, "HTTP/1.1 100 Continue\r\n\r\n");
});

test("pipelined requests are answered one by one, in their order", async () => {
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
  const from = lines.length;
  const socket = connectSocket(Number(port), "127.0.0.1");
  let answers = "";
  let asleepBeforeAnswer = 0;
  socket.on("data", (data: Buffer) => {
    if (answers === "") {
      asleepBeforeAnswer = lines.slice(from).filter((line) => line.includes('"sleeping"')).length;
    }
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
  await closeWithoutWaiting((await startSample()).http);
});

test("a server that rejects the older eras names the version that it supports", async () => {
  const log = createLog({ write: () => undefined });
  const rejecting = { ...sampleServer, protocol: { legacy: "reject" } } as const;
  const server = createServer(rejecting, { root: process.cwd(), log });
  const http = await listen(server, [httpEndpoint(server, definition)]);
  running.push(http);
  const refused = await connectHttp(http.url, "legacy").then(
    () => "served",
    (error: Error) => error.message,
  );
  assert.match(refused, /2026-07-28|protocol version/i);
  const client = await connectHttp(http.url, "modern");
  assert.is(client.getServerVersion()?.name, "sample");
});

test("the address of a client behind a trusted proxy is known", async () => {
  const log = createLog({ write: () => undefined });
  const server = createServer(
    { ...sampleServer, limits: { ratePerSecond: 1 } },
    { root: process.cwd(), log },
  );
  const http = await listen(server, [httpEndpoint(server, { ...definition, trustProxy: 1 })]);
  running.push(http);
  const status = async (client: string): Promise<number> => {
    const headers = { "x-forwarded-for": `192.0.2.1, ${client}` };
    return (await sendRaw(modernRequest(http.url, "tools/list", {}, headers))).status;
  };
  await withStoppedClock(async () => {
    const statuses = [await status("203.0.113.1"), await status("203.0.113.2")];
    assert.equal(statuses, [200, 200]);
    assert.is(await status("203.0.113.1"), 429);
  });
});

test("no request was logged as a whole", () => {
  for (const line of lines) {
    assert.type(JSON.parse(line).message, "string");
    assert.ok(line.length < 20_000);
  }
});

test.run();
