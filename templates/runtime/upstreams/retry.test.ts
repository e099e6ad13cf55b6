import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { closeServers, errorOf, TestServer, upstreamOf } from "../samples/local-internet.js";
import { waitBefore } from "./retry.js";

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

test("of a request that must not be sent twice, the caller learns that it may have been carried out", async () => {
  const silent = await TestServer.open(() => undefined);
  const hint = " It may have carried out the request: find out before you repeat it.";
  const late = "The upstream api did not answer within 20 ms.";
  for (const [method, expected] of [
    ["POST", late + hint],
    ["PATCH", late + hint],
    ["PUT", late],
    ["DELETE", late],
    ["GET", late],
  ] as const) {
    const { upstream } = upstreamOf({ baseUrl: silent.origin, timeoutMs: 20 });
    assert.is((await errorOf(upstream.request(method, "/"))).message, expected, method);
  }
  const { upstream: closed } = upstreamOf({ baseUrl: "http://127.0.0.1:9" });
  assert.is((await errorOf(closed.post("/"))).message, "The upstream api cannot be reached.");
});

test("a request that may have been carried out stays so if it is sent again and does not arrive", async () => {
  let requests = 0;
  const breaking = createServer((_request, response) => {
    requests++;
    breaking.close();
    response.destroy();
  });
  await new Promise<void>((resolve) => void breaking.listen(0, "127.0.0.1", resolve));
  const { port } = breaking.address() as AddressInfo;
  const retries = { max: 1, on: [503], methods: ["POST", "PUT"] } as const;
  const unreachable = "The upstream api cannot be reached.";
  const earlier =
    " It may have carried out an earlier attempt: find out before you repeat the request.";
  const { upstream } = upstreamOf({ baseUrl: `http://127.0.0.1:${port}`, retries });
  assert.is((await errorOf(upstream.post("/"))).message, unreachable + earlier);
  assert.is(requests, 1);
  assert.is((await errorOf(upstream.post("/"))).message, unreachable);
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

test.after(() => closeServers());

test.run();
