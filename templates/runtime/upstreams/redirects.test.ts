import type { ServerResponse } from "node:http";
import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  closeServers,
  errorOf,
  localInternet,
  TestServer,
  upstreamOf,
  type RecordedRequest,
} from "../samples/local-internet.js";
import type { Lookup } from "../egress/reach.js";

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
  const elsewhere = await TestServer.answering({});
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

/** Where a private upstream at 127.0.0.1 redirects to; PORT is a port at which other servers of this machine listen. */
const FOREIGN_TARGETS = [
  "http://127.0.0.1:PORT/",
  "http://[::1]:PORT/",
  "//127.0.0.2:PORT/",
  "http://127.0.0.2:PORT/",
  "http:\\\\127.0.0.2:PORT\\",
  "\\\\127.0.0.2:PORT/",
  "/\\127.0.0.2:PORT/",
  "http:/\\/127.0.0.2:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://[::ffff:7f00:2]:PORT/",
  "http://[::127.0.0.1]:PORT/",
  "http://[64:ff9b::127.0.0.1]:PORT/",
  "http://localhost:PORT/",
  "http://LOCALHOST.:PORT/",
  "http://0.0.0.0:PORT/",
  "http://0:PORT/",
  "http://2130706433:PORT/",
  "http://2130706434:PORT/",
  "http://0x7f.2:PORT/",
  "http://0177.0.0.2:PORT/",
  "http://127.2:PORT/",
  "http://127.0.0.2.:PORT/",
  "http://%31%32%37.0.0.2:PORT/",
  "http://own.example:PORT/",
  "http://inner.example:PORT/",
];

test("redirects: a private upstream leads to private addresses of its own origin only", async () => {
  const first = await TestServer.answering("inner");
  const inner = [first];
  for (const host of ["127.0.0.2", "::1"]) {
    const answer = (_seen: RecordedRequest, _request: unknown, response: ServerResponse): void =>
      void response.end('"inner"');
    inner.push(await TestServer.open(answer, { host, port: first.port }));
  }
  let location = "";
  const own = await TestServer.open(({ url }, _request, response) => {
    if (url === "/end") response.end('"own"');
    else response.writeHead(302, { location }).end();
  });
  const lookup: Lookup = (_name, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]);
  for (const host of ["127.0.0.1", "own.example"]) {
    const stated = { baseUrl: `http://${host}:${own.port}`, redirects: 3 };
    const { upstream } = upstreamOf(stated, { lookup });
    for (const target of FOREIGN_TARGETS) {
      location = target.replace("PORT", String(first.port));
      const { message } = await errorOf(upstream.get("/"));
      assert.is(message, LEAVES, location);
    }
    location = `https://${host}:${own.port}/end`;
    assert.is((await errorOf(upstream.get("/"))).message, LEAVES, "another scheme");
    for (const target of [
      "/end",
      `//${host}:${own.port}/end`,
      `http:\\\\${host}:${own.port}\\end`,
    ]) {
      location = target;
      assert.is((await upstream.get("/")).json(), "own", target);
    }
    for (const user of [
      `http://${host}:${own.port}@127.0.0.2:${first.port}/`,
      `//u@127.0.0.2:${first.port}/`,
    ]) {
      location = user;
      assert.is((await upstream.get("/")).status, 302, user);
    }
  }
  assert.equal(
    inner.flatMap(({ requests }) => requests),
    [],
  );
});

const LEAVES =
  "The upstream api leads to an address that is not public and not of its own origin, which is refused.";

test("redirects: credentials that were dropped for another origin stay dropped on the way back", async () => {
  const outer = await TestServer.open((_seen, _request, response) => {
    response.writeHead(302, { location: "http://api.example/back" }).end();
  });
  const own = await TestServer.open(({ url }, _request, response) => {
    if (url.startsWith("/leave"))
      response.writeHead(302, { location: "http://other.example/" }).end();
    else response.end("{}");
  });
  const internet = localInternet({ "93.184.216.34": own.port, "93.184.216.35": outer.port });
  const lookup: Lookup = (name, callback) => {
    const address = name === "api.example" ? "93.184.216.34" : "93.184.216.35";
    callback(null, [{ address, family: 4 }]);
  };
  const env = { KEY: "s3cr3t-key" };
  const value = { env: "KEY" };
  try {
    for (const auth of [
      { kind: "bearer", token: value },
      { kind: "header", name: "x-key", value },
      { kind: "query", name: "key", value },
      { kind: "cookie", name: "key", value },
      { kind: "basic", username: "me", password: value },
    ] as const) {
      const headers = { "x-own": value };
      const stated = { baseUrl: "http://api.example", private: false, redirects: 3, auth, headers };
      const { upstream } = upstreamOf(stated, { env, lookup });
      await upstream.get("/leave", { headers: { "x-argument": "a" }, cookies: { of: "caller" } });
    }
  } finally {
    internet.end();
  }
  const secret = /s3cr3t|bWU6/;
  const seen = (server: TestServer): string[] =>
    server.requests.map(({ url, headers }) => url + JSON.stringify(headers));
  assert.is(own.requests.length, 10);
  assert.is(outer.requests.length, 5);
  assert.ok(own.requests.every(({ url }, index) => url.startsWith(index % 2 ? "/back" : "/leave")));
  const withSecret = seen(own).filter((request) => secret.test(request));
  assert.is(withSecret.length, 5);
  assert.ok(withSecret.every((request) => request.startsWith("/leave")));
  assert.not.match(seen(outer).join("\n"), secret);
});

test.after(() => closeServers());

test.run();
