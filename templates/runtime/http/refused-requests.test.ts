import { test } from "uvu";
import * as assert from "uvu/assert";
import { HttpServers } from "../samples/http-servers.js";
import { jsonHeaders, RawClient, statusOf } from "../samples/raw-client.js";
import { modernRequest } from "../suite/clients/http.js";

const servers = new HttpServers();
test.after(() => servers.close());
const { http } = await servers.start();
const raw = new RawClient(http.url);

test("only the exact path, or one slash more, is the endpoint", async () => {
  for (const path of ["/", "/MCP", "//mcp", "/mcp%2f", "/mcp//", "/mcp/../admin", "/x/../mcp"]) {
    const answer = await raw.sendBytes(raw.head(`POST ${path} HTTP/1.1`, "Content-Length: 0"));
    assert.is(statusOf(answer), 404, path);
  }
  assert.is(statusOf(await raw.sendBytes(raw.head("POST http://evil.example/mcp HTTP/1.1"))), 404);
  assert.is(statusOf(await raw.sendBytes(`GET /${"a".repeat(1_000_000)} HTTP/1.1\r\n\r\n`)), 414);
});

test("other methods get 405 with Allow, and no CORS", async () => {
  for (const method of ["GET", "PUT", "DELETE", "OPTIONS", "HEAD"]) {
    const { status, headers } = await raw.greet({}, undefined, method);
    assert.is(status, 405, method);
    assert.is(headers.get("allow"), "POST");
    assert.is(headers.get("access-control-allow-origin"), null);
  }
  for (const line of ["TRACE /mcp HTTP/1.1", "CONNECT /mcp HTTP/1.1"]) {
    const answer = await raw.sendBytes(raw.head(line));
    assert.is(statusOf(answer), 405, line);
    assert.match(answer, /Allow: POST/i);
  }
});

test("requests with ambiguous headers are refused at every path", async () => {
  const many = Array.from({ length: 200 }, (_none, index) => `X-${index}: a`);
  for (const path of ["/mcp", "/healthz", "/metrics", "/nothing"]) {
    const line = `GET ${path} HTTP/1.1`;
    assert.is(statusOf(await raw.sendBytes(raw.head(line, "Host: evil.example"))), 400, path);
    assert.is(statusOf(await raw.sendBytes(raw.head(line, ...many))), 431, path);
  }
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
    `${good}\0`,
  ]) {
    const { status, message } = await raw.greet({}, body);
    assert.is(status, 400, String(body).slice(0, 20));
    assert.ok([-32600, -32700].includes(message.error?.code ?? 0), JSON.stringify(message));
    // In the protocol's schema, an id may be absent, but not null.
    assert.not("id" in message, JSON.stringify(message));
  }
  for (const length of [1, 101, 100_000]) {
    const batch = `[${Array.from({ length }, () => good).join(",")}]`.slice(0, 4_000_000);
    assert.is((await raw.greet({}, batch)).status, 400, `batch of ${length}`);
  }
});

test("media types and encodings other than plain JSON get 415", async () => {
  for (const type of [
    "text/plain",
    "application/json;charset=utf-7",
    "application/jsonp",
    "multipart/form-data",
  ]) {
    assert.is((await raw.greet({ "content-type": type })).status, 415, type);
  }
  assert.is((await raw.greet({ "content-type": 'application/json; charset="UTF-8"' })).status, 200);
  assert.is((await raw.greet({ "content-encoding": "br" })).status, 415);
  const untyped = raw.head("POST /mcp HTTP/1.1", "Content-Length: 2");
  assert.is(statusOf(await raw.sendBytes(`${untyped}{}`)), 415);
});

test("bodies over the limit get 413, with or without Content-Length", async () => {
  const declared = raw.head("POST /mcp HTTP/1.1", ...jsonHeaders, "Content-Length: 5000000");
  assert.is(statusOf(await raw.sendBytes(declared)), 413);
  const chunked = raw.head("POST /mcp HTTP/1.1", ...jsonHeaders, "Transfer-Encoding: chunked");
  const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  assert.is(
    statusOf(await raw.sendBytes(chunked, ...Array.from({ length: 80 }, () => chunk))),
    413,
  );
});

test("bytes that are not HTTP get 400, and the connection is closed", async () => {
  const length = "Content-Length: 2";
  for (const bytes of [
    raw.head("POST /mcp HTTP/1.1", length, "Transfer-Encoding: chunked"),
    raw.head("POST /mcp HTTP/1.1", length, "Content-Length: 3"),
    raw.head("POST /mcp HTTP/1.1", "X-Fold: a\r\n b"),
    "POST /mcp HTTP/1.1\nHost: localhost\n\n",
    "nonsense\r\n\r\n",
  ]) {
    assert.is(statusOf(await raw.sendBytes(bytes)), 400, bytes);
  }
  assert.is(
    statusOf(await raw.sendBytes(raw.head("GET /mcp HTTP/1.1", `X: ${"a".repeat(20_000)}`))),
    431,
  );
});

test("an upgrade is ignored", async () => {
  const upgrade = [
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  ];
  const request = raw
    .head("GET /mcp HTTP/1.1", ...upgrade)
    .replace("Connection: close", "Connection: Upgrade, close");
  const answer = await raw.sendBytes(request);
  assert.ok([400, 405, 426].includes(statusOf(answer)), answer);
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
    const { status, message } = await raw.greet(headers as Record<string, string>);
    assert.is(status, 400, JSON.stringify(headers));
    assert.ok([-32020, -32022].includes(message.error?.code ?? 0), JSON.stringify(message));
  }
  const duplicate = await modernRequest(http.url, "tools/list").text();
  const twice = duplicate.replace(
    '"method":"tools/list"',
    '"method":"tools/list","method":"prompts/list"',
  );
  assert.is((await raw.greet({ "mcp-method": "tools/list", "mcp-name": "" }, twice)).status, 400);
});

test("arguments that are nested 500,000 levels deep are refused", async () => {
  const deep = `${"[".repeat(500_000)}${"]".repeat(500_000)}`;
  const call = await modernRequest(http.url, "tools/call", {
    name: "echo",
    arguments: { a: 0 },
  }).text();
  const { message } = await raw.greet({ "mcp-name": "echo" }, call.replace('"a":0', `"a":${deep}`));
  assert.is(message.error?.code, -32602);
  assert.match(message.error?.message ?? "", /deeper than 64/);
});

test("no request was logged as a whole", () => {
  for (const line of servers.lines) {
    assert.type(JSON.parse(line).message, "string");
    assert.ok(line.length < 20_000);
  }
});

test.run();
