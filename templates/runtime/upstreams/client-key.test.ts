import { generateKeyPairSync, type KeyPairKeyObjectResult } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { keepCallerTokens, noteCallerToken } from "../authentication/caller-tokens.js";
import { closeServers, errorOf, TestServer, upstreamOf } from "../samples/local-internet.js";
import type { AuthDefinition } from "./definition.js";
import { openKey } from "./private-key.js";

keepCallerTokens();

const caller = { principal: "idp|ada", scopes: [], via: "jwt", claims: { sub: "ada" } } as const;
noteCallerToken(caller, "token-of-ada");

const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pemOf = ({ privateKey }: KeyPairKeyObjectResult): string =>
  privateKey.export({ type: "pkcs8", format: "pem" }) as string;

const KEY = JSON.stringify({ ...p256.privateKey.export({ format: "jwk" }), kid: "first" });

type Grant = "clientCredentials" | "exchange" | "onBehalfOf";

const settings = {
  clientId: "me",
  clientKey: { env: "KEY" },
  sendIn: "header",
} as const;

function askedWith(server: TestServer, kind: Grant, more: object = {}, key = KEY) {
  const auth = { kind, tokenUrl: `${server.origin}/token`, ...settings, ...more } as AuthDefinition;
  return upstreamOf({ baseUrl: server.origin, auth }, { env: { KEY: key }, caller, openKey })
    .upstream;
}

const tokenServer = (): Promise<TestServer> =>
  TestServer.open(({ url, headers }, _request, response) => {
    response.setHeader("content-type", "application/json");
    const issued = { access_token: "what-is-given", expires_in: 0.000_001 };
    response.end(JSON.stringify(url === "/token" ? issued : headers.authorization));
  });

const formsOf = (server: TestServer) =>
  server.requests
    .filter(({ url }) => url === "/token")
    .map(({ body, headers }) => {
      return { ...Object.fromEntries(new URLSearchParams(body)), sent: headers.authorization };
    }) as Record<string, string>[];

for (const kind of ["clientCredentials", "exchange", "onBehalfOf"] as const) {
  test(`${kind}: a client with a key signs who it is, anew for each request`, async () => {
    const server = await tokenServer();
    const upstream = askedWith(server, kind);
    await upstream.get("/1");
    // The token has ended only when the clock has moved on.
    await delay(5);
    await upstream.get("/2");
    const forms = formsOf(server);
    assert.is(forms.length, 2);
    const ids = new Set<unknown>();
    for (const { client_assertion: assertion = "", ...form } of forms) {
      assert.is(
        form["client_assertion_type"],
        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      );
      assert.equal(
        [form["client_id"], form["client_secret"], form["sent"]],
        ["me", undefined, undefined],
      );
      const { payload, protectedHeader } = await jwtVerify(assertion, p256.publicKey, {
        ...{ issuer: "me", subject: "me", audience: `${server.origin}/token` },
        requiredClaims: ["exp", "iat", "jti"],
      });
      assert.equal(protectedHeader, { typ: "JWT", alg: "ES256", kid: "first" });
      const { exp = 0, iat = 0, jti } = payload;
      assert.ok(exp - iat <= 300);
      ids.add(jti);
    }
    assert.is(ids.size, 2);
  });
}

test("the audience and the name of the key are those of the settings", async () => {
  const server = await tokenServer();
  const more = { assertionAudience: "https://idp.example/", keyId: { env: "KEY_ID" } };
  const tokenUrl = `${server.origin}/token`;
  const auth = { kind: "exchange", tokenUrl, ...settings, ...more } as const;
  const env = { KEY, KEY_ID: "second" };
  await upstreamOf({ baseUrl: server.origin, auth }, { env, caller, openKey }).upstream.get("/");
  const { client_assertion: assertion = "" } = formsOf(server)[0] ?? {};
  assert.is(decodeJwt(assertion).aud, "https://idp.example/");
  assert.is(decodeProtectedHeader(assertion).kid, "second");
});

/** Stands for a certificate, with its thumbprints. */
const CERTIFICATE = Buffer.from("any bytes do, since the thumbprint is of them").toString("base64");

const THUMBPRINTS = {
  x5t: "uog5pyS2AikTBsNLQUMvawRuzHU",
  "x5t#S256": "bxH7_XpOlWU9MNRdg-wwJqUUL6_29BM_DmEOBr2DHw0",
};

test("keys are read in the forms in which they are given out", async () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const ed = generateKeyPairSync("ed25519");
  const withCertificate = `-----BEGIN CERTIFICATE-----\n${CERTIFICATE}\n-----END CERTIFICATE-----\n${pemOf(rsa)}`;
  const account = { type: "service_account", private_key: pemOf(rsa), private_key_id: "of-google" };
  const old = rsa.privateKey.export({ type: "pkcs1", format: "pem" }) as string;
  const jwk = { ...rsa.privateKey.export({ format: "jwk" }), alg: "PS256" };
  const cases: readonly (readonly [text: string, header: object, pair: KeyPairKeyObjectResult])[] =
    [
      [pemOf(p256), { alg: "ES256" }, p256],
      [pemOf(ed), { alg: "EdDSA" }, ed],
      [pemOf(rsa).replaceAll("\n", "\\n"), { alg: "RS256" }, rsa],
      [old, { alg: "RS256" }, rsa],
      [JSON.stringify(jwk), { alg: "PS256" }, rsa],
      [JSON.stringify(account), { alg: "RS256", kid: "of-google" }, rsa],
      [withCertificate, { alg: "RS256", ...THUMBPRINTS }, rsa],
    ];
  for (const [text, header, { publicKey }] of cases) {
    const signed = await openKey(text)({ iss: "me", sub: "me", aud: "you" });
    const { protectedHeader } = await jwtVerify(signed, publicKey, { audience: "you" });
    assert.equal(protectedHeader, { typ: "JWT", ...header });
  }
});

/** What is no key, and the end of the message about it. */
const NO_KEYS: readonly (readonly [text: string, problem: string])[] = [
  ["", "it has no private key as a JWK or in PEM format"],
  ["{not json", "it has no private key"],
  [JSON.stringify({ kty: "oct", k: "c2VjcmV0" }), "it has no private key"],
  [JSON.stringify(p256.publicKey.export({ format: "jwk" })), "it has no private key"],
  [
    JSON.stringify({ ...(JSON.parse(KEY) as object), alg: "RS256" }),
    "its alg must be one of ES256",
  ],
  [JSON.stringify({ ...(JSON.parse(KEY) as object), alg: "none" }), "its alg must be one of ES256"],
  [
    pemOf(generateKeyPairSync("rsa", { modulusLength: 1_024 })),
    "its key is shorter than 2048 bits",
  ],
  [pemOf(generateKeyPairSync("x25519")), "no algorithm signs with a key of the type x25519"],
];

test("a setting without a key is an error when the server starts, which does not show it", async () => {
  const server = await tokenServer();
  for (const [text, problem] of NO_KEYS) {
    const error = await errorOf((async () => askedWith(server, "exchange", {}, text))());
    assert.is(error.name, "SettingError");
    assert.match(
      error.message,
      `the private key of the upstream api (KEY) cannot be used: ${problem}`,
    );
    assert.not.match(error.message, text.slice(30, 60) || "{not");
  }
  const auth = { kind: "exchange", tokenUrl: `${server.origin}/token`, ...settings } as const;
  const without = async () =>
    upstreamOf({ baseUrl: server.origin, auth }, { env: { KEY }, caller });
  assert.match(
    (await errorOf(without())).message,
    "must have privateKeys() of @mcpwright/runtime/private-keys",
  );
});

test("a signed assertion is masked in what the authorization server says of a refusal", async () => {
  const server = await TestServer.open(({ body }, _request, response) => {
    const { client_assertion: assertion } = Object.fromEntries(new URLSearchParams(body));
    const refusal = { error: "invalid_grant", error_description: `bad ${assertion}` };
    response.writeHead(400).end(JSON.stringify(refusal));
  });
  const { message } = await errorOf(askedWith(server, "exchange").get("/"));
  assert.match(message, "invalid grant: bad [masked]");
});

/** A caller with claims, and the server that is asked with what is signed about it. */
function signedFor(
  server: TestServer,
  claims: object,
  more: object = {},
  { principal } = { principal: "idp|ada" },
) {
  const auth = {
    ...{ kind: "jwtBearer", tokenUrl: `${server.origin}/token`, sendIn: "form" },
    ...{ issuer: "books@example", key: { env: "KEY" }, subject: { claim: "email" } },
    ...{ scope: "calendar.read", ...more },
  } as AuthDefinition;
  const known = { principal, scopes: [], via: "jwt", claims: { ...claims } } as const;
  noteCallerToken(known, "token-of-ada");
  const options = { env: { KEY, SECRET: "client-secret" }, caller: known, openKey };
  return upstreamOf({ baseUrl: server.origin, auth }, options).upstream;
}

test("jwtBearer: the server signs who calls, and shows nothing of the caller's token", async () => {
  const server = await tokenServer();
  const answer = await signedFor(server, { email: "ada@example" }).get("/");
  assert.is(answer.json(), "Bearer [masked]");
  const [{ assertion = "", ...form } = {}] = formsOf(server);
  assert.equal(form, {
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    scope: "calendar.read",
    sent: undefined,
  });
  const { payload, protectedHeader } = await jwtVerify(assertion, p256.publicKey, {
    ...{ issuer: "books@example", subject: "ada@example", audience: `${server.origin}/token` },
  });
  assert.equal([payload["scope"], protectedHeader.kid], ["calendar.read", "first"]);
  assert.not.match(JSON.stringify(server.requests), "token-of-ada");
});

test("jwtBearer: an assertion may have the subject of the token and another audience, and a client may prove itself beside it", async () => {
  const server = await tokenServer();
  const client = { clientId: "me", clientSecret: { env: "SECRET" } };
  const more = { subject: { caller: "subject" }, audience: "https://idp.example", ...client };
  await signedFor(server, { sub: "ada", email: "someone@else" }, more).get("/");
  const [{ assertion = "", client_id: id, client_secret: secret } = {}] = formsOf(server);
  const { sub, aud } = decodeJwt(assertion);
  assert.equal([sub, aud, id, secret], ["ada", "https://idp.example", "me", "client-secret"]);
});

/** Claims that name nobody, and what the caller is told. */
const NOBODY: readonly (readonly [claims: object, reason: string])[] = [
  [{}, "has no claim email"],
  [{ email: "" }, "has no claim email"],
  [{ email: ["ada@example"] }, "has no claim email"],
  [{ email: "ada@example", email_verified: false }, "has an email that is not verified"],
  [{ email: "ada@example", email_verified: "false" }, "has an email that is not verified"],
];

test("jwtBearer: nothing is signed about a caller whose token does not vouch for the name", async () => {
  const server = await tokenServer();
  for (const [claims, reason] of NOBODY) {
    const { message } = await errorOf(signedFor(server, claims).get("/"));
    assert.match(message, `in the name of the caller: the caller's token ${reason}.`);
  }
  const program = { claims: { sub: "ada", client_id: "ada" }, principal: "client:idp|ada" };
  const bySubject = { subject: { caller: "subject" } };
  const { message } = await errorOf(signedFor(server, program.claims, bySubject, program).get("/"));
  assert.match(message, "the caller's token is of a program.");
  assert.is(server.requests.length, 0);
});

test.after(() => closeServers());

test.run();
