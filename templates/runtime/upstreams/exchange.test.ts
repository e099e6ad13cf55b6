import { createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { AnswerMemory } from "../context/answer-memory.js";
import { ToolError } from "../engine/errors.js";
import { freeMemory } from "../samples/answer-memory.js";
import { until } from "../samples/until.js";
import { closeServers, errorOf, TestServer, upstreamOf } from "../samples/local-internet.js";

/** Answers that are too long, by their names. An endless answer sends `body` and then stays open. */
const TOO_MUCH: Readonly<
  Record<string, readonly [headers: Record<string, string>, body: Buffer, isEndless: boolean]>
> = {
  "longer than allowed": [{}, Buffer.alloc(2_000, "x"), false],
  "longer than it says": [{ "content-length": "100000000" }, Buffer.alloc(2_000, "x"), true],
  endless: [{}, Buffer.alloc(2_000, "x"), true],
  "a gzip bomb": [{ "content-encoding": "gzip" }, gzipSync(Buffer.alloc(50_000_000)), false],
  "a brotli bomb": [
    { "content-encoding": "br" },
    brotliCompressSync(Buffer.alloc(5_000_000)),
    false,
  ],
  "a deflate bomb": [
    { "content-encoding": "deflate" },
    deflateSync(Buffer.alloc(50_000_000)),
    false,
  ],
  "a bomb that breaks off": [
    { "content-encoding": "gzip" },
    gzipSync(Buffer.alloc(50_000_000)).subarray(0, 20_000),
    false,
  ],
};

for (const [name, [headers, body, isEndless]] of Object.entries(TOO_MUCH)) {
  test(`an answer that is ${name} is refused, or cut`, async () => {
    const server = await TestServer.open((_seen, _request, response) => {
      response.writeHead(200, { "content-type": "text/plain", ...headers });
      if (isEndless) response.write(body);
      else response.end(body);
    });
    const { upstream } = upstreamOf({ baseUrl: server.origin });
    const error = await errorOf(upstream.get("/", { maxBytes: 1_000 }));
    assert.is(error.message, "The answer of the upstream api is longer than 1000 bytes.");
    const cut = await upstream.get("/", { maxBytes: 1_000, truncate: true });
    assert.match(String(cut.content()), /\n\[cut after 1000 bytes\]$/);
    assert.throws(() => cut.json(), "longer than");
  });
}

const UNSAFE = ["post", "put", "patch", "delete"] as const;

test("a request that may have changed something keeps the answer that is too long, for models only", async () => {
  const server = await TestServer.open((_seen, _request, response) => {
    response.writeHead(201, { "content-type": "application/json" }).end(`["${"x".repeat(2_000)}"]`);
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  const refusal = "The answer of the upstream api is longer than 1000 bytes.";
  for (const method of UNSAFE) {
    const answer = await upstream[method]("/", { maxBytes: 1_000 });
    const cut = `["${"x".repeat(998)}\n[cut after 1000 bytes]`;
    assert.is(answer.content(), cut);
    const carriedOut = "answered 201 Created: the request was carried out and needs no repetition.";
    const notice = `[The upstream ${carriedOut} ${refusal}]`;
    assert.is(answer.content({ from: "/0" }), `${notice}\n${cut}`);
    assert.is(answer.content({ fields: ["name"] }), notice);
    const refused = `${refusal} It had ${carriedOut}`;
    for (const [form, message] of [
      [() => answer.text(), refused],
      [() => answer.json(), refused],
      [() => answer.exact(), refused],
      [() => answer.bytes(), refused],
      [() => answer.resource(), refused],
      [() => answer.result({ strict: true }), refusal],
    ] as const) {
      assert.throws(
        form,
        (error: Error) => error instanceof ToolError && error.message === message,
      );
    }
  }
  assert.is((await errorOf(upstream.get("/", { maxBytes: 1_000 }))).message, refusal);
});

test("an endless answer with an error status is an error", async () => {
  const server = await TestServer.open((_seen, _request, response) => {
    response
      .writeHead(500, { "content-type": "application/json" })
      .write(Buffer.alloc(100_000, "x"));
  });
  const answer = await upstreamOf({ baseUrl: server.origin }).upstream.get("/");
  assert.is(answer.failure().message, "The upstream api answered 500 Internal Server Error.");
});

test("answers are decompressed, and an unknown compression is refused", async () => {
  const compressed = {
    gzip: gzipSync('"g"'),
    br: brotliCompressSync('"b"'),
    deflate: deflateSync('"d"'),
    zstd: Buffer.from("z"),
    "gzip, gzip": gzipSync(gzipSync('"x"')),
  };
  const server = await TestServer.open(({ url }, _request, response) => {
    const encoding = decodeURIComponent(url.slice(1)) as keyof typeof compressed;
    response.writeHead(200, { "content-encoding": encoding }).end(compressed[encoding]);
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  for (const encoding of ["gzip", "br", "deflate"]) {
    assert.is((await upstream.get(`/${encoding}`)).json(), encoding.charAt(0));
  }
  for (const encoding of ["zstd", "gzip%2C%20gzip"]) {
    assert.match((await errorOf(upstream.get(`/${encoding}`))).message, "was not asked for");
  }
});

/** The problem of an upstream that is too slow. */
const TOO_SLOW = "did not answer within 200 ms";

/** What a TCP server sends: one chunk each 20 ms, whether it then closes the connection, and the expected message. */
const SLOW_OR_BROKEN: Readonly<
  Record<string, readonly [chunks: readonly string[], ends: boolean, message: string]>
> = {
  "nothing at all": [[], false, TOO_SLOW],
  "its headers letter by letter": [
    [..."HTTP/1.1 200 OK\r\nx-slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
    false,
    TOO_SLOW,
  ],
  "its body letter by letter": [
    ["HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n", ..."a".repeat(100)],
    false,
    TOO_SLOW,
  ],
  "half of its body": [
    ["HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\naaa"],
    true,
    "broke off the connection",
  ],
  "half of its headers": [["HTTP/1.1 200 OK\r\nx"], true, "broke off the connection"],
  "nothing, and ends": [[], true, "broke off the connection"],
  "no HTTP": [["SSH-2.0-OpenSSH_9.6\r\n"], false, "broke off the connection"],
  "two lengths": [
    ["HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    false,
    "broke off the connection",
  ],
  "a wrong chunk": [
    ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"],
    false,
    "broke off the connection",
  ],
  "endless headers": [
    ["HTTP/1.1 200 OK\r\n", `x: ${"a".repeat(50_000)}`],
    false,
    "broke off the connection",
  ],
  "a body that is no gzip": [
    ["HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc"],
    false,
    "does not compress its answer as it says",
  ],
};

for (const [name, [chunks, ends, message]] of Object.entries(SLOW_OR_BROKEN)) {
  test(`an upstream that sends ${name} is an error`, async () => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined).resume();
      let next = 0;
      const timer = setInterval(() => {
        const chunk = chunks[next++];
        if (chunk !== undefined) socket.write(chunk);
        else if (ends) socket.destroy();
      }, 20);
      socket.on("close", () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const { port } = server.address() as AddressInfo;
    const timeoutMs = message === TOO_SLOW ? 200 : 30_000;
    const { upstream } = upstreamOf({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs });
    try {
      const error = await errorOf(upstream.get("/"));
      assert.is(error.message, `The upstream api ${message}.`);
    } finally {
      server.close();
    }
  });
}

test("an answer without a body is valid, whatever compression it names", async () => {
  const server = await TestServer.open(({ url }, _request, response) => {
    const [, status = "200", encoding = "gzip"] = url.split("/");
    const headers = { "content-encoding": encoding, "content-type": "application/json" };
    response.writeHead(Number(status), headers).end();
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  for (const encoding of ["gzip", "br", "deflate"]) {
    const answers = [
      await upstream.head(`/200/${encoding}`),
      await upstream.get(`/200/${encoding}`),
      await upstream.get(`/204/${encoding}`),
    ];
    assert.equal(
      answers.map((answer) => (answer.content() as { text?: string }).text),
      ["200 OK", "200 OK", "204 No Content"],
    );
  }
});

test.after(() => closeServers());

test("a long answer is read when its memory is reserved", async () => {
  const body = Buffer.alloc(5_000_000, "x");
  // Longer than what the buffers of a connection on Linux hold: 4 MB to send, and 33 MB of what has come.
  const long = Buffer.alloc(64_000_000, "x");
  let socket: Socket | undefined;
  const server = await TestServer.open(({ url }, request, response) => {
    socket = request.socket;
    const isShort = url === "/short";
    const isCompressed = url === "/compressed";
    const plain = isShort ? long.subarray(0, 1_000) : long;
    response.writeHead(200, {
      "content-type": "text/plain",
      ...(isCompressed ? { "content-encoding": "gzip" } : { "content-length": plain.length }),
    });
    response.end(isCompressed ? gzipSync(body) : plain);
  });
  const reserved: number[] = [];
  const finished: number[] = [];
  let grant = (): void => undefined;
  const memory: AnswerMemory = {
    ...freeMemory,
    growing: () => ({
      growTo: async (bytes) => {
        reserved.push(bytes);
        await new Promise<void>((resolve) => (grant = resolve));
      },
      finish: (actual) => void finished.push(actual),
    }),
  };
  const { upstream } = upstreamOf({ baseUrl: server.origin }, { memory });
  const options = { maxBytes: 80_000_000 };
  await upstream.get("/short", options);
  assert.equal(reserved, [], "a short answer needs no memory");

  const whole = upstream.get("/whole", options);
  await until(() => reserved.length === 1);
  await delay(300);
  assert.ok((socket?.bytesWritten ?? 0) > 0 && (socket?.writableLength ?? 0) > 0, "it is not read");
  grant();
  assert.is((await whole).text().length, long.length);

  assert.equal(reserved, [long.length], "all of it, since its length is known");

  const compressed = upstream.get("/compressed", options);
  await until(() => {
    grant();
    return finished.length === 2;
  });
  assert.is((await compressed).text().length, body.length);
  const [, first = 0, ...others] = reserved;
  assert.ok(first < 1_300_000 && others.length > 2, "in parts, since its length is unknown");
  assert.ok(others.at(-1)! < 6_300_000);
  assert.equal(finished, [long.length, body.length]);

  const full: AnswerMemory = {
    ...freeMemory,
    growing: () => ({
      growTo: () => Promise.reject(new ToolError("full")),
      finish: () => undefined,
    }),
  };
  const refused = upstreamOf({ baseUrl: server.origin }, { memory: full });
  assert.is((await errorOf(refused.upstream.get("/whole", options))).message, "full");
});

test("the time until memory is reserved does not count against the upstream", async () => {
  const body = "x".repeat(1_000_000);
  const server = await TestServer.open((_target, _request, response) => {
    response.writeHead(200, { "content-length": body.length }).end(body);
  });
  let reservations = 0;
  const memory: AnswerMemory = {
    ...freeMemory,
    growing: () => ({
      growTo: () => {
        reservations++;
        return delay(1_200);
      },
      finish: () => undefined,
    }),
  };
  const { upstream } = upstreamOf({ baseUrl: server.origin, timeoutMs: 1_000 }, { memory });
  assert.is((await upstream.get("/")).text().length, body.length);
  assert.is(reservations, 1);
});

test.run();
