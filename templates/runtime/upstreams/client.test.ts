import { test } from "uvu";
import * as assert from "uvu/assert";
import { closeServers, errorOf, TestServer, upstreamOf } from "../samples/local-internet.js";
import type { UpstreamAnswer } from "./answer.js";

test("a request has the method, path, query, headers and body that the handler gives", async () => {
  const server = await TestServer.answering({ ok: true });
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
  const server = await TestServer.answering({});
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

test("files and bytes are sent, with the credentials of the upstream", async () => {
  const server = await TestServer.answering({});
  const { upstream } = upstreamOf({
    baseUrl: server.origin,
    auth: { kind: "header", name: "X-Key", value: "k" },
  });
  await upstream.post("/f", { multipart: { a: "b", file: new File(["hällo"], "h.txt") } });
  await upstream.put("/b", { bytes: new TextEncoder().encode("bytes") });
  await upstream.put("/b", {
    bytes: new TextEncoder().encode("png"),
    headers: { "Content-Type": "image/png" },
  });
  const [form, plain, typed] = server.requests;
  assert.match(form?.headers["content-type"] ?? "", /^multipart\/form-data; boundary=\w{40}$/);
  assert.match(form?.body ?? "", /name="file"; filename="h.txt"\r\n.*\r\n\r\nhällo\r\n--/);
  assert.equal(
    [plain, typed].map((seen) => [seen?.body, seen?.headers["content-type"]]),
    [
      ["bytes", "application/octet-stream"],
      ["png", "image/png"],
    ],
  );
  assert.ok(server.requests.every(({ headers }) => headers["x-key"] === "k"));
});

test("a path outside of the upstream's base URL is refused", async () => {
  const server = await TestServer.answering({});
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
