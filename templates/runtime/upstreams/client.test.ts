import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  closeServers,
  errorOf,
  TestServer,
  upstreamOf,
  type RecordedRequest,
} from "../samples/local-internet.js";
import type { UpstreamAnswer } from "./answer.js";
import { waitBefore } from "./retry.js";

/** A server that answers JSON. @param values one for each request; the last one again and again */
async function answering(...values: readonly unknown[]): Promise<TestServer> {
  let count = 0;
  return TestServer.open((_seen, _request, response) => {
    const value = values[Math.min(count++, values.length - 1)];
    response.setHeader("content-type", "application/json").end(JSON.stringify(value));
  });
}

test("a request has the method, path, query, headers and body that the handler gives", async () => {
  const server = await answering({ ok: true });
  const { upstream } = upstreamOf({
    baseUrl: `${server.origin}/v1/?key=1`,
    headers: { "X-Client": "books", Accept: "application/json" },
  });
  const request = { query: { a: ["b", "c"] }, headers: { "X-Id": 7 }, cookies: { s: "t;u" } };
  await upstream.post("/x", { ...request, json: { title: "é", none: undefined } });
  const [seen] = server.requests;
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

test("forms, texts and each method are sent", async () => {
  const server = await answering({});
  const { upstream } = upstreamOf({ baseUrl: server.origin });
  await upstream.put("/f", { form: { a: "b c" } });
  await upstream.patch("/t", { text: "hello é" });
  await upstream.delete("/d");
  await upstream.head("/h");
  await upstream.request("OPTIONS", "/o");
  assert.equal(
    server.requests.map(({ method, url, body }) => `${method} ${url} ${body}`),
    ["PUT /f a=b+c", "PATCH /t hello é", "DELETE /d ", "HEAD /h ", "OPTIONS /o "],
  );
  assert.is(server.requests[1]?.headers["content-type"], "text/plain; charset=utf-8");
});

test("a path outside of the upstream's base URL is refused", async () => {
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
  assert.equal(server.requests, []);
  await upstream.get("/a?b=c", { query: { d: 1 } });
  assert.is(server.requests[0]?.url, "/v1/a?b=c&d=1");
});

test("answers: JSON, parts of it, text, images, audio and other types become content", async () => {
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

test("errors: the message has the status, its reason and the upstream's message", async () => {
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
    assert.is(server.requests.length, 1);
  }
});

test("a long message of an upstream is cut", async () => {
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

test("retries: their number, statuses and methods are those of the definition", async () => {
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
    assert.equal(
      [answer.status, server.requests.length],
      [status, seen],
      `${method} ${list.join()}`,
    );
  }
});

test("waits: Retry-After decides, otherwise they double each time and are random in part", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  assert.is(waitBefore(0, "3", now), 3_000);
  assert.is(waitBefore(5, "0", now), 0);
  // Read as dates, these would be long past.
  for (const none of ["1.5", "-5", "1; x"]) assert.is(waitBefore(0, none, now, 1), 250);
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

test("there is no retry if the wait is longer than the time limit of a call", async () => {
  const server = await statuses([503], { "retry-after": "86400" });
  const { upstream } = upstreamOf({ baseUrl: server.origin, retries: RETRIES });
  assert.is((await upstream.get("/")).status, 503);
  assert.is(server.requests.length, 1);
});

test("a cancelled call stops its request or its wait for a retry at once", async () => {
  const silent = await TestServer.open(() => undefined);
  const busy = await statuses([503], { "retry-after": "4" });
  for (const server of [silent, busy]) {
    const { upstream, cancel } = upstreamOf({ baseUrl: server.origin, retries: RETRIES });
    const asked = errorOf(upstream.get("/"));
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const reason = new Error("the caller went away");
    cancel(reason);
    assert.is(await asked, reason);
    assert.is(await errorOf(upstream.get("/")), reason);
    assert.is(server.requests.length, 1);
  }
});

test("an unreachable upstream is tried again, a refused address is not", async () => {
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
    assert.is(server.requests[0]?.url, url);
    for (const [name, value] of Object.entries(headers)) {
      assert.is(server.requests[0]?.headers[name], value);
    }
    const anybody = upstreamOf({ baseUrl: server.origin, auth }).upstream;
    await anybody.get("/");
    assert.equal(
      [server.requests[1]?.url, server.requests[1]?.headers.authorization],
      ["/", undefined],
    );
  });

  test(`credentials by ${kind} are not sent to another origin`, async () => {
    const elsewhere = await answering({});
    const server = await TestServer.open((_seen, _request, response) => {
      response.writeHead(307, { location: `${elsewhere.origin}/there` }).end();
    });
    const { upstream } = upstreamOf(
      { baseUrl: server.origin, auth, redirects: 1, headers: { "X-Tenant": "t1" } },
      { env: { KEY: "s3cr3t-key" } },
    );
    await upstream.get("/", { headers: { "X-Id": 1 }, cookies: { session: "s" } });
    const [seen] = elsewhere.requests;
    assert.is(seen?.url, "/there");
    assert.not.match(JSON.stringify(seen), "s3cr3t-key");
    for (const name of ["authorization", "cookie", "x-api-key", "x-tenant", "x-id"]) {
      assert.is(seen?.headers[name], undefined, name);
    }
  });
}

test("redirects: within the origin all headers are kept, and their number is limited", async () => {
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
  assert.ok(server.requests.every(({ headers }) => headers.authorization === "Bearer s3cr3t-key"));
});

test("redirects: a POST becomes a GET as in HTTP, and a body is not sent to another origin", async () => {
  const elsewhere = await answering({});
  const seen: RecordedRequest[] = [];
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
  assert.equal(elsewhere.requests, []);
});

test("concurrency: the number of simultaneous requests is limited", async () => {
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
  assert.equal([most, server.requests.length], [2, 8]);
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

test("a secret with JSON escapes is masked, and short secrets are not", async () => {
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

test("an invalid URL and a credential that no header can hold are errors at the start", () => {
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
