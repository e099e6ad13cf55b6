import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from "jose";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { AuthenticationUnavailable, type ManifestAuth } from "../authentication/authenticate.js";
import { closeServers, TestServer } from "../samples/local-internet.js";
import { withStoppedClock } from "../samples/stopped-clock.js";
import { jwtIssuer } from "./jwt.js";
import { verification } from "./verification.js";

const AUDIENCE = "https://books.example/mcp";

interface Key {
  readonly kid: string;
  readonly sign: CryptoKey;
  readonly publicKey: JWK;
}

async function newKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  return {
    kid,
    sign: privateKey,
    publicKey: { ...(await exportJWK(publicKey)), kid, alg: "ES256" },
  };
}

/** An issuer whose answers a test can change. */
interface TestIssuer {
  readonly url: string;
  /** The keys that it publishes. */
  keys: readonly Key[];
  /** If set, answers requests in place of the issuer. */
  override: RequestListener | undefined;
  /** The number of requests for its keys. */
  fetched: number;
  /** Makes a token. It names its key only if `key` has a `kid`. */
  token(key: Pick<Key, "sign"> & Partial<Key>, header?: object): Promise<string>;
  readonly verify: ManifestAuth["verify"];
}

/** The messages and data of the log. */
const log: unknown[] = [];

async function withIssuer(body: (issuer: TestIssuer) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    if (issuer.override !== undefined) return void issuer.override(request, response);
    const isMetadata = request.url?.startsWith("/.well-known/oauth-authorization-server");
    if (!isMetadata) issuer.fetched += 1;
    const { url } = issuer;
    const keys = issuer.keys.map((key) => key.publicKey);
    response.end(JSON.stringify(isMetadata ? { issuer: url, jwks_uri: `${url}/keys` } : { keys }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { issuer: url, audience: [AUDIENCE], algorithms: ["ES256"] };
  const write = (message: unknown, data?: unknown): number => log.push(message, data);
  const project = { root: "/", log: { info: write } as never };
  const verifier = verification([jwtIssuer(settings, project)], project);
  const verify: ManifestAuth["verify"] = async (token) => verifier.verify(token);
  const issuer: TestIssuer = {
    url,
    keys: [],
    override: undefined,
    fetched: 0,
    verify,
    token: ({ kid, sign }, header) =>
      new SignJWT({ sub: "ada" })
        .setProtectedHeader({ alg: "ES256", ...(kid !== undefined && { kid }), ...header })
        .setIssuer(url)
        .setAudience(AUDIENCE)
        .setExpirationTime("1h")
        .sign(sign),
  };
  try {
    await body(issuer);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function isUnavailable(result: Promise<unknown>): Promise<boolean> {
  try {
    await result;
    return false;
  } catch (error) {
    if (error instanceof AuthenticationUnavailable) return true;
    throw error;
  }
}

test("a token that names no key is accepted if any key of its type verifies it", () =>
  withIssuer(async (issuer) => {
    const [first, second, stranger] = (await Promise.all(["a", "b", "c"].map(newKey))) as [
      Key,
      Key,
      Key,
    ];
    issuer.keys = [first, second];
    for (const { sign } of issuer.keys) {
      assert.is(
        (await issuer.verify(await issuer.token({ sign })))?.principal,
        `${issuer.url}|ada`,
      );
    }
    assert.is(await issuer.verify(await issuer.token({ sign: stranger.sign })), undefined);
  }));

const down: RequestListener = (request) => request.socket.destroy();

test("keys are fetched once for many calls, and for unknown keys at most once a minute", () =>
  withStoppedClock((advance) =>
    withIssuer(async (issuer) => {
      const [first, second, third] = await Promise.all(["a", "b", "c"].map(newKey));
      issuer.keys = [first as Key];
      const token = await issuer.token(first as Key);
      const callers = await Promise.all(Array.from({ length: 20 }, () => issuer.verify(token)));
      assert.ok(callers.every((caller) => caller?.principal === `${issuer.url}|ada`));
      assert.is(issuer.fetched, 1);
      issuer.keys = [second as Key];
      assert.ok(await issuer.verify(await issuer.token(second as Key)));
      assert.is(await issuer.verify(token), undefined, "the former key");
      const stranger = await issuer.token(third as Key);
      for (let count = 0; count < 10; count += 1) {
        assert.is(await issuer.verify(stranger), undefined);
      }
      assert.is(issuer.fetched, 2);
      advance(61_000);
      assert.is(await issuer.verify(stranger), undefined);
      assert.is(issuer.fetched, 3);
    }),
  ));

test("without cached keys, a token with an unknown key needs only one fetch", () =>
  withIssuer(async (issuer) => {
    issuer.keys = [await newKey("a")];
    const stranger = await issuer.token(await newKey("b"));
    assert.is(await issuer.verify(stranger), undefined);
    assert.is(issuer.fetched, 1);
  }));

test("an issuer without metadata of RFC 8414 may answer anything at that URL", async () => {
  const answers: readonly RequestListener[] = [
    (_request, response) => response.end("<html>"),
    (_request, response) => response.writeHead(302, { location: "/sign-in" }).end(),
    (_request, response) => response.writeHead(404).end(),
  ];
  for (const answer of answers) {
    await withIssuer(async (issuer) => {
      const key = await newKey("a");
      const { url } = issuer;
      issuer.override = (request, response) => {
        if (request.url === "/keys") response.end(JSON.stringify({ keys: [key.publicKey] }));
        else if (request.url !== "/.well-known/openid-configuration") answer(request, response);
        else response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
      };
      assert.ok(await issuer.verify(await issuer.token(key)), String(answer));
    });
  }
});

test("with an unusable key of the issuer, a token is neither valid nor refused", () =>
  withIssuer(async (issuer) => {
    const key = await newKey("a");
    issuer.keys = [{ ...key, publicKey: { ...key.publicKey, x: "AAAA" } }];
    assert.ok(await isUnavailable(issuer.verify(await issuer.token(key))));
  }));

test("a URL with a password is refused at start, and the message does not repeat it", () => {
  const issuer = "https://books:hunter2@idp.example";
  const settings = { issuer, audience: [AUDIENCE], algorithms: ["ES256"] };
  try {
    jwtIssuer(settings, { root: "/", log: {} as never });
    assert.unreachable("it was accepted");
  } catch (error) {
    assert.match(String(error), "without a user and a password");
    assert.not.match(String(error), "hunter2");
  }
});

test("a token is verified again only if it has expired or its issuer has other keys", () =>
  withStoppedClock(() =>
    withIssuer(async (issuer) => {
      const [first, second] = await Promise.all(["a", "b"].map(newKey));
      issuer.keys = [first as Key];
      const token = await issuer.token(first as Key);
      await issuer.verify(token);
      const caller = await issuer.verify(token);
      assert.is(await issuer.verify(token), caller, "the same object");
      const now = Date.now();
      const { now: realNow } = Date;
      try {
        Date.now = () => now + 2 * 3_600_000;
        const refused = await issuer.verify(token);
        assert.ok(refused === undefined || refused !== caller, "it is verified again");
      } finally {
        Date.now = realNow;
      }
      issuer.keys = [second as Key];
      assert.ok(await issuer.verify(await issuer.token(second as Key)));
      assert.is(await issuer.verify(token), undefined, "its key is no longer known");
    }),
  ));

test("while the issuer is down, cached keys stay valid, and tokens with other keys are neither valid nor refused", () =>
  withStoppedClock((advance) =>
    withIssuer(async (issuer) => {
      const [publishedKey, laterKey] = await Promise.all(["a", "b"].map(newKey));
      issuer.keys = [publishedKey as Key];
      const token = await issuer.token(publishedKey as Key);
      assert.ok(await issuer.verify(token));
      issuer.override = down;
      const other = await issuer.token(laterKey as Key);
      for (const minutes of [0, 9, 60]) {
        advance(minutes * 60_000);
        assert.ok(await issuer.verify(token), `after ${minutes} minutes`);
        assert.ok(await isUnavailable(issuer.verify(other)), `after ${minutes} minutes`);
      }
      issuer.override = undefined;
      issuer.keys = [publishedKey as Key, laterKey as Key];
      advance(6_000);
      assert.ok(await issuer.verify(other), "when it is back");
    }),
  ));

test("without keys, calls fail for five seconds after a failed fetch, and then keys are fetched again", () =>
  withStoppedClock((advance) =>
    withIssuer(async (issuer) => {
      const key = await newKey("a");
      issuer.keys = [key];
      const token = await issuer.token(key);
      let asked = 0;
      issuer.override = (request) => {
        asked += 1;
        request.socket.destroy();
      };
      for (let count = 0; count < 5; count += 1) {
        assert.ok(await isUnavailable(issuer.verify(token)));
      }
      assert.is(asked, 1);
      issuer.override = undefined;
      assert.ok(await isUnavailable(issuer.verify(token)), "within the pause");
      advance(6_000);
      assert.ok(await issuer.verify(token));
    }),
  ));

test("false metadata of an issuer is not accepted, and does not replace the cached keys", () =>
  withStoppedClock((advance) =>
    withIssuer(async (issuer) => {
      const [publishedKey, forgedKey] = await Promise.all(["a", "b"].map(newKey));
      issuer.keys = [publishedKey as Key];
      const token = await issuer.token(publishedKey as Key);
      assert.ok(await issuer.verify(token));
      const other = await issuer.token(forgedKey as Key);
      const answerWith = (body: string | object, status = 200, headers = {}): RequestListener => {
        const text = typeof body === "string" ? body : JSON.stringify(body);
        return (_request, response) => response.writeHead(status, headers).end(text);
      };
      const keys = { keys: [(forgedKey as Key).publicKey] };
      const falseAnswers: Readonly<Record<string, RequestListener>> = {
        "another issuer": answerWith({
          issuer: "https://evil.example",
          jwks_uri: `${issuer.url}/k`,
        }),
        "no keys page": answerWith({ issuer: issuer.url }),
        "a page without TLS": answerWith({ issuer: issuer.url, jwks_uri: "http://evil.example/k" }),
        "a web page": answerWith("<html>"),
        "a list": answerWith([keys]),
        "too much": answerWith({ ...keys, padding: "x".repeat(300_000) }),
        "a redirect": answerWith("", 302, { location: `${issuer.url}/elsewhere` }),
        "an error": answerWith(keys, 500),
        "no keys": (request, response) =>
          answerWith(
            request.url === "/k"
              ? { keys: [] }
              : { issuer: issuer.url, jwks_uri: `${issuer.url}/k` },
          )(request, response),
      };
      for (const [name, falseAnswer] of Object.entries(falseAnswers)) {
        issuer.override = falseAnswer;
        advance(61_000);
        assert.ok(await isUnavailable(issuer.verify(other)), name);
        assert.ok(await issuer.verify(token), name);
      }
    }),
  ));

test("metadata leads to no private address of another origin, in any form", () =>
  withStoppedClock((advance) =>
    withIssuer(async (issuer) => {
      const forgedKey = await newKey("b");
      const token = await issuer.token(forgedKey);
      const inner = await TestServer.answering({ keys: [forgedKey.publicKey] });
      const atOtherAddress = await TestServer.open(
        (_seen, _request, response) =>
          response.end(JSON.stringify({ keys: [forgedKey.publicKey] })),
        { host: "127.0.0.2", port: inner.port },
      );
      for (const host of ["127.0.0.1", "127.0.0.2", "localhost", "[::1]", "127.2", "2130706433"]) {
        issuer.override = (_request, response) => {
          const keysUrl = `http://${host}:${inner.port}/keys`;
          response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: keysUrl }));
        };
        advance(61_000);
        assert.ok(await isUnavailable(issuer.verify(token)), host);
      }
      assert.equal([...inner.requests, ...atOtherAddress.requests], []);
    }),
  ));

test("the log contains the reason why a token was refused, but not the token", async () => {
  await withIssuer(async (issuer) => {
    issuer.keys = [await newKey("a")];
    const token = await issuer.token(await newKey("a"));
    log.length = 0;
    assert.is(await issuer.verify(token), undefined);
    const text = JSON.stringify(log);
    assert.match(text, "signature verification failed");
    for (const part of token.split(".")) assert.not.match(text, part);
    const { kid, sign } = await newKey("a");
    const marked = new SignJWT({ sub: "ada" })
      .setProtectedHeader({ alg: "ES256", kid, crit: ["marked"], marked: 1 })
      .setIssuer(issuer.url);
    assert.is(await issuer.verify(await marked.sign(sign, { crit: { marked: true } })), undefined);
    assert.not.match(JSON.stringify(log), "marked");
    const lines = log.length;
    for (let count = 0; count < 100; count += 1) await issuer.verify(token);
    assert.is(log.length, lines, "repeated refusals are counted");
  });
});

test("a token that says its payload is not encoded is refused, with and without `crit`", async () => {
  await withIssuer(async (issuer) => {
    const key = await newKey("a");
    issuer.keys = [key];
    assert.ok(await issuer.verify(await issuer.token(key)));
    assert.ok(await issuer.verify(await issuer.token(key, { b64: true })));
    for (const b64 of [false, "false", 0, null]) {
      assert.is(await issuer.verify(await issuer.token(key, { b64 })), undefined, String(b64));
    }
  });
});

test.after(() => closeServers());

test.run();
