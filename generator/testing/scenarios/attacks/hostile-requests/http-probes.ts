import * as assert from "uvu/assert";
import { DemoServer, requestBody, type Answer } from "./demo-server.js";
import type { Probes } from "./probes.js";
import { watchedBy } from "./watched.js";

const status = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

const list = (server: DemoServer, headers: Readonly<Record<string, string | undefined>>) =>
  server.send("tools/list", {}, { headers });

function assertCode(answer: Answer, httpStatus: number, codes: readonly number[], what: string) {
  assert.is(answer.status, httpStatus, `${what}: ${answer.text.slice(0, 200)}`);
  assert.ok(
    codes.includes(answer.message.error?.code ?? 0),
    `${what}: ${answer.text.slice(0, 200)}`,
  );
}

/** Everything around the body: headers, paths, methods, HTTP itself. */
export const httpProbes: Probes = {
  R26: async (server) => {
    for (const version of [undefined, "9999-01-01", "2025-11-25"]) {
      const answer = await list(server, { "mcp-protocol-version": version });
      assertCode(answer, 400, [-32020, -32022], `version ${version}`);
    }
  },
  R27: async (server) => {
    const call = (headers: Readonly<Record<string, string | readonly string[]>>) =>
      server.call("echo", { text: "x" }, { headers });
    const wrong = {
      "another name": { "mcp-name": "count" },
      "another method": { "mcp-method": "tools/list" },
      "a bad sentinel": { "mcp-name": "=?base64?@@@?=" },
      "two names": { "mcp-name": ["echo", "count"] },
    };
    for (const [what, headers] of Object.entries(wrong)) {
      assertCode(await call(headers), 400, [-32020], what);
    }
  },
  R29: async (server) => {
    const foreign = [
      "http://evil.example",
      "null",
      "http://localhost.evil.com",
      "http://127.0.0.1.nip.io",
      "http://[2001:db8::1]",
      "http://localhost.",
      "http://user@localhost",
      "http://localhost@evil.example",
      "http://localhost/path",
      "",
    ];
    for (const origin of foreign) {
      assert.is((await list(server, { origin })).status, 403, origin);
    }
    for (const origin of ["HTTP://LOCALHOST", "http://127.0.0.1:9", "http://[::1]:80"]) {
      assert.is((await list(server, { origin })).status, 200, origin);
    }
  },
  R31: async (server) => {
    for (const method of ["GET", "PUT", "DELETE", "OPTIONS", "HEAD"]) {
      const answer = await server.request({ method });
      assert.is(answer.status, 405, method);
      assert.match(String(answer.headers["allow"]), /POST/);
      assert.is(answer.headers["access-control-allow-origin"], undefined);
    }
    if (!(server instanceof DemoServer)) return;
    for (const line of ["TRACE /mcp", "CONNECT /mcp", "CONNECT evil.example:443"]) {
      const answer = await server.bytes(
        `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      assert.is(status(answer), 405, line);
    }
  },
  R32: async (server) => {
    for (const path of ["/mcp/../admin", "/MCP", "//mcp", "/mcp%2f", "/", "/%"]) {
      assert.is((await server.request({ path })).status, 404, path);
    }
    if (!(server instanceof DemoServer)) return;
    const long = await server.bytes(`POST /${"a".repeat(1_000_000)} HTTP/1.1\r\n\r\n`);
    assert.ok([404, 414].includes(status(long)), long.slice(0, 100));
  },
  R33: async (server) => {
    const start = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    const smuggled = "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const malformed = {
      "length and encoding": `${start}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${smuggled}`,
      "two lengths": `${start}Content-Length: 4\r\nContent-Length: 5\r\n\r\n${smuggled}`,
      "a folded header": `${start}X-A: a\r\n b\r\nContent-Length : 0\r\n\r\n`,
      "a bare line feed": "POST /mcp HTTP/1.1\nHost: localhost\nContent-Length : 0\n\n",
    };
    for (const [what, bytes] of Object.entries(malformed)) {
      const answer = await server.bytes(bytes);
      assert.is(status(answer), 400, `${what}: ${answer.slice(0, 200)}`);
      assert.is(answer.match(/HTTP\/1\.1/g)?.length, 1, `${what}: one answer`);
    }
    const one = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n";
    const answers = await server.bytes(
      `${one}\r\n`.repeat(999) + `${one}Connection: close\r\n\r\n`,
    );
    assert.is(answers.match(/HTTP\/1\.1 200/g)?.length, 1_000, "pipelining is allowed");
  },
  R34: async (server) => {
    const upgrades = [
      ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"],
      ["Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMAAABkAAQAAP__"],
    ];
    for (const headers of upgrades) {
      const lines = ["GET /mcp HTTP/1.1", "Host: localhost", ...headers, "", ""];
      const socket = await server.open();
      const answer = server.received(socket);
      socket.end(lines.join("\r\n"));
      assert.ok([400, 405, 426].includes(status(await answer)), await answer);
    }
  },
  R71: async (server) => {
    const upgrade = (path: string): string =>
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
    const { sockets: before } = watchedBy(await server.call("watch", {}));
    const refused = await server.bytes(upgrade("/nowhere").repeat(1_022));
    assert.is(refused.match(/HTTP\/1\.1 /g)?.length, 1, "one answer, and the end");
    assert.is(status(refused), 404, refused.slice(0, 200));
    // Behind a call that runs, the upgrade waits, and the answer to the call comes whole.
    const body = requestBody("tools/call", { name: "wait", arguments: { ms: 100 } });
    const headers = {
      ...{ host: "localhost", "content-type": "application/json" },
      accept: "application/json, text/event-stream",
      ...{ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "wait" },
      "content-length": body.length,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const call = ["POST /mcp HTTP/1.1", ...lines, "", body].join("\r\n");
    const answers = await server.bytes(call + upgrade("/mcp").repeat(100));
    assert.match(answers, /"result"/, answers.slice(0, 500));
    const seen = await server.call("watch", {});
    assert.is(seen.status, 200, "others are served");
    assert.ok(watchedBy(seen).sockets <= before + 2, `${watchedBy(seen).sockets} connections`);
  },
  R74: async (server) => {
    const filler = Array.from({ length: 1_100 }, (_none, index) => [`x-${index}`, "a"]);
    for (const last of [{ origin: "http://evil.example" }, { authorization: "Bearer other" }]) {
      const headers = { ...Object.fromEntries(filler), ...last } as Record<string, string>;
      assert.is((await list(server, headers)).status, 431);
    }
  },
  R75: async (server) => {
    for (const line of [
      "Host: evil.example",
      "Origin: http://localhost\r\nOrigin: http://evil.example",
      "Mcp-Session-Id: a\r\nMcp-Session-Id: b",
      "Content-Type: application/json\r\nContent-Type: text/plain",
    ]) {
      const start = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
      assert.is(status(await server.bytes(`${start}${line}\r\n\r\n`)), 400, line);
    }
  },
};
