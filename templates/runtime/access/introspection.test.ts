import { test } from "uvu";
import * as assert from "uvu/assert";
import { AuthenticationUnavailable } from "../authentication/authenticate.js";
import { withStoppedClock } from "../samples/stopped-clock.js";
import { maxWaitMs } from "./fetch-json.js";
import { introspection } from "./introspection.js";
import { TokenRefused } from "./verification.js";

const settings = {
  url: "https://idp.example/introspect",
  client: "books:server",
  secret: "s3cr%t",
  audience: ["https://books.example/mcp"],
  cacheMs: 10_000,
};

const active = { active: true, sub: "ada", aud: settings.audience, scope: "read write" };

/** Runs a test with an authorization server that answers with `answer`. */
async function withAnswers(
  answer: (request: RequestInit) => Promise<Response>,
  body: (requests: RequestInit[]) => Promise<void>,
): Promise<void> {
  const originalFetch = globalThis.fetch;
  const requests: RequestInit[] = [];
  globalThis.fetch = (_url, request = {}) => {
    requests.push(request);
    return answer(request);
  };
  try {
    await withStoppedClock(async (advance) => {
      advance(0);
      await body(requests);
    });
  } finally {
    globalThis.fetch = originalFetch;
  }
}

/** Returns the name of the error for a token, or "none" if the token is accepted. */
async function refusal(token: string, verifier = introspection(settings)): Promise<string> {
  try {
    await verifier.verify(token);
    return "none";
  } catch (error) {
    return (error as Error).name;
  }
}

test("a request has the server's own credentials, and its answer is cached", async () => {
  await withAnswers(
    async () => Response.json(active),
    async (requests) => {
      const verifier = introspection(settings);
      const callers = await Promise.all(["a", "a", "a"].map((token) => verifier.verify(token)));
      assert.is(requests.length, 1);
      assert.is(callers[2]?.principal, "https://idp.example|ada");
      assert.equal(callers[2]?.scopes, ["read", "write"]);
      const encoded = new Headers(requests[0]?.headers)
        .get("authorization")
        ?.slice("Basic ".length);
      const credentials = Buffer.from(encoded ?? "", "base64").toString();
      assert.is(credentials, "books%3Aserver:s3cr%25t");
    },
  );
});

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
    await withAnswers(
      async () => Response.json(claims),
      async () => assert.is(await refusal("a"), TokenRefused.name, JSON.stringify(claims)),
    );
  }
});

test("while the authorization server does not answer, a token is neither valid nor refused", async () => {
  const problems: readonly (() => Promise<Response>)[] = [
    () => Promise.reject(new TypeError("fetch failed")),
    async () => new Response("busy", { status: 503 }),
    async () => new Response("who are you", { status: 401 }),
    async () => new Response("<html>"),
    async () => Response.json([active]),
  ];
  for (const answer of problems) {
    await withAnswers(answer, async () => {
      assert.is(await refusal("a"), AuthenticationUnavailable.name, String(answer));
    });
  }
});

test("a cached answer is not used after its time, even if the authorization server does not answer", async () => {
  let isDown = false;
  await withAnswers(
    async () => (isDown ? Promise.reject(new TypeError("down")) : Response.json(active)),
    async (requests) => {
      const verifier = introspection({ ...settings, cacheMs: 0 });
      assert.is(await refusal("a", verifier), "none");
      isDown = true;
      assert.is(await refusal("a", verifier), AuthenticationUnavailable.name);
      isDown = false;
      assert.is(await refusal("a", verifier), "none");
      assert.is(requests.length, 3);
    },
  );
});

test("a call waits at most five seconds for the authorization server", async () => {
  const { timeout } = AbortSignal;
  const waits: number[] = [];
  AbortSignal.timeout = (ms) => {
    waits.push(ms);
    return AbortSignal.abort(new DOMException("time is up", "TimeoutError"));
  };
  try {
    await withAnswers(
      ({ signal }) => Promise.reject(signal?.reason as Error),
      async () => assert.is(await refusal("a"), AuthenticationUnavailable.name),
    );
  } finally {
    AbortSignal.timeout = timeout;
  }
  assert.equal(waits, [maxWaitMs]);
  assert.is(maxWaitMs, 5_000);
});

test.run();
