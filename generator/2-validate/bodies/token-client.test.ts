import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

/** What is found in the settings of a client, which stand in line 5. */
function findings(client: string, grant = "clientCredentials"): string[] {
  const text = `name: demo
version: 1.0.0
env: {SECRET: {secret: true}, KEY: {secret: true}, OPEN: {}, CERT: {}}
upstreams: {api: {baseUrl: "https://api.example", auth: {${grant}: {
  tokenUrl: "https://idp.example/token", clientId: a, ${client}}}}}
transports: [{type: http}]
auth: {resource: "https://a.example/mcp", jwt: [{issuer: "https://idp.example"}]}
`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest);
  return validateManifest(manifest).map(
    ({ line, column, code, message }) => `${line}:${column} ${code} ${message}`,
  );
}

const GRANTS = ["clientCredentials", "exchange", "onBehalfOf"];

test("a client has a secret or a key", () => {
  for (const grant of GRANTS) {
    const more = grant === "onBehalfOf" ? ", scope: read" : "";
    const one = `4:58 MW2026 ${grant} needs exactly one of clientSecret, clientKey, clientCertificate`;
    for (const [client, found] of [
      ["clientSecret: {env: SECRET}", []],
      ["clientKey: {env: KEY}", []],
      ["clientKey: {env: KEY}, keyId: first, assertionAudience: https://idp.example", []],
      ["clientCertificate: {cert: CERT, key: KEY}", []],
      ["clientCertificate: {cert: CERT, key: KEY}, clientKey: {env: KEY}", [one]],
      ["clientSecret: {env: SECRET}, clientKey: {env: KEY}", [one]],
      ["", [one]],
    ] as const) {
      const stated = client === "" && more !== "" ? more.slice(2) : client + more;
      assert.equal(findings(stated, grant), found, client);
    }
  }
});

test("a misspelt secret or key is reported once", () => {
  const found = findings("clientSecrt: {env: SECRET}");
  assert.is(found.length, 1);
  assert.match(found[0] ?? "", 'did you mean "clientSecret"');
});

test("a key is a secret variable, and settings of the other proof are reported", () => {
  assert.match(findings("clientKey: {env: OPEN}")[0] ?? "", /^5:72 MW2331/);
  assert.match(findings("clientKey: abc")[0] ?? "", /^5:66 MW2305/);
  assert.equal(findings("clientKey: {env: KEY}, sendIn: form"), [
    '5:78 MW2161 "sendIn" says nothing of a client with clientKey',
  ]);
  assert.equal(findings("clientSecret: {env: SECRET}, keyId: a"), [
    '5:84 MW2161 "keyId" says nothing of a client with clientSecret',
  ]);
});

test("the files of a certificate are in variables that are declared", () => {
  assert.equal(findings("clientCertificate: {cert: CRT, key: KEY}"), [
    "5:81 MW2080 env declares no variable CRT; did you mean CERT?",
  ]);
  assert.match(findings("clientCertificate: {cert: CERT}")[0] ?? "", '"key"');
});

/** What is found in `jwtBearer`, which stands in line 6. */
function signedFindings(settings: string, jwt = '[{issuer: "https://idp.example"}]'): string[] {
  const text = `name: demo
version: 1.0.0
env: {KEY: {secret: true}, SECRET: {secret: true}, OPEN: {}}
transports: [{type: http}]
auth: {resource: "https://a.example/mcp", jwt: ${jwt}, claims: {email: string, level: integer}}
upstreams: {api: {baseUrl: "https://api.example", auth: {jwtBearer: {tokenUrl: "https://t.example", issuer: a, ${settings}}}}}
`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest);
  return validateManifest(manifest).map(({ line, code, message }) => `${line} ${code} ${message}`);
}

test("what is signed about the caller has a subject that the token vouches for", () => {
  const key = "key: {env: KEY}";
  for (const subject of ["caller: subject", "claim: email"]) {
    assert.equal(signedFindings(`${key}, subject: {${subject}}`), []);
  }
  assert.equal(signedFindings(`${key}, subject: {caller: subject, claim: email}`), [
    "6 MW2026 a value of the caller needs exactly one of caller, claim",
  ]);
  assert.equal(signedFindings(`${key}, subject: {claim: emial}`), [
    '6 MW2128 auth.claims does not declare the claim "emial"; did you mean "email"?',
  ]);
  assert.equal(signedFindings(`${key}, subject: {claim: level}`), [
    '6 MW2129 a subject is a string, and the claim "level" is integer',
  ]);
  assert.match(signedFindings("key: {env: OPEN}, subject: {claim: email}")[0] ?? "", "MW2331");
  assert.equal(signedFindings(`${key}, subject: {claim: email}, clientId: a`), [
    '6 MW2094 "clientId" needs "clientSecret" beside it',
  ]);
  const both = "clientId: a, clientSecret: {env: SECRET}";
  assert.equal(signedFindings(`${key}, subject: {claim: email}, ${both}`), []);
});

test("a subject that several issuers can name is warned of, with all of them", () => {
  const settings = "key: {env: KEY}, subject: {claim: email}";
  const issuers = '[{issuer: "https://idp.example"}, {issuer: "https://partner.example"}]';
  assert.equal(signedFindings(settings, issuers), [
    "6 MW2135 each of the 2 issuers under auth can name anybody as the caller at api",
  ]);
  assert.equal(signedFindings(`${settings}, x-why: one`), []);
});

test("several issuers are no problem for a token that the authorization server itself examines", () => {
  const text = `name: demo
version: 1.0.0
env: {SECRET: {secret: true}}
transports: [{type: http}]
auth: {resource: "https://a.example/mcp", jwt: [{issuer: "https://idp.example"}, {issuer: "https://b.example"}]}
upstreams: {api: {baseUrl: "https://api.example", auth: {exchange: {tokenUrl: "https://t.example", clientId: a, clientSecret: {env: SECRET}}}}}
`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest);
  assert.equal(validateManifest(manifest), []);
});

test.run();
