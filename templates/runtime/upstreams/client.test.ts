import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  closeServers,
  TestServer,
  upstreamOf,
  type SeenRequest,
} from "../samples/local-internet.js";
import { selfSignedCertificate } from "../suite/clients/self-signed-certificate.js";
import type { UpstreamAnswer } from "./answer.js";
import { nextLink } from "./pages.js";
import { waitBefore } from "./retry.js";

/** A server that answers JSON. @param values one for each request; the last one again and again */
async function answering(...values: readonly unknown[]): Promise<TestServer> {
  let count = 0;
  return TestServer.open((_seen, _request, response) => {
    const value = values[Math.min(count++, values.length - 1)];
    response.setHeader("content-type", "application/json").end(JSON.stringify(value));
  });
}

async function errorOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => assert.unreachable("there was an answer") as never,
    (error: Error) => error,
  );
}

test("a request is what was asked for", async () => {
  const server = await answering({ ok: true });
  const { upstream } = upstreamOf({
    baseUrl: `${server.origin}/v1/?key=1`,
    headers: { "X-Client": "books", Accept: "application/json" },
  });
  const request = { query: { a: ["b", "c"] }, headers: { "X-Id": 7 }, cookies: { s: "t;u" } };
  await upstream.post("/x", { ...request, json: { title: "é", none: undefined } });
  const [seen] = server.seen;
  assert.equal([seen?.method, seen?.url], ["POST", "/v1/x?key=1&a=b&a=c"]);
  assert.is(seen?.body, '{"title":"é"}');
  const {
    "x-client": client,
    accept,
    "x-id": id,
    cookie,
    "content-type": type,
  } = seen?.headers ?? {};
  assert.equal(
    [client, accept, id, cookie, type],
    ["books", "application/json", "7", "s=t%3Bu", "application/json"],
  );
});

test("forms, texts and each method", async () => {
  const server = await answering({});
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  await upstream.put("/f", { form: { a: "b c" } });
  await upstream.patch("/t", { text: "hello é" });
  await upstream.delete("/d");
  await upstream.head("/h");
  await upstream.request("OPTIONS", "/o");
  assert.equal(
    server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`),
    ["PUT /f a=b+c", "PATCH /t hello é", "DELETE /d ", "HEAD /h ", "OPTIONS /o "],
  );
  assert.is(server.seen[1]?.headers["content-type"], "text/plain; charset=utf-8");
});

test("a path that is no path of the upstream is refused", async () => {
  const server = await answering({});
  const { upstream } = upstreamOf({ baseUrl: `${server.origin}/v1` });
  const paths = [
    "x",
    "//evil.example/x/../../..",
    "/../admin",
    "/%2e%2e/admin",
    "/a/%2E./b",
    "http://evil.example/",
    "/a#b",
    "/a\\..\\b",
    "/a\r\nX: y",
    "",
  ];
  for (const wrong of paths) {
    const error = await errorOf(upstream.get(wrong));
    assert.is(error.message, "The path is none of the upstream api.", wrong);
  }
  assert.equal(server.seen, []);
  await upstream.get("/a?b=c", { query: { d: 1 } });
  assert.is(server.seen[0]?.url, "/v1/a?b=c&d=1");
});

test("answers: JSON, parts of it, text, images, sounds and anything else", async () => {
  const bodies: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
    "/json": ["application/json", '\ufeff{"items":[{"id":1,"b":2}],"a/b":{"~":3}}'],
    "/text": ["text/plain; charset=iso-8859-1", Buffer.from("é", "latin1")],
    "/image": ["image/png", Buffer.from([1, 2, 3])],
    "/audio": ["audio/wav", Buffer.from([4])],
    "/pdf": ["application/pdf", Buffer.from([5])],
    "/none": ["", ""],
    "/problem": ["application/problem+json", '{"a":1}'],
  };
  const server = await TestServer.open(({ url }, _request, response) => {
    const [type = "", body = ""] = bodies[url] ?? [];
    if (type !== "") response.setHeader("content-type", type);
    response.statusCode = type === "" ? 204 : 200;
    response.end(body);
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  const get = (path: string): Promise<UpstreamAnswer> => upstream.get(path);
  const json = await get("/json");
  assert.equal(json.pick("/items", ["id", "none"]), [{ id: 1 }]);
  assert.is(json.pick("/a~1b/~0"), 3);
  assert.is(json.pick("/items/0/b"), 2);
  assert.throws(() => json.pick("/none"), "has nothing at /none");
  assert.throws(() => json.pick("/items/length"), "has nothing at");
  assert.throws(() => json.pick("/__proto__"), "has nothing at");
  assert.is(json.content({ from: "/items", fields: ["id"] }), '[{"id":1}]');
  assert.is((await get("/text")).content(), "é");
  assert.equal((await get("/image")).content(), {
    type: "image",
    data: "AQID",
    mimeType: "image/png",
  });
  assert.equal((await get("/audio")).content(), {
    type: "audio",
    data: "BA==",
    mimeType: "audio/wav",
  });
  const { resource } = (await get("/pdf")).content() as { resource: unknown };
  assert.equal(resource, { uri: "upstream:api", blob: "BQ==", mimeType: "application/pdf" });
  assert.equal((await get("/none")).content(), { type: "text", text: "204 No Content" });
  assert.is((await get("/problem")).content(), '{"a":1}');
});

test("errors: the status, its reason and what the upstream says of it", async () => {
  const cases: readonly (readonly [status: number, body: unknown, message: string])[] = [
    [404, {}, "The upstream api answered 404 Not Found."],
    [400, { message: "no such shelf" }, "The upstream api answered 400 Bad Request: no such shelf"],
    [400, { detail: "d", title: "t" }, "The upstream api answered 400 Bad Request: d"],
    [422, { title: "t" }, "The upstream api answered 422 Unprocessable Entity: t"],
    [
      500,
      { error: { message: "inner" } },
      "The upstream api answered 500 Internal Server Error: inner",
    ],
    [500, { error: "e" }, "The upstream api answered 500 Internal Server Error: e"],
    [500, { message: "" }, "The upstream api answered 500 Internal Server Error."],
    [500, "text", "The upstream api answered 500 Internal Server Error."],
    [599, {}, "The upstream api answered 599."],
    [302, {}, "The upstream api answered 302 Found."],
  ];
  for (const [status, body, message] of cases) {
    const server = await TestServer.open((_seen, _request, response) => {
      response.writeHead(status, { "content-type": "application/json", location: "/elsewhere" });
      response.end(JSON.stringify(body));
    });
    const answer = await upstreamOf({ baseUrl: server.origin }).upstream.get("/x?token=t");
    assert.is(answer.status, status);
    for (const read of [
      () => answer.json(),
      () => answer.text(),
      () => answer.content(),
      () => answer.bytes(),
    ]) {
      assert.throws(
        read,
        (error: Error) => error.message === message && error.name === "ToolError",
      );
    }
    assert.is(server.seen.length, 1);
  }
});

test("an upstream's message is cut", async () => {
  const server = await TestServer.open((_seen, _request, response) => {
    response.writeHead(500).end(JSON.stringify({ message: "x".repeat(10_000) }));
  });
  const answer = await upstreamOf({ baseUrl: server.origin }).upstream.get("/");
  assert.is(
    answer.failure().message.length,
    "The upstream api answered 500 Internal Server Error: ".length + 500,
  );
});

const RETRIES = { max: 2, on: [429, 503], methods: ["GET", "PUT"] };

/** Answers with these statuses, one after the other. */
async function statuses(
  list: readonly number[],
  headers: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  let count = 0;
  return TestServer.open((_seen, _request, response) => {
    response.writeHead(list[Math.min(count++, list.length - 1)] ?? 200, headers).end("{}");
  });
}

test("retries: as many as there may be, for the statuses and methods that are named", async () => {
  const cases: readonly (readonly ["GET" | "POST", number[], seen: number, status: number])[] = [
    ["GET", [503, 429, 200], 3, 200],
    ["GET", [503, 503, 503, 200], 3, 503],
    ["GET", [500, 200], 1, 500],
    ["POST", [503, 200], 1, 503],
    ["GET", [200], 1, 200],
  ];
  for (const [method, list, seen, status] of cases) {
    const server = await statuses(list, { "retry-after": "0" });
    const { upstream } = upstreamOf({ baseUrl: server.origin, retries: RETRIES });
    const answer = await upstream.request(method, "/");
    assert.equal([answer.status, server.seen.length], [status, seen], `${method} ${list.join()}`);
  }
});

test("waits: what Retry-After says, else twice as long each time and never the same for all", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  assert.is(waitBefore(0, "3", now), 3_000);
  assert.is(waitBefore(5, "0", now), 0);
  assert.is(waitBefore(0, "Thu, 01 Jan 2026 00:00:05 GMT", now), 5_000);
  assert.is(waitBefore(0, "Thu, 01 Jan 2026 00:00:00 GMT", now + 9_000), 0);
  assert.equal(
    [0, 1, 2].map((retries) => waitBefore(retries, undefined, now, 1)),
    [250, 500, 1_000],
  );
  assert.equal(
    [0, 1].map((retries) => waitBefore(retries, "soon", now, 0)),
    [125, 250],
  );
  assert.is(waitBefore(20, undefined, now, 1), 10_000);
});

test("a wait that is longer than a call may last is not begun", async () => {
  const server = await statuses([503], { "retry-after": "86400" });
  const { upstream } = upstreamOf({ baseUrl: server.origin, retries: RETRIES });
  assert.is((await upstream.get("/")).status, 503);
  assert.is(server.seen.length, 1);
});

test("a cancelled call ends its request, and a wait between two, at once", async () => {
  const silent = await TestServer.open(() => undefined);
  const busy = await statuses([503], { "retry-after": "4" });
  for (const server of [silent, busy]) {
    const { upstream, cancel } = upstreamOf({ baseUrl: server.origin, retries: RETRIES });
    const asked = errorOf(upstream.get("/"));
    while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const reason = new Error("the caller went away");
    cancel(reason);
    assert.is(await asked, reason);
    assert.is(await errorOf(upstream.get("/")), reason);
    assert.is(server.seen.length, 1);
  }
});

test("what cannot be reached is tried again, what is refused is not", async () => {
  const { upstream } = upstreamOf({
    baseUrl: "http://127.0.0.1:9",
    retries: { ...RETRIES, max: 1 },
  });
  assert.is((await errorOf(upstream.get("/"))).message, "The upstream api cannot be reached.");
  let asked = 0;
  const lookup = (
    _name: string,
    callback: (error: null, found: { address: string; family: number }[]) => void,
  ): void => {
    asked++;
    callback(null, [{ address: "127.0.0.1", family: 4 }]);
  };
  const refused = upstreamOf(
    { baseUrl: "http://x.example", private: false, retries: RETRIES },
    { lookup },
  );
  assert.match((await errorOf(refused.upstream.get("/"))).message, "not public");
  assert.is(asked, 1);
});

/** What proves who calls, by the kind of auth. */
const AUTH = {
  bearer: [{ kind: "bearer", token: { env: "KEY" } }, { authorization: "Bearer s3cr3t-key" }, "/"],
  basic: [
    { kind: "basic", username: "me", password: { env: "KEY" } },
    { authorization: `Basic ${Buffer.from("me:s3cr3t-key").toString("base64")}` },
    "/",
  ],
  header: [
    { kind: "header", name: "X-Api-Key", value: { env: "KEY" } },
    { "x-api-key": "s3cr3t-key" },
    "/",
  ],
  query: [{ kind: "query", name: "api key", value: { env: "KEY" } }, {}, "/?api%20key=s3cr3t-key"],
  cookie: [{ kind: "cookie", name: "s", value: { env: "KEY" } }, { cookie: "s=s3cr3t-key" }, "/"],
} as const;

for (const [kind, [auth, headers, url]] of Object.entries(AUTH)) {
  test(`auth by ${kind}`, async () => {
    const server = await answering({});
    const { upstream } = upstreamOf(
      { baseUrl: server.origin, auth },
      { env: { KEY: "s3cr3t-key" } },
    );
    await upstream.get("/");
    assert.is(server.seen[0]?.url, url);
    for (const [name, value] of Object.entries(headers)) {
      assert.is(server.seen[0]?.headers[name], value);
    }
    const anybody = upstreamOf({ baseUrl: server.origin, auth }).upstream;
    await anybody.get("/");
    assert.equal([server.seen[1]?.url, server.seen[1]?.headers.authorization], ["/", undefined]);
  });

  test(`credentials by ${kind} go to no other origin`, async () => {
    const elsewhere = await answering({});
    const server = await TestServer.open((_seen, _request, response) => {
      response.writeHead(307, { location: `${elsewhere.origin}/there` }).end();
    });
    const { upstream } = upstreamOf(
      { baseUrl: server.origin, auth, redirects: 1, headers: { "X-Tenant": "t1" } },
      { env: { KEY: "s3cr3t-key" } },
    );
    await upstream.get("/", { headers: { "X-Id": 1 }, cookies: { session: "s" } });
    const [seen] = elsewhere.seen;
    assert.is(seen?.url, "/there");
    assert.not.match(JSON.stringify(seen), "s3cr3t-key");
    for (const name of ["authorization", "cookie", "x-api-key", "x-tenant", "x-id"]) {
      assert.is(seen?.headers[name], undefined, name);
    }
  });
}

test("redirects: within the origin with everything, as often as they may be", async () => {
  const server = await TestServer.open(({ url }, _request, response) => {
    if (url === "/3") response.end('"there"');
    else
      response
        .writeHead(url === "/2" ? 308 : 302, { location: `/${Number(url.slice(1)) + 1}` })
        .end();
  });
  const auth = { kind: "bearer", token: { env: "KEY" } } as const;
  const env = { KEY: "s3cr3t-key" };
  const two = upstreamOf({ baseUrl: server.origin, redirects: 2, auth }, { env }).upstream;
  assert.is((await two.get("/1")).json(), "there");
  assert.is((await two.get("/0")).status, 308);
  assert.ok(server.seen.every(({ headers }) => headers.authorization === "Bearer s3cr3t-key"));
});

test("redirects: a POST becomes a GET where HTTP says so, and a body goes nowhere else", async () => {
  const elsewhere = await answering({});
  const seen: SeenRequest[] = [];
  let location = "";
  let status = 303;
  const server = await TestServer.open((request, _request, response) => {
    seen.push(request);
    if (request.url === "/end") response.end("{}");
    else response.writeHead(status, { location }).end();
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin, redirects: 1 });
  location = "/end";
  await upstream.post("/x", { json: { a: 1 } });
  assert.equal(
    seen.map(({ method, body }) => method + body),
    ['POST{"a":1}', "GET"],
  );
  status = 307;
  await upstream.post("/x", { json: { a: 1 } });
  assert.equal(
    seen.slice(2).map(({ method, body }) => method + body),
    ['POST{"a":1}', 'POST{"a":1}'],
  );
  location = `${elsewhere.origin}/end`;
  const error = await errorOf(upstream.post("/x", { json: { a: 1 } }));
  assert.match(error.message, "redirects a request with a body elsewhere");
  assert.equal(elsewhere.seen, []);
});

/** A server that hands out tokens, and answers those who have the last of them. */
async function tokenServer(life?: number, refuses = false): Promise<TestServer> {
  let count = 0;
  return TestServer.open(({ url, headers }, _request, response) => {
    response.setHeader("content-type", "application/json");
    if (url === "/token") {
      if (refuses) return void response.writeHead(400).end('{"error":"invalid_client"}');
      const token = {
        access_token: `token-number-${++count}`,
        ...(life !== undefined && { expires_in: life }),
      };
      return void setTimeout(() => response.end(JSON.stringify(token)), 20);
    }
    const isKnown = headers.authorization === `Bearer token-number-${count}`;
    response.writeHead(isKnown ? 200 : 401).end('"answer"');
  });
}

function withTokens(server: TestServer, sendIn: "header" | "form" = "header") {
  const auth = {
    kind: "clientCredentials" as const,
    tokenUrl: `${server.origin}/token`,
    clientId: "me",
    clientSecret: { env: "SECRET" },
    scope: "read write",
    sendIn,
  };
  return upstreamOf({ baseUrl: server.origin, auth }, { env: { SECRET: "client s3cret" } });
}

test("client credentials: one token for all, fetched once at a time", async () => {
  const server = await tokenServer(3_600);
  const { upstream } = withTokens(server);
  const answers = await Promise.all([1, 2, 3].map((id) => upstream.get(`/${id}`)));
  assert.equal(
    answers.map((answer) => answer.json()),
    ["answer", "answer", "answer"],
  );
  await upstream.get("/4");
  const [token, ...others] = server.seen.filter(({ url }) => url === "/token");
  assert.is(others.length, 0);
  assert.is(token?.body, "grant_type=client_credentials&scope=read+write");
  const pair = Buffer.from("me:client%20s3cret").toString("base64");
  assert.is(token?.headers.authorization, `Basic ${pair}`);
});

test("client credentials: in a form, and anew when they have expired", async () => {
  const server = await tokenServer(0.000_001);
  const { upstream } = withTokens(server, "form");
  await upstream.get("/1");
  await upstream.get("/2");
  const tokens = server.seen.filter(({ url }) => url === "/token");
  assert.is(tokens.length, 2);
  assert.match(tokens[0]?.body ?? "", "client_id=me&client_secret=client+s3cret");
});

test("client credentials: a token that is refused is fetched anew, once", async () => {
  let accepted = "none";
  const server = await TestServer.open(({ url, headers }, _request, response) => {
    if (url === "/token") response.end(JSON.stringify({ access_token: "same-old-token" }));
    else response.writeHead(headers.authorization === accepted ? 200 : 401).end('"x"');
  });
  const { upstream } = withTokens(server);
  assert.is((await upstream.get("/")).status, 401);
  assert.is(server.seen.length, 4);
  accepted = "Bearer same-old-token";
  assert.is((await upstream.get("/")).status, 200);
});

test("client credentials: a clock that jumps costs a token, and no call", async () => {
  let accepted = 0;
  const server = await TestServer.open(({ url, headers }, _request, response) => {
    if (url === "/token") {
      response.end(JSON.stringify({ access_token: `token-${++accepted}`, expires_in: 3_600 }));
    } else {
      const isValid = headers.authorization === `Bearer token-${accepted}`;
      response.writeHead(isValid ? 200 : 401).end('"x"');
    }
  });
  const { upstream } = withTokens(server);
  const { now } = Date;
  try {
    for (const [jump, tokens] of [
      [0, 1],
      [100 * 3_600_000, 2],
      [0, 2],
    ] as const) {
      Date.now = () => now() + jump;
      assert.is((await upstream.get("/")).status, 200);
      assert.is(accepted, tokens);
    }
    // The clock was set back: the token has run out for the upstream alone.
    accepted += 1;
    assert.is((await upstream.get("/")).status, 200);
  } finally {
    Date.now = now;
  }
});

test("client credentials: no token, and no secret in what is said of it", async () => {
  const server = await tokenServer(undefined, true);
  const { upstream } = withTokens(server);
  const error = await errorOf(upstream.get("/"));
  assert.is(error.message, "The upstream api gave no access token (400).");
});

test("client credentials: a caller that goes away leaves the request to the others", async () => {
  const server = await tokenServer(3_600);
  const { upstream, cancel } = withTokens(server);
  const asked = errorOf(upstream.get("/"));
  await new Promise((resolve) => setTimeout(resolve, 5));
  const reason = new Error("gone");
  cancel(reason);
  assert.is(await asked, reason);
});

test("pages: by cursor, number and link", async () => {
  const server = await TestServer.open(({ url }, _request, response) => {
    const { pathname, searchParams } = new URL(url, "http://x");
    const at = Number(searchParams.get("at") ?? searchParams.get("page") ?? 1);
    if (pathname === "/link" && at < 3) {
      response.setHeader("link", `</link?at=1>; rel="prev", </link?at=${at + 1}>; rel="last next"`);
    }
    const items = at > 3 ? [] : [{ id: at, more: true }];
    response.end(JSON.stringify({ data: { items }, next: at < 3 ? String(at + 1) : null }));
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  const all = [{ id: 1 }, { id: 2 }, { id: 3 }];
  const from = { items: "/data/items", maxPages: 10 };
  const ways = {
    "/cursor": { ...from, cursor: { query: "at", from: "/next" } },
    "/page": { ...from, page: { query: "page", first: 1 } },
    "/link": { ...from, link: true },
  };
  for (const [path, pages] of Object.entries(ways)) {
    const answer = await upstream.get(path, { pages, query: { q: "x" } });
    assert.equal(answer.pick("", ["id"]), all, path);
    const two = await upstream.get(path, { pages: { ...pages, maxPages: 2 } });
    assert.equal(two.pick("", ["id"]), all.slice(0, 2), path);
  }
  assert.ok(
    server.seen
      .filter(({ url }) => url.startsWith("/cursor"))
      .slice(0, 3)
      .every(({ url }) => url.includes("q=x")),
  );
});

test("pages: an error is an answer, and what has no list is none", async () => {
  const server = await TestServer.open(({ url }, _request, response) => {
    response.writeHead(url === "/e" ? 404 : 200, { link: "<http://evil.example/>; rel=next" });
    response.end(url === "/no" ? "{}" : '{"items":[1]}');
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  const pages = { items: "/items", link: true, maxPages: 5 };
  assert.is((await upstream.get("/e", { pages })).status, 404);
  assert.match((await errorOf(upstream.get("/no", { pages }))).message, "has no list");
  assert.match((await errorOf(upstream.get("/x", { pages }))).message, "another origin");
});

test("links: the next one", () => {
  assert.is(nextLink('<a>; rel="next"'), "a");
  assert.is(nextLink("<a>; rel=prev, <b>; rel=next; title=x"), "b");
  assert.is(nextLink('<a>; rel="first last"'), undefined);
  assert.is(nextLink(""), undefined);
});

test("concurrency: no more requests at a time than may be", async () => {
  let running = 0;
  let most = 0;
  const server = await TestServer.open((_seen, _request, response) => {
    most = Math.max(most, ++running);
    setTimeout(() => {
      running--;
      response.end("{}");
    }, 10);
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin, concurrency: 2 });
  await Promise.all(Array.from({ length: 8 }, () => upstream.get("/")));
  assert.equal([most, server.seen.length], [2, 8]);
});

/** Answers that are too much, by their names; `body` is what there is of them before it goes on for ever. */
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

test("an error that goes on for ever is an error", async () => {
  const server = await TestServer.open((_seen, _request, response) => {
    response
      .writeHead(500, { "content-type": "application/json" })
      .write(Buffer.alloc(100_000, "x"));
  });
  const answer = await upstreamOf({ baseUrl: server.origin }).upstream.get("/");
  assert.is(answer.failure().message, "The upstream api answered 500 Internal Server Error.");
});

test("answers are decompressed, and what is compressed otherwise is refused", async () => {
  const packed = {
    gzip: gzipSync('"g"'),
    br: brotliCompressSync('"b"'),
    deflate: deflateSync('"d"'),
    zstd: Buffer.from("z"),
    "gzip, gzip": gzipSync(gzipSync('"x"')),
  };
  const server = await TestServer.open(({ url }, _request, response) => {
    const encoding = decodeURIComponent(url.slice(1)) as keyof typeof packed;
    response.writeHead(200, { "content-encoding": encoding }).end(packed[encoding]);
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  for (const encoding of ["gzip", "br", "deflate"]) {
    assert.is((await upstream.get(`/${encoding}`)).json(), encoding.charAt(0));
  }
  for (const encoding of ["zstd", "gzip%2C%20gzip"]) {
    assert.match((await errorOf(upstream.get(`/${encoding}`))).message, "was not asked for");
  }
});

/** Servers below HTTP: what they send, one piece each 20 ms. */
const SLOW_OR_BROKEN: Readonly<
  Record<string, readonly [pieces: readonly string[], ends: boolean, message: string]>
> = {
  "nothing at all": [[], false, "did not answer within 200 ms"],
  "its headers letter by letter": [
    [..."HTTP/1.1 200 OK\r\nx-slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
    false,
    "did not answer within 200 ms",
  ],
  "its body letter by letter": [
    ["HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n", ..."a".repeat(100)],
    false,
    "did not answer within 200 ms",
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
    "broke off the connection",
  ],
};

for (const [name, [pieces, ends, message]] of Object.entries(SLOW_OR_BROKEN)) {
  test(`an upstream that sends ${name}`, async () => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined).resume();
      let next = 0;
      const timer = setInterval(() => {
        const piece = pieces[next++];
        if (piece !== undefined) socket.write(piece);
        else if (ends) socket.destroy();
      }, 20);
      socket.on("close", () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const { port } = server.address() as AddressInfo;
    const { upstream } = upstreamOf({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs: 200 });
    const error = await errorOf(upstream.get("/"));
    assert.is(error.message, `The upstream api ${message}.`);
    server.close();
  });
}

test("TLS: an authority that is not known, one that is, a wrong name, and no TLS at all", async () => {
  const { cert, key } = selfSignedCertificate();
  const folder = mkdtempSync(join(tmpdir(), "upstream-"));
  writeFileSync(join(folder, "ca.pem"), cert);
  const server = createTlsServer({ cert, key }, (_request, response) => response.end('"safe"'));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const baseUrl = `https://localhost:${port}`;
  const lookup = (
    _name: string,
    callback: (error: null, found: { address: string; family: number }[]) => void,
  ): void => {
    callback(null, [{ address: "127.0.0.1", family: 4 }]);
  };
  const env = { CA: join(folder, "ca.pem") };
  const messageOf = async (stated: { baseUrl: string; ca?: string }): Promise<string> =>
    (await errorOf(upstreamOf(stated, { env, lookup }).upstream.get("/"))).message;
  assert.match(await messageOf({ baseUrl }), "could not be trusted: TLS failed with");
  const trusted = upstreamOf({ baseUrl, ca: "CA" }, { env, lookup }).upstream;
  assert.is((await trusted.get("/")).json(), "safe");
  const wrong = await messageOf({ baseUrl: `https://other.example:${port}`, ca: "CA" });
  assert.match(wrong, "TLS failed with ERR_TLS_CERT_ALTNAME_INVALID");
  const plain = await answering({});
  assert.match(
    await messageOf({ baseUrl: plain.origin.replace("http", "https"), ca: "CA" }),
    /TLS failed|broke off/,
  );
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const SECRET = 'p4ss/word+with=signs&"quotes"';

/** Texts in which an upstream may give a secret away, and the part of them that must not be there. */
const LEAKS: Readonly<Record<string, string>> = {
  plain: SECRET,
  "URL-encoded": encodeURIComponent(SECRET),
  base64: Buffer.from(SECRET).toString("base64"),
  "base64 for URLs": Buffer.from(SECRET).toString("base64url"),
  "as JSON": JSON.stringify(SECRET).slice(1, -1),
  "as the pair of basic auth": Buffer.from(`me:${SECRET}`).toString("base64"),
};

for (const [form, leak] of Object.entries(LEAKS)) {
  test(`a secret, ${form}, is masked in texts, values and errors`, async () => {
    const server = await TestServer.open(({ url }, _request, response) => {
      const type = url === "/text" ? "text/plain" : "application/json";
      response.writeHead(url === "/error" ? 401 : 200, { "content-type": type });
      const value = { message: `is ${leak} yours?`, list: [leak], [leak]: 1 };
      response.end(url === "/text" ? `is ${leak} yours?` : JSON.stringify(value));
    });
    const auth = { kind: "basic", username: "me", password: { env: "KEY" } } as const;
    const { upstream } = upstreamOf({ baseUrl: server.origin, auth }, { env: { KEY: SECRET } });
    const said = [
      String((await upstream.get("/text")).content()),
      String((await upstream.get("/json")).content()),
      JSON.stringify((await upstream.get("/json")).json()),
      (await upstream.get("/error")).failure().message,
    ];
    for (const text of said) {
      assert.match(text, "[masked]");
      assert.ok(!text.includes(leak) && !text.includes(SECRET), text);
    }
  });
}

test("a secret behind escapes of JSON is masked, and short ones are left", async () => {
  const escapes = [...SECRET].map(
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const server = await TestServer.open((_seen, _request, response) => {
    response
      .setHeader("content-type", "application/json")
      .end(`{"a":"${escapes.join("")}","b":"short"}`);
  });
  const { upstream } = upstreamOf(
    { baseUrl: server.origin },
    { env: { KEY: SECRET, SHORT: "short" } },
  );
  assert.equal((await upstream.get("/")).json(), { a: "[masked]", b: "short" });
});

test("a URL that will not do, and a credential that no header holds, are found at the start", () => {
  for (const baseUrl of ["ftp://x", "not a url", "http://me:pw@x.example", "http://x.example/#a"]) {
    assert.throws(() => upstreamOf({ baseUrl }).upstream, "must be an http or https URL");
  }
  const auth = { kind: "bearer", token: { env: "KEY" } } as const;
  const start = (): unknown =>
    upstreamOf({ baseUrl: "http://x", auth }, { env: { KEY: "a\nb: c-secret" } });
  assert.throws(start, (error: Error) => !error.message.includes("c-secret"));
});

test.after(() => closeServers());

test.run();
