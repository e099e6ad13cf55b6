import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Authentication } from "../authentication/authentication.js";
import { keepCallerTokens, noteCallerToken } from "../authentication/caller-tokens.js";
import type { ActedFor } from "../context/acting.js";
import { closeServers, errorOf, TestServer, upstreamOf } from "../samples/local-internet.js";

keepCallerTokens();

/** How many tokens the upstreams of {@link manyCallers} keep. */
const KEPT = 5;

/** A caller with a token, as verification makes it. */
function callerWith(token: string, expiresAt?: number): Authentication {
  const claims = { sub: "ada" };
  const expiry = expiresAt === undefined ? {} : { expiresAt };
  const caller = { principal: "idp|ada", scopes: [], via: "jwt", claims, ...expiry } as const;
  noteCallerToken(caller, token);
  return caller;
}

const tokenIn = (body: string): string => new URLSearchParams(body).get("subject_token") ?? "";

/** A server that answers with the token it got, and gives `for-TOKEN-NUMBER` for each token. */
async function exchangeServer(life = 3_600, answer?: object): Promise<TestServer> {
  let count = 0;
  return TestServer.open(({ url, headers, body }, _request, response) => {
    response.setHeader("content-type", "application/json");
    if (url !== "/token") return void response.end(JSON.stringify(headers["authorization"]));
    const issued = { access_token: `for-${tokenIn(body)}-${++count}`, expires_in: life };
    if (answer !== undefined) response.statusCode = 400;
    setTimeout(() => response.end(JSON.stringify(answer ?? issued)), 5);
  });
}

function askedOf(server: TestServer, kind: "exchange" | "onBehalfOf" = "exchange") {
  const auth = {
    kind,
    tokenUrl: `${server.origin}/token`,
    clientId: "me",
    clientSecret: { env: "SECRET" },
    audience: "orders",
    scope: "read",
    sendIn: "form",
  } as const;
  return (caller?: Authentication) =>
    upstreamOf(
      { baseUrl: server.origin, auth },
      { env: { SECRET: "client-secret" }, ...(caller !== undefined && { caller }) },
    ).upstream;
}

const exchangesOf = (server: TestServer): string[] =>
  server.requests.filter(({ url }) => url === "/token").map(({ body }) => tokenIn(body));

const sentTo = (server: TestServer): unknown[] =>
  server.requests.filter(({ url }) => url !== "/token").map(({ headers }) => headers.authorization);

test("the token of a caller is exchanged in the form of RFC 8693, and the result is masked", async () => {
  const server = await exchangeServer();
  const answer = await askedOf(server)(callerWith("token-of-ada")).get("/");
  assert.is(answer.json(), "Bearer [masked]");
  assert.equal(sentTo(server), ["Bearer for-token-of-ada-1"]);
  assert.equal(Object.fromEntries(new URLSearchParams(server.requests[0]?.body)), {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: "token-of-ada",
    subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
    scope: "read",
    audience: "orders",
    client_id: "me",
    client_secret: "client-secret",
  });
});

test("on behalf of a caller, the form is that of Entra", async () => {
  const server = await exchangeServer();
  await askedOf(server, "onBehalfOf")(callerWith("token-of-ada")).get("/");
  const { grant_type, assertion, requested_token_use } = Object.fromEntries(
    new URLSearchParams(server.requests[0]?.body),
  );
  assert.equal(
    [grant_type, assertion, requested_token_use],
    ["urn:ietf:params:oauth:grant-type:jwt-bearer", "token-of-ada", "on_behalf_of"],
  );
});

/** One connection for many callers: what `upstreamOf` binds for one call each. */
async function manyCallers(server: TestServer) {
  const { createUpstreams } = await import("./upstreams.js");
  const auth = { kind: "exchange", clientId: "me", clientSecret: "s", sendIn: "form" } as const;
  const definition = {
    name: "api",
    baseUrl: server.origin,
    auth: { ...auth, tokenUrl: `${server.origin}/token` },
    timeoutMs: 5_000,
    private: true,
    redirects: 0,
  };
  const running = createUpstreams(
    { upstreams: [definition] },
    { env: {}, root: ".", upstreams: { keptTokens: KEPT } },
    { timeoutMs: 5_000 },
  );
  test.after(() => running.close());
  const { signal } = new AbortController();
  return async (caller?: Authentication): Promise<void> => {
    const { api } = running.bind({ signal }, undefined, undefined, caller?.principal, caller) as {
      api: { get(path: string): Promise<unknown> };
    };
    await api.get("/");
  };
}

test("a result is kept for the very token, and simultaneous calls wait for one exchange", async () => {
  const server = await exchangeServer();
  const ask = await manyCallers(server);
  const [wide, narrow] = [callerWith("wide"), callerWith("narrow")];
  await Promise.all([ask(wide), ask(wide), ask(narrow), ask(wide)]);
  await ask(narrow);
  // The same token of another request is another object.
  await ask(callerWith("wide"));
  assert.equal(exchangesOf(server).sort(), ["narrow", "wide"]);
  const sent = sentTo(server).map((one) => String(one).replace(/-\d+$/, ""));
  assert.is(sent.filter((one) => one === "Bearer for-wide").length, 4);
  assert.is(sent.filter((one) => one === "Bearer for-narrow").length, 2);
});

test("two callers whose calls interleave never share a token", async () => {
  const server = await exchangeServer();
  const ask = await manyCallers(server);
  const callers = ["ada", "bob"].map((name) => callerWith(name));
  for (let round = 0; round < 200; round++) await Promise.all(callers.map(ask));
  const sent = new Set(sentTo(server));
  assert.is(sent.size, 2);
  assert.is(exchangesOf(server).length, 2);
});

test("a result ends with the caller's token, and the least used is dropped when there are too many", async () => {
  const server = await exchangeServer();
  const ask = await manyCallers(server);
  const now = Date.now() / 1_000;
  await ask(callerWith("brief", now + 0.05));
  await new Promise((resolve) => setTimeout(resolve, 60));
  // The same token, with another expiry only so that the call is made.
  await ask(callerWith("brief", now + 60));
  assert.equal(exchangesOf(server), ["brief", "brief"]);
  await ask(callerWith("first"));
  for (let count = 0; count < KEPT; count++) await ask(callerWith(`t${count}`));
  await ask(callerWith("first"));
  await ask(callerWith(`t${KEPT - 1}`));
  const exchanged = exchangesOf(server);
  assert.is(exchanged.filter((token) => token === "first").length, 2);
  assert.is(exchanged.filter((token) => token === `t${KEPT - 1}`).length, 1);
});

test("who acts for whom is recorded once a call, and told to spans, without a token", async () => {
  const server = await exchangeServer();
  const told: unknown[] = [];
  const { createUpstreams } = await import("./upstreams.js");
  const client = { clientId: "books", clientSecret: "client-secret", sendIn: "form" } as const;
  const auth = { kind: "exchange", tokenUrl: `${server.origin}/token`, ...client } as const;
  const settings = { baseUrl: server.origin, timeoutMs: 5_000, private: true, redirects: 0 };
  const running = createUpstreams(
    {
      upstreams: [
        { name: "api", ...settings, auth },
        { name: "open", ...settings },
      ],
      traceRequest: (name, request, send, acting) => {
        told.push([name, acting]);
        return send(request);
      },
    },
    { env: {}, root: "." },
    { timeoutMs: 5_000 },
  );
  test.after(() => running.close());
  const actedFor: ActedFor[] = [];
  const { signal } = new AbortController();
  const caller = callerWith("token-of-ada");
  type Bound = Record<"api" | "open", { get(path: string): Promise<unknown> }>;
  const bound = running.bind(
    { signal },
    undefined,
    undefined,
    "idp|ada",
    caller,
    actedFor,
  ) as Bound;
  for (const name of ["open", "api", "api"] as const) await bound[name].get("/");
  const acting = { actor: "books", subject: "ada" };
  assert.equal(actedFor, [{ upstream: "api", ...acting }]);
  assert.equal(told, [
    ["open", undefined],
    ["api", acting],
    ["api", acting],
  ]);
});

test("callers without a token of their own, or with one that has ended, are refused in words", async () => {
  const server = await exchangeServer();
  const ask = askedOf(server);
  const key: Authentication = { principal: "key:ci", scopes: [], via: "apiKey" };
  const copied = { ...callerWith("token-of-ada") };
  for (const caller of [undefined, key, copied, callerWith("old", Date.now() / 1_000 - 1)]) {
    const { message } = await errorOf(ask(caller).get("/"));
    assert.match(message, "in the name of the caller, who has no valid token");
  }
  assert.is(server.requests.length, 0);
});

const START = "The upstream api cannot be asked in the name of the caller: ";

/** What the token endpoint answers with 400, and what the caller gets. */
const REFUSALS: readonly (readonly [answer: object, message: string])[] = [
  [
    { error: "invalid_grant", suberror: "consent_required", error_description: "Ask the admin" },
    `${START}consent required: Ask the admin`,
  ],
  [{ error: "interaction_required" }, `${START}interaction required`],
  [
    { error: "invalid_grant", error_description: "no use for token-of-ada\r\n\u001b[2J" },
    `${START}invalid grant: no use for [masked]`,
  ],
  [
    { error: "invalid_client", error_description: "x" },
    "The upstream api gave no access token (400).",
  ],
  [{ error: { toString: 1 } }, "The upstream api gave no access token (400)."],
];

test("a refused exchange is words for the caller, and nothing is sent instead", async () => {
  for (const [answer, expected] of REFUSALS) {
    const server = await exchangeServer(1, answer);
    const { message } = await errorOf(askedOf(server)(callerWith("token-of-ada")).get("/"));
    assert.ok(message.startsWith(expected), message);
    assert.not.match(message, "token-of-ada");
    assert.equal(sentTo(server), []);
  }
});

test("a refused token is not exchanged again for some seconds, and no other is held back", async () => {
  const refusing = await exchangeServer(1, { error: "invalid_grant" });
  const ask = await manyCallers(refusing);
  const now = Date.now();
  const clock = (time: number): void => void (Date.now = () => time);
  const realNow = Date.now;
  try {
    for (const [seconds, exchanges] of [
      [0, 1],
      [1, 1],
      [4, 1],
      [6, 2],
    ] as const) {
      clock(now + seconds * 1_000);
      const { message } = await errorOf(ask(callerWith("ada")));
      assert.match(message, "invalid grant");
      assert.is(refusing.requests.length, exchanges, `after ${seconds} s`);
    }
    await errorOf(ask(callerWith("bob")));
    assert.is(refusing.requests.length, 3);
    const failing = await exchangeServer(1, { error: "server_error" });
    const askAgain = await manyCallers(failing);
    await errorOf(askAgain(callerWith("ada")));
    await errorOf(askAgain(callerWith("ada")));
    assert.is(failing.requests.length, 2);
  } finally {
    Date.now = realNow;
  }
});

test("a redirect of the token endpoint is refused, as is a token that is no bearer token", async () => {
  const elsewhere = await exchangeServer();
  const answers: readonly [number, object, Record<string, string>][] = [
    [307, {}, { location: `${elsewhere.origin}/token` }],
    [200, { access_token: "a-token", token_type: "N_A" }, {}],
  ];
  for (const [status, body, headers] of answers) {
    const server = await TestServer.open((_seen, _request, response) => {
      response.writeHead(status, headers).end(JSON.stringify(body));
    });
    const { message } = await errorOf(askedOf(server)(callerWith("token-of-ada")).get("/"));
    assert.is(message, `The upstream api gave no access token (${status}).`);
    assert.is(server.requests.length, 1);
  }
  assert.is(elsewhere.requests.length, 0);
});

test("a token that the upstream refuses is exchanged once more", async () => {
  const server = await TestServer.open(({ url, headers }, _request, response) => {
    response.setHeader("content-type", "application/json");
    const count = server.requests.filter((one) => one.url === "/token").length;
    if (url === "/token") response.end(JSON.stringify({ access_token: `number-${count}` }));
    else response.writeHead(headers.authorization === "Bearer number-2" ? 200 : 401).end('"x"');
  });
  assert.is((await askedOf(server)(callerWith("token-of-ada")).get("/")).status, 200);
});

test.after(() => closeServers());

test.run();
