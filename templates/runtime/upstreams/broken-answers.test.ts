import type { CallToolResult } from "@modelcontextprotocol/server";
import { createServer, type AddressInfo, type Server } from "node:net";
import { gzipSync } from "node:zlib";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { AnswerMemory } from "../context/answer-memory.js";
import { text } from "../engine/content.js";
import type { GrowingMemory } from "../context/answer-memory.js";
import { ToolError } from "../engine/errors.js";
import { freeMemory } from "../samples/answer-memory.js";
import { caller, sampleEngine } from "../samples/engine.js";
import { closeServers, errorOf, upstreamOf } from "../samples/local-internet.js";
import { erased, tool } from "../samples/server.js";
import type { UpstreamAnswer } from "./answer.js";
import type { Method, Upstream } from "./upstream.js";

/** What becomes of an answer of success that cannot be read to its end: the request was carried out. */

const servers: Server[] = [];

/** The number of requests that the upstream has got. */
let requests = 0;

/** The origin of an upstream that answers each request with these bytes, and then closes the connection or waits. */
async function answering(head: string, body: string | Buffer, ends = true): Promise<string> {
  requests = 0;
  const server = createServer((socket) => {
    socket
      .on("error", () => undefined)
      .once("data", () => {
        requests += 1;
        socket.write(`HTTP/1.1 ${head}\r\n\r\n`);
        socket.write(body);
        if (ends) setTimeout(() => socket.destroy(), 50);
      });
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const JSON_HEAD = "201 Created\r\ncontent-type: application/json\r\ncontent-length: 900";
const PARTIAL = '{"id":"7","note":"hunter2hunter2","items":[{"na';
const SHOWN = PARTIAL.replace("hunter2hunter2", "[masked]");
const BROKE_OFF = "The upstream api broke off the connection.";
const CUT = `[only ${PARTIAL.length} bytes could be read]`;

const logged: unknown[][] = [];

function upstreamAt(origin: string, more: { timeoutMs?: number; memory?: AnswerMemory } = {}) {
  logged.length = 0;
  const { memory, ...settings } = more;
  const retries = { max: 2, on: [503], methods: ["GET", "POST"] as const };
  return upstreamOf(
    { baseUrl: origin, retries, ...settings },
    {
      env: { WORD: "hunter2hunter2" },
      ...(memory !== undefined && { memory }),
      log: { info: () => undefined, warning: (...line) => void logged.push(line) },
    },
  ).upstream;
}

const outputSchema = { type: "object", properties: { id: { type: "string" } } } as const;

/** Calls a tool that posts and gives back what this makes of the answer. */
async function posted(
  upstream: Upstream,
  give: (answer: UpstreamAnswer) => unknown,
  hasSchema = true,
): Promise<CallToolResult> {
  const handler = erased(async () => give(await upstream.post("/orders", { json: {} })));
  const engine = sampleEngine({
    tools: [tool("order", handler, hasSchema ? { outputSchema } : {})],
  });
  return (await engine.tools.call({ name: "order" }, caller)) as CallToolResult;
}

function textsOf({ content }: CallToolResult): string[] {
  return content.map((block) => (block.type === "text" ? block.text : block.type));
}

test("a request that was carried out reaches the model with its status and what there is, and is not repeated", async () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"] as readonly Method[]) {
    const upstream = upstreamAt(await answering(JSON_HEAD, PARTIAL));
    const answer = await upstream.request(method, "/orders", { json: {} });
    assert.is(requests, 1, method);
    assert.is(answer.status, 201);
    assert.is(
      answer.content(),
      `[The upstream answered 201 Created: the request was carried out and needs no repetition. ${BROKE_OFF}]\n${SHOWN}\n${CUT}`,
    );
    assert.equal(logged, [
      [
        "an upstream answered with success, but its answer could not be read to its end",
        { upstream: "api", status: 201, bytes: PARTIAL.length, problem: BROKE_OFF },
      ],
    ]);
  }
});

test("a request that changes nothing is repeated, and then refused as before", async () => {
  const upstream = upstreamAt(await answering(JSON_HEAD, PARTIAL));
  assert.is((await errorOf(upstream.get("/orders"))).message, BROKE_OFF);
  assert.is(requests, 3);
  assert.equal(logged, [
    [
      "a request to an upstream failed",
      { upstream: "api", method: "GET", problem: BROKE_OFF, code: "UND_ERR_SOCKET", retries: 2 },
    ],
  ]);
});

test("a tool with an output schema gives what there is as text with a notice, and a strict one refuses as before", async () => {
  const upstream = upstreamAt(await answering(JSON_HEAD, PARTIAL));
  const shown = await posted(upstream, (answer) => answer.result());
  const notice =
    /^The call was carried out and needs no repetition\. .*\(only 47 bytes of the answer 201 Created could be read: The upstream api broke off the connection\), so it follows as text:$/;
  const [first = "", ...rest] = textsOf(shown);
  assert.match(first, notice);
  assert.equal(rest, [`${SHOWN}\n${CUT}`]);
  assert.is(shown.isError, true);
  const below = await posted(upstream, (answer) => answer.result({ from: "/items" }));
  assert.equal(textsOf(below).slice(1), [`${SHOWN}\n${CUT}`]);
  const strict = await posted(upstream, (answer) => answer.result({ strict: true }));
  assert.equal(strict, { content: [text(BROKE_OFF)], isError: true });
});

test("of an answer whose fields are left out, nothing is shown but its status and its type", async () => {
  const upstream = upstreamAt(await answering(JSON_HEAD, PARTIAL));
  const select = (): unknown => ({ id: "1" });
  for (const options of [{ fields: ["id"] }, { select }, { from: "/items", fields: ["name"] }]) {
    const [notice = "", ...rest] = textsOf(await posted(upstream, (one) => one.result(options)));
    assert.match(notice, "201 Created");
    assert.equal(rest, [
      "201 Created\n[application/json, left out, since this tool shows only a part of answers]",
    ]);
  }
  const bare = await posted(upstream, (answer) => answer.content({ fields: ["id"] }), false);
  assert.equal(textsOf(bare), [
    `[The upstream answered 201 Created: the request was carried out and needs no repetition. ${BROKE_OFF}]`,
  ]);
  assert.not.ok(bare.isError);
});

test("a handler that reads an answer which breaks off gets an error that says what happened", async () => {
  const upstream = upstreamAt(await answering(JSON_HEAD, PARTIAL));
  const answer = await upstream.post("/orders", { json: {} });
  const forms = ["text", "json", "exact", "bytes", "resource"] as const;
  for (const form of forms) {
    assert.throws(
      () => answer[form](),
      ({ message }: Error) =>
        message ===
        `${BROKE_OFF} It had answered 201 Created: the request was carried out and needs no repetition.`,
    );
  }
  const page = { items: "/items", cursor: { query: "c", from: "/next" }, maxPages: 3 };
  const error = await errorOf(upstream.post("/search", { json: {}, pages: page }));
  assert.match(error.message, "the request was carried out and needs no repetition");
});

test("the message about any other unusable answer says that the request was carried out", async () => {
  const head = "200 OK\r\ncontent-type: application/json\r\ncontent-length: 8";
  const upstream = upstreamAt(await answering(head, '{"id":1}'));
  const answer = await upstream.post("/orders", { json: {} });
  assert.throws(() => answer.pick("/key"), /nothing at \/key\. It had answered 200 OK: /);
  assert.throws(
    () => answer.result({ from: "/key", strict: true }),
    ({ message }: Error) => message === "The answer of the upstream api has nothing at /key.",
  );
  const long = await upstream.post("/orders", { json: {}, maxBytes: 4 });
  assert.throws(() => long.json(), /longer than 4 bytes\. It had answered 200 OK: /);
  assert.is(
    long.content({ fields: ["id"] }),
    "[The upstream answered 200 OK: the request was carried out and needs no repetition. The answer of the upstream api is longer than 4 bytes.]",
  );
});

/** Answers of success that cannot be read to their end, with the error of now and what is shown of them. */
const BROKEN: Readonly<
  Record<string, readonly [head: string, body: string | Buffer, problem: string, shown: string]>
> = {
  "sends nothing of it": [JSON_HEAD, "", "broke off the connection", "201 Created"],
  "sends a wrong chunk": [
    "200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked",
    "3\r\nabc\r\nzz\r\n",
    "broke off the connection",
    "abc",
  ],
  "does not compress it": [
    "200 OK\r\ncontent-type: text/plain\r\ncontent-encoding: gzip\r\ncontent-length: 3",
    "abc",
    "does not compress its answer as it says",
    "",
  ],
  "compresses it in an unknown way": [
    "200 OK\r\ncontent-type: text/plain\r\ncontent-encoding: zstd\r\ncontent-length: 3",
    "abc",
    "compresses its answer in a way that was not asked for",
    "",
  ],
  "breaks off what it compresses": [
    "200 OK\r\ncontent-type: text/plain\r\ncontent-encoding: gzip\r\ncontent-length: 900",
    gzipSync(Buffer.alloc(5_000, "abcdefgh")).subarray(0, -12),
    "broke off the connection",
    "abcdefgh",
  ],
  "breaks off an image": [
    "200 OK\r\ncontent-type: image/png\r\ncontent-length: 900",
    Buffer.from([255, 0, 1]),
    "broke off the connection",
    "200 OK\n[image/png, left out]",
  ],
};

for (const [name, [head, body, problem, shown]] of Object.entries(BROKEN)) {
  test(`an upstream that answers with success and ${name} does not invite a second request`, async () => {
    const upstream = upstreamAt(await answering(head, body));
    const answer = await upstream.post("/orders", { json: {} });
    const lines = String(answer.content()).split("\n");
    const status = head.slice(0, head.indexOf("\r"));
    assert.is(
      lines[0],
      `[The upstream answered ${status}: the request was carried out and needs no repetition. The upstream api ${problem}.]`,
    );
    assert.ok(lines.slice(1).join("\n").startsWith(shown), lines.join("\n"));
    assert.match(lines.at(-1) ?? "", /^\[only \d+ bytes could be read\]$/);
    assert.is(requests, 1);
  });
}

test("an answer whose rest does not come in time counts as carried out, and a cancelled call does not", async () => {
  const origin = await answering(JSON_HEAD, PARTIAL, false);
  const answer = await upstreamAt(origin, { timeoutMs: 200 }).post("/orders", { json: {} });
  assert.match(String(answer.content()), "The upstream api did not answer within 200 ms.]");
  const { upstream, cancel } = upstreamOf({ baseUrl: origin });
  setTimeout(() => cancel(new Error("enough")), 100);
  assert.is((await errorOf(upstream.post("/orders"))).message, "enough");
});

test("an answer for which there is no memory counts as carried out, and shows no more than what needs none", async () => {
  const body = Buffer.alloc(3_000_000, "x");
  const head = `200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}`;
  const refusal = "The server has no memory for a long answer now.";
  const full: GrowingMemory = {
    growTo: () => Promise.reject(new ToolError(refusal)),
    finish: () => undefined,
  };
  const memory = { ...freeMemory, growing: () => full };
  const upstream = upstreamAt(await answering(head, body), { memory });
  const answer = await upstream.post("/orders", { maxBytes: 10_000_000 });
  const shown = String(answer.content());
  assert.match(shown, `needs no repetition. ${refusal}]\nxxx`);
  assert.ok(shown.length < 33_500, String(shown.length));
});

test("an error status is an error, whatever becomes of its body", async () => {
  const head = "500 Internal Server Error\r\ncontent-length: 900";
  const upstream = upstreamAt(await answering(head, "{"));
  assert.is((await errorOf(upstream.delete("/orders"))).message, BROKE_OFF);
});

test.after(async () => {
  await closeServers();
  for (const server of servers) server.close();
});

test.run();
