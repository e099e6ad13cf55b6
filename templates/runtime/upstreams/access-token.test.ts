import { gzipSync } from "node:zlib";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Masking } from "../backends/masking.js";
import { closeServers, errorOf, TestServer, upstreamOf } from "../samples/local-internet.js";

/** A server that issues tokens, and accepts only the latest one. */
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
    const isValid = headers.authorization === `Bearer token-number-${count}`;
    response.writeHead(isValid ? 200 : 401).end('"answer"');
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

test("client credentials: simultaneous requests share one token", async () => {
  const server = await tokenServer(3_600);
  const { upstream } = withTokens(server);
  const answers = await Promise.all([1, 2, 3].map((id) => upstream.get(`/${id}`)));
  assert.equal(
    answers.map((answer) => answer.json()),
    ["answer", "answer", "answer"],
  );
  await upstream.get("/4");
  const [token, ...others] = server.requests.filter(({ url }) => url === "/token");
  assert.is(others.length, 0);
  assert.is(token?.body, "grant_type=client_credentials&scope=read+write");
  const pair = Buffer.from("me:client%20s3cret").toString("base64");
  assert.is(token?.headers.authorization, `Basic ${pair}`);
});

test("client credentials: they can be sent in a form, and an expired token is replaced", async () => {
  const server = await tokenServer(0.000_001);
  const { upstream } = withTokens(server, "form");
  await upstream.get("/1");
  // The token has ended only when the clock has moved on.
  await delay(5);
  await upstream.get("/2");
  const tokens = server.requests.filter(({ url }) => url === "/token");
  assert.is(tokens.length, 2);
  assert.match(tokens[0]?.body ?? "", "client_id=me&client_secret=client+s3cret");
});

test("client credentials: a refused token is replaced once", async () => {
  let accepted = "none";
  const server = await TestServer.open(({ url, headers }, _request, response) => {
    if (url === "/token") response.end(JSON.stringify({ access_token: "same-old-token" }));
    else response.writeHead(headers.authorization === accepted ? 200 : 401).end('"x"');
  });
  const { upstream } = withTokens(server);
  assert.is((await upstream.get("/")).status, 401);
  assert.is(server.requests.length, 4);
  accepted = "Bearer same-old-token";
  assert.is((await upstream.get("/")).status, 200);
});

test("client credentials: calls succeed after the clock jumps", async () => {
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
    // The clock was set back: the token has expired only for the upstream.
    accepted += 1;
    assert.is((await upstream.get("/")).status, 200);
  } finally {
    Date.now = now;
  }
});

test("client credentials: the message about a refused token request has no secret", async () => {
  const server = await tokenServer(undefined, true);
  const { upstream } = withTokens(server);
  const error = await errorOf(upstream.get("/"));
  assert.is(error.message, "The upstream api gave no access token (400).");
});

test("client credentials: a cancelled caller does not wait for the token", async () => {
  const server = await tokenServer(3_600);
  const { upstream, cancel } = withTokens(server);
  const failure = errorOf(upstream.get("/"));
  await new Promise((resolve) => setTimeout(resolve, 5));
  const reason = new Error("gone");
  cancel(reason);
  assert.is(await failure, reason);
});

test("client credentials: neither the token endpoint nor the upstream opens private addresses for the other", async () => {
  const tokens = await TestServer.answering({ access_token: "token-of-the-test" });
  const api = await TestServer.open(({ url }, _request, response) => {
    if (url === "/leave") response.writeHead(302, { location: `${tokens.origin}/inner` }).end();
    else response.end('"answer"');
  });
  const auth = {
    kind: "clientCredentials",
    tokenUrl: `${tokens.origin}/token`,
    clientId: "me",
    clientSecret: "s3cr3t",
    sendIn: "form",
  } as const;
  const { upstream } = upstreamOf({ baseUrl: api.origin, auth, redirects: 2 });
  assert.is((await upstream.get("/")).json(), "answer");
  const { message } = await errorOf(upstream.get("/leave"));
  assert.match(message, "not public and not of its own origin");
  assert.equal(
    tokens.requests.map(({ url }) => url),
    ["/token"],
  );
});

type TokenAnswer = Parameters<typeof TestServer.open>[0];

const answerWith =
  (body: string, status = 200, headers: Record<string, string> = {}): TokenAnswer =>
  (_seen, _request, response) =>
    void response.writeHead(status, headers).end(body);

const TOKEN = '{"access_token":"token-of-the-test"}';
const NO_TOKEN = "The upstream api gave no access token (200).";

/** What a token endpoint may answer, and what the caller gets: the answer of the upstream, or a message. */
const TOKEN_ANSWERS: Readonly<Record<string, readonly [answer: TokenAnswer, message: string]>> = {
  "another content type": [answerWith(TOKEN, 200, { "content-type": "text/html" }), "answer"],
  "a page": [answerWith("<html>", 200, { "content-type": "text/html" }), NO_TOKEN],
  nothing: [answerWith(""), NO_TOKEN],
  "no object": [answerWith("null"), NO_TOKEN],
  "a list": [answerWith(`[${TOKEN}]`), NO_TOKEN],
  "a token that is no text": [answerWith('{"access_token":{"toString":1}}'), NO_TOKEN],
  "a token with a line break": [answerWith('{"access_token":"a\\r\\nx-admin: 1"}'), NO_TOKEN],
  "a token that no header can hold": [answerWith('{"access_token":"\\u0000\\u2028"}'), NO_TOKEN],
  "deep JSON": [
    answerWith(`{"access_token":${"[".repeat(20_000)}${"]".repeat(20_000)}}`),
    NO_TOKEN,
  ],
  "strange lifetimes": [
    answerWith('{"access_token":"token-of-the-test","expires_in":-1e999,"token_type":7}'),
    "answer",
  ],
  "a redirect": [
    answerWith(TOKEN, 307, { location: "/token2" }),
    "The upstream api gave no access token (307).",
  ],
  "too much": [
    answerWith(`{"access_token":"${"x".repeat(70_000)}"}`),
    "The answer of the upstream api is longer than 65536 bytes.",
  ],
  "compressed zeros": [
    (_seen, _request, response) =>
      void response
        .writeHead(200, { "content-encoding": "gzip" })
        .end(gzipSync(Buffer.alloc(20_000_000))),
    "The answer of the upstream api is longer than 65536 bytes.",
  ],
  "a byte at a time": [
    (_seen, _request, response) => {
      const timer = setInterval(() => response.write(" "), 10);
      response.once("close", () => clearInterval(timer));
    },
    "The token endpoint of the upstream api did not answer within 300 ms.",
  ],
  silence: [
    () => undefined,
    "The token endpoint of the upstream api did not answer within 300 ms.",
  ],
  "a broken connection": [
    (_seen, request) => void request.socket.destroy(),
    "The token endpoint of the upstream api broke off the connection.",
  ],
};

test("client credentials: whatever the token endpoint answers, the caller gets a sentence or the answer", async () => {
  for (const [name, [answer, expected]] of Object.entries(TOKEN_ANSWERS)) {
    const server = await TestServer.open((seen, request, response) => {
      if (seen.url === "/token") answer(seen, request, response);
      else response.end('"answer"');
    });
    const auth = {
      kind: "clientCredentials",
      tokenUrl: `${server.origin}/token`,
      clientId: "me",
      clientSecret: "a-secret",
      sendIn: "form",
    } as const;
    const retries = { max: 2, on: [503], methods: ["GET"] };
    const timeoutMs = expected.endsWith("within 300 ms.") ? 300 : 30_000;
    const stated = { baseUrl: server.origin, auth, timeoutMs, retries, redirects: 3 };
    const { upstream } = upstreamOf(stated);
    const message = await upstream.get("/x").then(
      (answered) => answered.json(),
      ({ message }: Error) => message,
    );
    assert.is(message, expected, name);
    const urls = server.requests.map(({ url }) => url);
    assert.equal(urls, expected === "answer" ? ["/token", "/x"] : ["/token"], name);
  }
});

test("client credentials: many tokens that end at once leave nothing behind", async () => {
  let count = 0;
  const server = await TestServer.open(({ url }, _request, response) => {
    if (url === "/token") count++;
    const token = `token-number-${count}-of-the-test`;
    const answer = url === "/token" ? { access_token: token, expires_in: 0.000_001 } : token;
    response.end(JSON.stringify(answer));
  });
  const { upstream } = withTokens(server);
  const masking = Masking.prototype;
  const { add } = masking;
  const masked = new Set<Masking>();
  masking.add = function (this: Masking, secret: string) {
    masked.add(this);
    return add.call(this, secret);
  };
  try {
    // Calls in one millisecond share a token.
    while (count <= 50) assert.is((await upstream.get("/x")).json(), "[masked]");
  } finally {
    masking.add = add;
  }
  const [own] = masked;
  const isMasked = (number: number): boolean =>
    own?.text(`token-number-${number}-of-the-test`) === "[masked]";
  assert.ok(isMasked(count), "the latest token");
  assert.not.ok(isMasked(1), "the first token");
});

test.after(() => closeServers());

test.run();
