import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { defaultLimits } from "../../../../../templates/runtime/engine/limits.js";
import { requestBody, textOf, type Answer, type DemoServer } from "./demo-server.js";
import type { Probes } from "./probes.js";

const head = (...headers: readonly string[]): string =>
  [
    "POST /mcp HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    ...headers,
    "",
    "",
  ].join("\r\n");

/** A call of a tool whose arguments are this JSON text. */
const callBody = (name: string, json: string): string =>
  requestBody("tools/call", { name, arguments: "@" }).replace('"@"', () => json);

function sendBody(server: DemoServer, body: string | Buffer, name?: string): Promise<Answer> {
  return name === undefined
    ? server.send("tools/list", {}, { body })
    : server.send("tools/call", { name }, { body });
}

function assertRefused(answer: Answer, status: number, codes: readonly number[], what = ""): void {
  assert.is(answer.status, status, what);
  const code = answer.message.error?.code;
  assert.ok(code !== undefined && codes.includes(code), `${what} ${answer.text.slice(0, 200)}`);
  assert.ok(answer.text.length <= 4_096, `${what}: a short error`);
}

/** Bodies that are not JSON, not a request, too large or too deep. */
export const bodyProbes: Probes = {
  R01: async (server) => assertRefused(await sendBody(server, "{"), 400, [-32700]),
  R02: async (server) => {
    for (const body of ["", "null", '""', "1", "[]"]) {
      assertRefused(await sendBody(server, body), 400, [-32600, -32700], `body ${body}`);
    }
  },
  R03: async (server) => {
    for (const length of [1, 101, 20_000]) {
      const one = requestBody("ping");
      const body = `[${Array(length)
        .fill(length > 1_000 ? "1" : one)
        .join()}]`;
      const answer = await sendBody(server, body);
      assert.is(answer.status, 400, `${length} requests in one body`);
    }
  },
  R04: async (server) => {
    const answer = await server.bytes(head("Content-Length: 5000000"), "{");
    assert.match(answer, /^HTTP\/1\.1 413 /);
  },
  R05: async (server) => {
    const socket = await server.open();
    const answer = server.received(socket);
    socket.write(head("Transfer-Encoding: chunked"));
    // The body goes on after the answer, until the connection is closed. It waits at the limit for the answer, since a
    // write to a closed connection drops what has come from it.
    const chunk = `10000\r\n${"a".repeat(0x10000)}\r\n`;
    const write = (): void => {
      while (socket.writable && socket.write(chunk));
    };
    socket.once("data", () => {
      socket.on("drain", write);
      write();
    });
    const chunksWithinLimit = defaultLimits.bodyBytes / 0x10000;
    for (let count = 0; count <= chunksWithinLimit; count++) socket.write(chunk);
    assert.match(await answer, /^HTTP\/1\.1 413 /);
  },
  R09: async (server) => {
    // A bomb ends at the limit of bodies, and other encodings are not decoded.
    const bomb = gzipSync(Buffer.alloc(20 * defaultLimits.bodyBytes, " "));
    assert.is(
      (await server.send("tools/list", {}, { body: bomb, headers: { "content-encoding": "gzip" } }))
        .status,
      413,
    );
    const answer = await server.send("tools/list", {}, { headers: { "content-encoding": "br" } });
    assert.is(answer.status, 415);
  },
  R10: async (server) => {
    for (const type of ["text/plain", undefined, "application/json;charset=utf-7"]) {
      const answer = await server.send("tools/list", {}, { headers: { "content-type": type } });
      assert.is(answer.status, 415, String(type));
    }
  },
  R11: async (server) => {
    const good = requestBody("tools/list");
    const bodies = [
      Buffer.concat([Buffer.from(good.slice(0, -1)), Buffer.from([0xc3, 0x28]), Buffer.from("}")]),
      Buffer.from(good, "utf16le"),
      Buffer.from(`${good}\0`),
    ];
    for (const [index, body] of bodies.entries()) {
      assert.is((await sendBody(server, body)).status, 400, `body ${index}`);
    }
  },
  R12: async (server) => {
    const nested = "[".repeat(500_000) + "]".repeat(500_000);
    const answer = await sendBody(server, callBody("count", `{"items":${nested}}`), "count");
    assert.is(answer.message.error?.code, -32602, answer.text.slice(0, 200));
  },
  R13: async (server) => {
    const members = Array.from({ length: 150_000 }, (_, index) => `"k${index}":1`);
    const items = `{"items":[${Array(900_000).fill(1).join()}]}`;
    const within = `{${members.slice(0, 49_000).join()}}`;
    const most = await sendBody(server, callBody("count", within), "count");
    assert.ok(most.message.result?.["isError"], most.text.slice(0, 200));
    for (const json of [`{${members.join()}}`, items]) {
      const answer = await sendBody(server, callBody("count", json), "count");
      assert.is(answer.message.error?.code, -32602, answer.text.slice(0, 200));
    }
  },
  R14: async (server) => {
    const wrong = (count: number): string => `{"items":[${Array(count).fill('"x"').join()}]}`;
    const most = await sendBody(server, callBody("count", wrong(45_000)), "count");
    assert.ok(most.message.result?.["isError"], most.text.slice(0, 200));
    assert.ok(most.text.length <= 4_096, "one short error");
    const beyond = await sendBody(server, callBody("count", wrong(300_000)), "count");
    assert.is(beyond.message.error?.code, -32602);
  },
  R15: async (server) => {
    const items = Array.from({ length: 15_000 }, (_, index) => `{"i":${index}}`);
    const unlike = await sendBody(server, callBody("unique", `{"a":[${items.join()}]}`), "unique");
    assert.is(textOf(unlike), "15000");
    const last = `{"a":[${[...items, items[0]].join()}]}`;
    const twice = await sendBody(server, callBody("unique", last), "unique");
    assert.ok(twice.message.result?.["isError"]);
  },
  R18: async (server) => {
    const body = requestBody("tools/call", { name: "count", arguments: { text: "x" } }).replace(
      '"name":"count"',
      '"name":"count","name":"echo"',
    );
    assert.is(textOf(await server.send("tools/call", { name: "echo" }, { body })), "x");
    const other = await server.send("tools/call", { name: "count" }, { body });
    assertRefused(other, 400, [-32020], "the header names what the body does not");
  },
  R19: async (server) => {
    const json = '{"items":[],"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}';
    const answer = await sendBody(server, callBody("count", json), "count");
    assert.is(answer.message.error?.code, -32602);
  },
  R20: async (server) => {
    for (const json of ["[]", '"x"', "1"]) {
      const answer = await sendBody(server, callBody("watch", json), "watch");
      assert.is(answer.message.error?.code, -32602, json);
    }
    assert.ok((await server.send("tools/call", { name: "watch" })).message.result, "absent: none");
  },
  R21: async (server) => {
    const closed = await server.call("echo", { text: "x", more: 1 });
    assert.ok(closed.message.result?.["isError"]);
    assert.is(textOf(await server.call("count", { items: [1], more: 1 })), "1");
  },
};
