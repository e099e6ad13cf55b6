import { gzipSync } from "node:zlib";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { AuthenticationUnavailable } from "../authentication/authenticate.js";
import { closeServers, TestServer, type RecordedRequest } from "../samples/local-internet.js";
import { withStoppedClock } from "../samples/stopped-clock.js";
import { maxWaitMs } from "./authorization-server.js";
import { introspection } from "./introspection.js";
import { TokenRefused, type TokenVerifier } from "./verification.js";

const settings = {
  client: "books:server",
  secret: "s3cr%t",
  audience: ["https://books.example/mcp"],
  cacheMs: 10_000,
};

const active = { active: true, sub: "ada", aud: settings.audience, scope: "read write" };

type Answer = Parameters<typeof TestServer.open>[0];

/** The settings of an authorization server that answers with `answer`, and its requests. */
async function withAnswers(
  answer: Answer,
  body: (
    own: typeof settings & { readonly url: string },
    requests: readonly RecordedRequest[],
  ) => Promise<void>,
): Promise<void> {
  const server = await TestServer.open(answer);
  const url = `${server.origin}/introspect`;
  await withStoppedClock(async () => body({ ...settings, url }, server.requests));
}

function json(value: unknown): Answer {
  return (_seen, _request, response) => void response.end(JSON.stringify(value));
}

/** Returns the name of the error for a token, or "none" if the token is accepted. */
async function refusal(token: string, verifier: TokenVerifier): Promise<string> {
  try {
    await verifier.verify(token);
    return "none";
  } catch (error) {
    return (error as Error).name;
  }
}

test("a request has the server's own credentials, and its answer is cached", () =>
  withAnswers(json(active), async (own, requests) => {
    const verifier = introspection(own);
    const callers = await Promise.all(["a", "a", "a"].map((token) => verifier.verify(token)));
    assert.is(requests.length, 1);
    assert.is(callers[2]?.principal, `${new URL(own.url).origin}|ada`);
    assert.equal(callers[2]?.scopes, ["read", "write"]);
    const [request] = requests;
    assert.is(request?.method, "POST");
    assert.is(request?.body, "token=a&token_type_hint=access_token");
    assert.is(request?.headers["content-type"], "application/x-www-form-urlencoded");
    const encoded = request?.headers.authorization?.slice("Basic ".length);
    const credentials = Buffer.from(encoded ?? "", "base64").toString();
    assert.is(credentials, "books%3Aserver:s3cr%25t");
  }));

test("a token that is not active, or not meant for the server, is refused", async () => {
  for (const claims of [
    { active: false },
    { ...active, active: "true" },
    { ...active, aud: "https://other.example" },
    { ...active, aud: undefined },
    { ...active, exp: 1 },
    { ...active, nbf: 9_999_999_999 },
    { active: true, aud: settings.audience },
  ]) {
    await withAnswers(json(claims), async (own) =>
      assert.is(await refusal("a", introspection(own)), TokenRefused.name, JSON.stringify(claims)),
    );
  }
});

test("claims that are not texts are not read as texts", async () => {
  for (const claims of [
    { ...active, aud: [settings.audience] },
    { ...active, aud: { toString: 1 } },
    { ...active, iss: null },
    { ...active, iss: ["https://issuer.example"] },
    { ...active, iss: { toString: 1 } },
  ]) {
    await withAnswers(json(claims), async (own) =>
      assert.is(await refusal("a", introspection(own)), TokenRefused.name, JSON.stringify(claims)),
    );
  }
});

test("while the authorization server does not answer, a token is neither valid nor refused", async () => {
  const text = JSON.stringify(active);
  const problems: Readonly<Record<string, Answer>> = {
    "no answer": (_seen, request) => request.socket.destroy(),
    "an error": (_seen, _request, response) => response.writeHead(503).end("busy"),
    "an answer that breaks off": (_seen, request, response) => {
      response
        .writeHead(200, { "content-length": 1_000 })
        .write(text, () => request.socket.destroy());
    },
    "its own credentials refused": (_seen, _request, response) => response.writeHead(401).end(text),
    "a web page": (_seen, _request, response) => response.end("<html>"),
    "a list": json([active]),
    "too much": json({ ...active, padding: "x".repeat(300_000) }),
    "a redirect": (_seen, _request, response) =>
      response.writeHead(307, { location: "/elsewhere" }).end(text),
    "an answer in a compression that was not asked for": (_seen, _request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(text)),
  };
  for (const [name, answer] of Object.entries(problems)) {
    await withAnswers(answer, async (own, requests) => {
      assert.is(await refusal("a", introspection(own)), AuthenticationUnavailable.name, name);
      assert.is(requests.length, 1, name);
    });
  }
});

test("an authorization server may answer with any content type", () =>
  withAnswers(
    (_seen, _request, response) =>
      response.setHeader("content-type", "text/html").end(JSON.stringify(active)),
    async (own) => assert.is(await refusal("a", introspection(own)), "none"),
  ));

test("a cached answer is not used after its time, even if the authorization server does not answer", async () => {
  let isDown = false;
  await withAnswers(
    (_seen, request, response) => {
      if (isDown) request.socket.destroy();
      else response.end(JSON.stringify(active));
    },
    async (own, requests) => {
      const verifier = introspection({ ...own, cacheMs: 0 });
      assert.is(await refusal("a", verifier), "none");
      isDown = true;
      assert.is(await refusal("a", verifier), AuthenticationUnavailable.name);
      isDown = false;
      assert.is(await refusal("a", verifier), "none");
      assert.is(requests.length, 3);
    },
  );
});

test("a call waits at most five seconds, also for an answer that comes byte by byte", async () => {
  const { timeout } = AbortSignal;
  const waits: number[] = [];
  const answers: Readonly<Record<string, Answer>> = {
    nothing: () => undefined,
    "headers only": (_seen, _request, response) => response.flushHeaders(),
    "a byte": (_seen, _request, response) => void response.write("{"),
  };
  for (const [name, answer] of Object.entries(answers)) {
    const time = new AbortController();
    AbortSignal.timeout = (ms) => {
      waits.push(ms);
      return time.signal;
    };
    try {
      await withAnswers(
        (...parts) => {
          answer(...parts);
          setTimeout(() => time.abort(new DOMException("time is up", "TimeoutError")), 20);
        },
        async (own) =>
          assert.is(await refusal("a", introspection(own)), AuthenticationUnavailable.name, name),
      );
    } finally {
      AbortSignal.timeout = timeout;
    }
  }
  assert.equal(waits, [maxWaitMs, maxWaitMs, maxWaitMs]);
  assert.is(maxWaitMs, 5_000);
});

test.after(() => closeServers());

test.run();
