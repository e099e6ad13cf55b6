import { request } from "node:http";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { AuthenticationUnavailable, type Authenticator } from "./authenticate.js";
import type { Authentication } from "./authentication.js";
import { createFilteredList } from "./filtered-lists.js";
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
  await Promise.all(running.map((http) => http.close()));
});

/** A server with the tool `guarded`. `authenticate` identifies its callers. */
function makeServer(
  authenticate?: (request?: unknown) => unknown,
  parts: Partial<ServerDefinition> = {},
  resource: Pick<Authenticator, "protectedResource"> = {},
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
        authentication: {
          authenticate: authenticate as (request: unknown) => Authentication | undefined,
          ...resource,
        },
      }),
    },
  );
}

async function listenTo(server: RunningServer): Promise<RunningHttp> {
  const http = await listen(server, [httpEndpoint(server, definition)]);
  running.push(http);
  return http;
}

async function call(
  server: RunningServer,
  name = "guarded",
  values: object = {},
): Promise<RawAnswer> {
  const http = await listenTo(server);
  return sendRaw(modernRequest(http.url, "tools/call", { name, arguments: values }));
}

test("a token may begin and end with any byte but spaces and tabs, which belong to the header", async () => {
  const tokens: unknown[] = [];
  const server = makeServer((request) => {
    tokens.push((request as { token?: string }).token);
    return { principal: "ada", scopes: ["write"] };
  });
  const { url } = await listenTo(server);
  const send = (authorization: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { authorization, "content-type": "application/json" };
      request(url, { method: "POST", headers }, (answer) => {
        answer.resume().on("end", resolve);
      })
        .on("error", reject)
        .end(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}'));
    });
  // Headers carry Latin-1: these are the bytes of UTF-8, some of which are spaces in JavaScript.
  const keys = ["à", "key\u00a0", "\u00a0key", "\u0085", "a b", "\u3000"].map((key) =>
    Buffer.from(key).toString("latin1"),
  );
  for (const key of ["\u00a0", "x\u00a0", "\u0085x", ...keys]) {
    await send(`Bearer  ${key} \t `);
    assert.is(tokens.pop(), key, JSON.stringify(key));
  }
});

test("a server whose items need scopes refuses all requests if it authenticates nobody", async () => {
  const server = makeServer();
  const { status, headers } = await call(server);
  assert.equal([status, headers.get("www-authenticate")], [401, "Bearer"]);
  const request = modernRequest("http://localhost/mcp", "tools/call", { name: "guarded" });
  assert.is((await server.fetch(request)).status, 401);
});

test("clients are told of the initial scopes instead of those of all items", async () => {
  const protectedResource = {
    ...{ resource: "https://books.example/mcp", authorizationServers: [] },
    ...{ scopePrefix: "api://", initialScopes: ["read", "list"] },
  };
  const server = makeServer(() => undefined, {}, { protectedResource });
  const { url } = await listenTo(server);
  const { headers } = await sendRaw(modernRequest(url, "tools/list", {}));
  assert.match(headers.get("www-authenticate") ?? "", 'Bearer scope="api://read api://list", res');
  const page = await fetch(new URL("/.well-known/oauth-protected-resource/mcp", url));
  const { scopes_supported: scopes } = (await page.json()) as { scopes_supported: unknown };
  assert.equal(scopes, ["api://read", "api://list"]);
});

test("a caller has only the scopes that authenticate returns", async () => {
  const ada = (scopes: readonly string[]) => ({ principal: "ada", scopes });
  assert.is((await call(makeServer(() => ada(["write", "read"])))).status, 200);
  assert.is((await call(makeServer(() => ada(["writes"])))).status, 403);
  assert.is((await call(makeServer(() => ada([])))).status, 403);
});

test("a tool that is called through `call_tool` needs its scopes, too", async () => {
  const parts = { createSearchedTools, exposure: { listed: [] as string[] } };
  const as = (...scopes: string[]) => makeServer(() => ({ principal: "ada", scopes }), parts);
  const guarded = { name: "guarded", arguments: {} };
  const refusal = await call(as("read"), "call_tool", guarded);
  assert.match(refusal.text, "Tool guarded not found", "a search does not find it");
  parts.exposure.listed.push("guarded");
  const challenge = await call(as("read"), "call_tool", guarded);
  assert.is(challenge.status, 403, "the list shows it");
  assert.match(challenge.headers.get("www-authenticate") ?? "", 'scope="write"');
  parts.exposure.listed.pop();
  assert.match((await call(as("write"), "call_tool", guarded)).text, '"text":"done"');
  const search = { query: "guarded" };
  assert.match((await call(as("read"), "search_tools", search)).text, '"tools":[]');
  assert.match((await call(as("write"), "search_tools", search)).text, '"name":"guarded"');
});

test("while callers cannot be authenticated, the answer is 503 with Retry-After", async () => {
  const server = makeServer(() => {
    throw new AuthenticationUnavailable("the issuer is down");
  });
  const { status, headers, text } = await call(server);
  assert.equal([status, headers.get("retry-after")], [503, "5"]);
  assert.not.match(text, "issuer");
  assert.match(lines.join(), "the issuer is down");
});

test("a public method needs no token and gives no scopes, and other requests need a token", async () => {
  const parts = {
    publicMethods: ["server/discover", "tools/list"],
    createPagedList: createFilteredList,
  };
  const authenticate = (request?: unknown) =>
    (request as { token?: string }).token === "ada"
      ? { principal: "ada", scopes: ["write"] }
      : undefined;
  const http = await listenTo(makeServer(authenticate, parts));
  // The fast path does not accept the second content type.
  for (const type of ["application/json", "application/json; charset=utf-8"]) {
    const ask = (method: string, headers = {}, inBody = method): Promise<RawAnswer> => {
      const params = inBody === "tools/call" ? { name: "guarded", arguments: {} } : {};
      const requestHeaders = { "content-type": type, "mcp-method": method, ...headers };
      return sendRaw(modernRequest(http.url, inBody, params, requestHeaders));
    };
    assert.is((await ask("server/discover")).status, 200);
    const anonymous = await ask("tools/list");
    assert.match(anonymous.text, '"tools":[]');
    assert.is((await ask("tools/call")).status, 401);
    assert.is(
      (await ask("tools/list", {}, "tools/call")).status,
      401,
      "the method in the body counts",
    );
    assert.is((await ask("tools/list", { authorization: "Bearer bad" })).status, 401);
    const authorized = await ask("tools/list", { authorization: "Bearer ada" });
    assert.match(authorized.text, '"name":"guarded"');
  }
  const long = { "x-padding": "x".repeat(70_000) };
  const request = modernRequest(http.url, "tools/list", long, {});
  assert.is((await sendRaw(request)).status, 401, "the body is too large for an anonymous caller");
});

test("authenticate may return a caller, a promise or another thenable of one", async () => {
  const ada = { principal: "ada", scopes: ["write"] };
  const thenable = { then: (resolve: (caller: object) => void) => resolve(ada) };
  for (const returned of [ada, Promise.resolve(ada), thenable])
    assert.is((await call(makeServer(() => returned))).status, 200);
});

test("a failure of authenticate is logged, and refused with status 500", async () => {
  const thrown = (): never => {
    throw new Error("thrown at once");
  };
  for (const fail of [thrown, () => Promise.reject(new Error("rejected later"))]) {
    const { status, text } = await call(makeServer(fail));
    assert.is(status, 500);
    assert.not.match(text, /at once|later/);
  }
  assert.match(lines.join(), /thrown at once.*rejected later/s);
});

test("a caller without a principal or scopes is refused with status 500", async () => {
  for (const invalid of [{}, { principal: "", scopes: ["write"] }, { principal: "ada" }]) {
    assert.is((await call(makeServer(() => invalid))).status, 500, JSON.stringify(invalid));
  }
  assert.match(lines.join(), "authenticate returned no principal");
});

test("credentials expire at the second of expiresAt", () => {
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
