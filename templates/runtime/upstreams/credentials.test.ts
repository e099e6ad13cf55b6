import { test } from "uvu";
import * as assert from "uvu/assert";
import { closeServers, localInternet, TestServer, upstreamOf } from "../samples/local-internet.js";
import type { Lookup } from "../egress/reach.js";

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
  test(`a request is authenticated by ${kind}`, async () => {
    const server = await TestServer.answering({});
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
    const elsewhere = await TestServer.answering({});
    const server = await TestServer.open((_seen, _request, response) => {
      response.writeHead(307, { location: "http://elsewhere.example/there" }).end();
    });
    const internet = localInternet({
      "93.184.216.34": server.port,
      "93.184.216.35": elsewhere.port,
    });
    const lookup: Lookup = (name, callback) => {
      const address = name === "api.example" ? "93.184.216.34" : "93.184.216.35";
      callback(null, [{ address, family: 4 }]);
    };
    const baseUrl = "http://api.example";
    const { upstream } = upstreamOf(
      { baseUrl, auth, redirects: 1, headers: { "X-Tenant": "t1" } },
      { env: { KEY: "s3cr3t-key" }, lookup },
    );
    try {
      await upstream.get("/", { headers: { "X-Id": 1 }, cookies: { session: "s" } });
    } finally {
      internet.end();
    }
    const [seen] = elsewhere.requests;
    assert.is(seen?.url, "/there");
    assert.not.match(JSON.stringify(seen), "s3cr3t-key");
    for (const name of ["authorization", "cookie", "x-api-key", "x-tenant", "x-id"]) {
      assert.is(seen?.headers[name], undefined, name);
    }
  });
}

test.after(() => closeServers());

test.run();
