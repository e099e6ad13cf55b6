import { createServer } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { CallTimeout, ToolError } from "../engine/errors.js";
import { closeServers, errorOf, TestServer, upstreamOf } from "../samples/local-internet.js";
import { logOutcome } from "./failure-log.js";

/** What the operators of a server read of requests to its upstreams that failed. */

const lines: unknown[][] = [];
const log = { info: () => undefined, warning: (...line: unknown[]) => void lines.push(line) };

const logged = (): unknown[][] => lines.splice(0);
const failed = (fields: object): unknown[] => [
  "a request to an upstream failed",
  { upstream: "api", method: "GET", ...fields },
];

async function answeringStatus(status: number): Promise<string> {
  const server = await TestServer.open((_seen, _request, response) => {
    response.writeHead(status, { "retry-after": "0" }).end(`{"message":"who is ann@example.com?"}`);
  });
  return server.origin;
}

test("a status that is no fault of the arguments is a warning, with nothing of the request and of the answer", async () => {
  for (const status of [401, 403, 429, 500, 503]) {
    const { upstream } = upstreamOf({ baseUrl: await answeringStatus(status) }, { log });
    await upstream.get("/people/ann", { query: { secret: "x" } });
    assert.equal(logged(), [failed({ status })]);
  }
  for (const status of [200, 204, 304, 400, 404, 409, 422]) {
    const { upstream } = upstreamOf({ baseUrl: await answeringStatus(status) }, { log });
    await upstream.get("/people/ann");
    assert.equal(logged(), [], String(status));
  }
});

test("a redirect that is not followed is a warning that says to which origin it leads", async () => {
  const logins = "https://sso.example.com/login?secret=1";
  for (const [location, leadsTo] of [
    [logins, { leadsTo: "https://sso.example.com" }],
    ["/login", {}],
  ] as const) {
    const server = await TestServer.open((_seen, _request, response) => {
      response.writeHead(302, { location }).end();
    });
    const { upstream } = upstreamOf({ baseUrl: server.origin }, { log });
    assert.is((await upstream.get("/")).status, 302);
    assert.equal(logged(), [failed({ status: 302, ...leadsTo })]);
  }
});

test("a redirect elsewhere of a request with a body, which is never followed, is a warning", async () => {
  const server = await TestServer.open((_seen, _request, response) => {
    response.writeHead(307, { location: "https://other.example.com/?secret=1" }).end();
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin, redirects: 3 }, { log });
  const problem = "The upstream api redirects a request with a body elsewhere.";
  assert.is((await errorOf(upstream.post("/", { json: {} }))).message, problem);
  assert.equal(logged(), [failed({ method: "POST", problem })]);
});

test("retries are one line, which counts them, and none where one has succeeded", async () => {
  const retries = { max: 2, on: [503], methods: ["GET"] as const };
  const { upstream } = upstreamOf({ baseUrl: await answeringStatus(503), retries }, { log });
  await upstream.get("/");
  assert.equal(logged(), [failed({ status: 503, retries: 2 })]);
  let count = 0;
  const server = await TestServer.open((_seen, _request, response) => {
    response.writeHead(count++ === 0 ? 503 : 200, { "retry-after": "0" }).end("{}");
  });
  const { upstream: recovering } = upstreamOf({ baseUrl: server.origin, retries }, { log });
  assert.is((await recovering.get("/")).status, 200);
  assert.equal(logged(), []);
});

test("a connection that is refused, and an answer that is late, are named by what went wrong", async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => void closed.listen(0, "127.0.0.1", resolve));
  const { port } = closed.address() as { port: number };
  await new Promise((resolve) => closed.close(resolve));
  const { upstream } = upstreamOf({ baseUrl: `http://127.0.0.1:${port}` }, { log });
  await errorOf(upstream.get("/"));
  const problem = "The upstream api cannot be reached.";
  assert.equal(logged(), [failed({ problem, code: "ECONNREFUSED" })]);
  const silent = await TestServer.open(() => undefined);
  const { upstream: late } = upstreamOf({ baseUrl: silent.origin, timeoutMs: 20 }, { log });
  await errorOf(late.get("/"));
  assert.equal(logged(), [failed({ problem: "The upstream api did not answer within 20 ms." })]);
});

test("an upstream for which a call has used up its time is named, and not one that a caller no longer waits for", async () => {
  const silent = await TestServer.open(() => undefined);
  for (const [reason, expected] of [
    [new CallTimeout(8_000), [failed({ problem: "The call took longer than 8 s" })]],
    [new ToolError("The call was cancelled"), []],
  ] as const) {
    const { upstream, cancel } = upstreamOf({ baseUrl: silent.origin }, { log });
    const error = errorOf(upstream.get("/"));
    setTimeout(() => cancel(reason), 20);
    assert.is(await error, reason);
    assert.equal(logged(), expected);
  }
});

test("what a caller alone must read, such as a link to sign in with, is not logged", () => {
  const error = new ToolError("open https://a.example/connect?state=secret");
  const request = { upstream: "api", method: "GET", retries: 0 } as const;
  logOutcome(log, request, { error, isTemporary: false });
  assert.equal(logged(), []);
});

test.after(closeServers);
test.run();
