import { test } from "uvu";
import * as assert from "uvu/assert";
import { AuthenticationUnavailable } from "./authenticate.js";
import type { Authentication } from "./authentication.js";
import type { ServerDefinition } from "../engine/definition.js";
import { createSearchedTools } from "../search/search.js";
import { createServer, type RunningServer } from "../server/create-server.js";
import type { HttpDefinition } from "../http/definition.js";
import { hasExpired } from "./http-authentication.js";
import { httpEndpoint } from "../http/endpoint.js";
import { listen } from "../http/listener.js";
import { createLog } from "../observe/log.js";
import { modernRequest, sendRaw, type RawAnswer } from "../suite/clients/http.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import type { RunningHttp } from "../http/transport.js";

const definition = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const running: RunningHttp[] = [];
const lines: string[] = [];

test.after(async () => {
  await Promise.all(running.map((one) => one.close()));
});

/** A server with the tool `guarded`, whose callers are who the function says; nobody asks without it. */
function makeServer(
  authenticate?: () => unknown,
  parts: Partial<ServerDefinition> = {},
): RunningServer {
  const guarded = tool(
    "guarded",
    erased(() => "done"),
    { scopes: ["write"] },
  );
  return createServer(
    { ...sampleServer, tools: [guarded], ...parts },
    {
      root: process.cwd(),
      log: createLog({ write: (line) => void lines.push(line) }),
      ...(authenticate && {
        authentication: { authenticate: authenticate as () => Authentication | undefined },
      }),
    },
  );
}

async function call(
  server: RunningServer,
  name = "guarded",
  values: object = {},
): Promise<RawAnswer> {
  const http = await listen(server, [httpEndpoint(server, definition)]);
  running.push(http);
  return sendRaw(modernRequest(http.url, "tools/call", { name, arguments: values }));
}

test("a server whose items need scopes is closed until it knows its callers", async () => {
  const server = makeServer();
  const { status, headers } = await call(server);
  assert.equal([status, headers.get("www-authenticate")], [401, "Bearer"]);
  const request = modernRequest("http://localhost/mcp", "tools/call", { name: "guarded" });
  assert.is((await server.fetch(request)).status, 401);
});

test("a caller has the scopes that authenticate says, and no others", async () => {
  const ada = (scopes: readonly string[]) => ({ principal: "ada", scopes });
  assert.is((await call(makeServer(() => ada(["write", "read"])))).status, 200);
  assert.is((await call(makeServer(() => ada(["writes"])))).status, 403);
  assert.is((await call(makeServer(() => ada([])))).status, 403);
});

test("a tool that is found by searching needs its scopes all the same", async () => {
  const parts = { createSearchedTools, exposure: { listed: [] } };
  const as = (...scopes: string[]) => makeServer(() => ({ principal: "ada", scopes }), parts);
  const guarded = { name: "guarded", arguments: {} };
  const refused = await call(as("read"), "call_tool", guarded);
  assert.is(refused.status, 403);
  assert.match(refused.headers.get("www-authenticate") ?? "", 'scope="write"');
  assert.match((await call(as("write"), "call_tool", guarded)).text, '"text":"done"');
  const search = { query: "guarded" };
  assert.match((await call(as("read"), "search_tools", search)).text, '"tools":[]');
  assert.match((await call(as("write"), "search_tools", search)).text, '"name":"guarded"');
});

test("while nobody can say who calls, the answer is 503, and says when to come again", async () => {
  const server = makeServer(() => {
    throw new AuthenticationUnavailable("the issuer is down");
  });
  const { status, headers, text } = await call(server);
  assert.equal([status, headers.get("retry-after")], [503, "5"]);
  assert.not.match(text, "issuer");
  assert.match(lines.join(), "the issuer is down");
});

test("an authenticate that returns nobody's name lets nobody in", async () => {
  for (const wrong of [{}, { principal: "", scopes: ["write"] }, { principal: "ada" }]) {
    assert.is((await call(makeServer(() => wrong))).status, 500, JSON.stringify(wrong));
  }
  assert.match(lines.join(), "authenticate returned no principal");
});

test("credentials run out at their second", () => {
  const until = (expiresAt?: number): Authentication => ({
    ...{ principal: "ada", scopes: [] },
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
  assert.is(hasExpired(until(), 1e15), false);
  assert.is(hasExpired(until(10), 9_999), false);
  assert.is(hasExpired(until(10), 10_000), true);
  assert.is(hasExpired(until(NaN), 0), true);
});

test.run();
