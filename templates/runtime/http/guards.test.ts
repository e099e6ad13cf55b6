import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { HttpDefinition } from "./definition.js";
import { isOriginPattern } from "./allowed-origins.js";
import { headersProblem, HttpGuards, isLoopback } from "./guards.js";

const http: HttpDefinition = {
  type: "http",
  host: "127.0.0.1",
  port: 3000,
  path: "/mcp",
  sessions: "none",
  resumable: false,
  cors: true,
  trustProxy: 0,
  health: "/healthz",
  allowedHosts: ["MCP.example.com", "fd00::1"],
  allowedOrigins: ["https://app.example.com", "http://tools.example.com:8080"],
};
const guards = new HttpGuards(http);

test("a host name that begins like a loopback address does not count as one", () => {
  for (const host of ["localhost", "LOCALHOST", "127.0.0.1", "127.1.2.255", "::1", "[::1]"])
    assert.ok(isLoopback(host), host);
  for (const host of ["127.example.com", "127.0.0.1.example.com", "127.0.0.256", "0.0.0.0", "::"])
    assert.not.ok(isLoopback(host), host);
});

test("the allowed hosts are the loopback names, the host of the listener, and those of the manifest, on any port", () => {
  const good = [
    "localhost",
    "LOCALHOST:3000",
    "127.0.0.1:1",
    "[::1]:3000",
    "mcp.example.com:443",
    "[fd00::1]",
  ];
  for (const host of good) assert.ok(guards.allowsHost(host), host);
  const bad = [
    undefined,
    "",
    "evil.example",
    "localhost.evil.com",
    "127.0.0.1.nip.io",
    "localhost.",
    "evil.example@localhost",
    "localhost@evil.example",
    "localhost/x",
    "localhost\\x",
    "localhost:99999",
    "local host",
    "0.0.0.0",
    "[::ffff:127.0.0.1]",
  ];
  for (const host of bad) assert.not(guards.allowsHost(host), String(host));
  assert.ok(new HttpGuards({ ...http, host: "::2" }).allowsHost("[::2]:80"));
});

test("the allowed origins are loopback and exactly those of the manifest; requests without one are allowed", () => {
  const good = [
    undefined,
    "http://localhost",
    "HTTP://LOCALHOST",
    "http://localhost:6274",
    "https://127.0.0.1:8443",
    "http://[::1]",
    "https://app.example.com",
    "https://app.example.com:443",
    "http://tools.example.com:8080",
  ];
  for (const origin of good) assert.ok(guards.allowsOrigin(origin), String(origin));
  const bad = [
    "",
    "null",
    "http://evil.example",
    "http://localhost.evil.com",
    "http://127.0.0.1.nip.io",
    "http://localhost.",
    "http://user@localhost",
    "http://localhost@evil.example",
    "http://localhost/path",
    "file://localhost",
    "http://app.example.com",
    "https://app.example.com:444",
    "https://sub.app.example.com",
    "http://tools.example.com",
    "http://localhost, http://evil.example",
  ];
  for (const origin of bad) assert.not(guards.allowsOrigin(origin), origin);
});

test("a pattern allows any port of a loopback name or any id of an app, and nothing else", () => {
  const patterns = [
    "http://localhost:*",
    "https://[::1]:*",
    "vscode-webview://*",
    "tauri://localhost",
  ];
  const some = new HttpGuards({ ...http, allowedOrigins: patterns });
  const cors = (origin: string): string | undefined =>
    some.corsHeaders(origin)["access-control-allow-origin"];
  for (const origin of [
    "http://localhost:6274",
    "https://[::1]:8443",
    "vscode-webview://1a2b-3c.d_e",
    "VSCODE-WEBVIEW://1A2B",
    "tauri://localhost",
  ]) {
    assert.ok(some.allowsOrigin(origin), origin);
    assert.is(cors(origin), origin);
  }
  for (const origin of [
    "null",
    "vscode-webview://a/b",
    "vscode-webview://a@b",
    "vscode-webview://",
    "xvscode-webview://a",
    "vscode-webviewx://a",
    "http://localhost:6274.evil.example",
    "http://localhost:x",
    "http://xlocalhost:1",
    "tauri://localhost:1",
    "tauri://other",
    "chrome-extension://abc",
  ]) {
    assert.not(some.allowsOrigin(origin), origin);
    assert.is(cors(origin), undefined, origin);
  }
  assert.is(cors("http://127.0.0.1:6274"), undefined, "a loopback name that no pattern has");
  const wild = [
    "*",
    "null",
    "http://*",
    "https://*.example.com:*",
    "file://*",
    "http://evil.example:*",
  ];
  for (const entry of wild) assert.not(isOriginPattern(entry), entry);
});

test("the page calls its own server, also behind a proxy that ends TLS at another port", () => {
  const paged = new HttpGuards({ ...http, page: { public: true } });
  const origin = "https://mcp.example.com:8443";
  const sameOrigin = { "sec-fetch-site": "same-origin" as const };
  for (const [headers, isAllowed] of [
    [{ host: "mcp.example.com:8443" }, true],
    [{ host: "MCP.example.com", ...sameOrigin }, true],
    [{ host: "mcp.example.com:3000", ...sameOrigin }, true],
    [{ host: "mcp.example.com" }, false],
    [{ host: "mcp.example.com", "sec-fetch-site": "same-site" as const }, false],
    [{ host: "other.example.com", ...sameOrigin }, false],
  ] as const) {
    assert.is(paged.allowsOrigin(origin, headers), isAllowed, JSON.stringify(headers));
    assert.not(guards.allowsOrigin(origin, headers), "without a page");
  }
  const insecure = { host: "mcp.example.com", ...sameOrigin };
  assert.not(paged.allowsOrigin("http://mcp.example.com:8443", insecure));
});

test("CORS headers go to the manifest's origins only", () => {
  const cors = guards.corsHeaders("https://app.example.com");
  assert.is(cors["access-control-allow-origin"], "https://app.example.com");
  assert.equal(guards.corsHeaders("http://localhost:6274"), {});
  assert.equal(guards.corsHeaders(undefined), {});
  assert.is(guards.preflightHeaders("http://localhost", "x", ["POST"]), undefined);
  const preflight = guards.preflightHeaders("https://app.example.com", "mcp-method, mcp-name", [
    "GET",
    "POST",
  ]);
  assert.is(preflight?.["access-control-allow-headers"], "mcp-method, mcp-name");
  assert.is(preflight?.["access-control-allow-methods"], "GET, POST");
  const without = new HttpGuards({ ...http, cors: false });
  assert.ok(without.allowsOrigin("https://app.example.com"));
  assert.equal(without.corsHeaders("https://app.example.com"), {});
});

/** Returns the status with which these headers, as Node.js parses them, are refused; undefined if they are accepted. */
async function refusalOf(...headers: string[]): Promise<number | undefined> {
  let status: number | undefined;
  const server = createServer((request, response) => {
    status = headersProblem(request)?.status;
    response.end();
  });
  // This is the setting of the listener. By default, Node.js 22 and later refuse more than a thousand headers.
  server.maxHeadersCount = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const lines = ["GET / HTTP/1.1", "Host: localhost", "Connection: close", ...headers, "", ""];
  const socket = connect(port, "127.0.0.1").resume();
  socket.write(lines.join("\r\n"));
  await once(socket, "close");
  server.close();
  return status;
}

const filler = (count: number): string[] => Array.from({ length: count }, (_, n) => `X-${n}: a`);

test("a request may have at most 200 headers, so that none is ignored", async () => {
  assert.is(await refusalOf(...filler(198)), undefined);
  assert.is(await refusalOf(...filler(199)), 431);
  assert.is(await refusalOf(...filler(1_100), "Origin: http://evil.example"), 431);
});

test("headers that decide whether a request is accepted must occur once", async () => {
  assert.is(await refusalOf("host: evil.example"), 400);
  for (const name of ["Origin", "Authorization", "Content-Type", "MCP-Session-Id"]) {
    assert.is(await refusalOf(`${name}: a`), undefined, name);
    assert.is(await refusalOf(`${name}: a`, `${name.toLowerCase()}: a`), 400, name);
  }
  assert.is(
    await refusalOf("Accept: a", "accept: b", "X-Forwarded-For: 1", "X-Forwarded-For: 2"),
    undefined,
  );
});

test.run();
