import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

const ENV = `env:
  PUBLIC_URL: { type: url, required: true }
  KEYS: { secret: true }
  OPEN: {}
`;

/** The findings of a manifest with this `auth`, in flow style, on line 8. */
function findings(auth: string, transport = "http"): string[] {
  const text = `name: a\nversion: 1.0.0\ntransports: [{type: ${transport}}]\n${ENV}auth: ${auth}\n`;
  const loaded = loadManifest("mcp.yaml", Buffer.from(text));
  if (loaded.manifest === undefined) throw new Error(JSON.stringify(loaded));
  return validateManifest(loaded.manifest).map(
    ({ line, column, code }) => `${line}:${column} ${code}`,
  );
}

const jwt = (settings: string): string =>
  `{resource: {env: PUBLIC_URL}, jwt: [{issuer: "https://idp.example", ${settings}}]}`;

test("a correct manifest has no findings", () => {
  for (const auth of [
    "{apiKeys: {env: KEYS}, public: [server/discover, tools/list]}",
    "{apiKeys: {file: keys.txt}}",
    "{apiKeys: {file: {env: OPEN}}}",
    jwt("strict: true"),
    jwt('algorithms: [EdDSA, PS512], audience: ["api://books"], jwks: keys.json'),
    '{resource: "http://localhost:3000/mcp", jwt: [{issuer: "http://127.0.0.1:9000"}]}',
  ]) {
    assert.equal(findings(auth), [], auth);
  }
});

test("a preset needs what its provider makes the issuer of, and nothing else", () => {
  const preset = (settings: string): string[] =>
    findings(`{resource: {env: PUBLIC_URL}, jwt: [{${settings}}]}`);
  assert.equal(preset("preset: okta, domain: acme.okta.com"), []);
  assert.equal(preset("preset: okta, domain: acme.okta.com, server: aus1"), []);
  assert.equal(preset("preset: okta"), ["8:43 MW2170"]);
  assert.equal(preset("strict: true"), ["8:43 MW2170"]);
  assert.equal(preset("preset: okta, domain: acme.okta.com, realm: a"), ["8:81 MW2171"]);
  assert.equal(preset('issuer: "https://a.example", tenant: a').length, 2);
  assert.equal(preset("preset: other"), ["8:52 MW1205"]);
  for (const value of [
    "https://acme.okta.com",
    "acme.okta.com/x",
    "a@b",
    "a b",
    "acme.okta.com#",
  ]) {
    assert.equal(preset(`preset: okta, domain: "${value}"`), ["8:66 MW1206"], value);
  }
  assert.equal(
    preset('issuer: "https://acme.okta.com/oauth2/default"}, {preset: okta, domain: acme.okta.com'),
    ["8:102 MW2120"],
  );
});

test("each mistake is reported at its place", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["{}", "8:1 MW2100"],
    ['{jwt: [{issuer: "https://idp.example"}]}', "8:1 MW2101"],
    ['{resource: "http://a.example/mcp", apiKeys: {env: KEYS}}', "8:18 MW2102"],
    ['{resource: "books", apiKeys: {env: KEYS}}', "8:18 MW2102"],
    [jwt('jwks: "http://idp.example/keys"'), "8:81 MW2102"],
    [jwt("algorithms: [ES256, HS256]"), "8:95 MW2103"],
    [jwt("algorithms: [none]"), "8:88 MW2103"],
    [jwt("audience: [books]"), "8:86 MW2104"],
    [jwt('audience: ["{{books}}"]'), "8:86 MW2104"],
    [
      "{resource: {env: PUBLIC_URL}, jwt: [{issuer: {env: OPEN}}, {issuer: {env: OPEN}, strict: true}]}",
      "8:75 MW2120",
    ],
    ["{apiKeys: {env: OPEN}}", "8:23 MW2331"],
    ["{apiKeys: {env: KEY}}", "8:23 MW2080"],
    ["{apiKeys: abc123}", "8:17 MW1201"],
    ["{apiKeys: {file: {env: NOWHERE}}}", "8:30 MW2080"],
    ["{apiKeys: {}}", "8:8 MW2108"],
    ["{apiKeys: {env: KEYS, file: keys.txt}}", "8:8 MW2108"],
    ["{apiKeys: {env: KEYS}, public: [tools/call]}", "8:39 MW1205"],
    ["{resource: {env: NOWHERE}, apiKeys: {env: KEYS}}", "8:24 MW2080"],
  ];
  assert.equal(
    cases.map(([auth]) => [auth, findings(auth).join()]),
    cases.map(([auth, place]) => [auth, place]),
  );
  assert.equal(findings("{apiKeys: {env: KEYS}}", "stdio"), ["8:1 MW2105"]);
});

test("a name of a claim that looks like a path is reported with the JSON Pointer", () => {
  const hints = (claims: string): (string | undefined)[] => {
    const text = `name: a\nversion: 1.0.0\ntransports: [{type: http}]\n${ENV}auth: ${jwt(claims)}\n`;
    const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
    return manifest === undefined ? [] : validateManifest(manifest).map(({ hint }) => hint);
  };
  for (const [claim, pointer] of [
    ["realm_access.roles", "/realm_access/roles"],
    ["resource_access.my-client.roles", "/resource_access/my-client/roles"],
    ["$.realm_access.roles", "/realm_access/roles"],
    ["realm_access/roles", "/realm_access/roles"],
  ] as const) {
    assert.equal(findings(jwt(`scopes: {claim: ${claim}}`)), ["8:91 MW2122"], claim);
    assert.equal(findings(jwt(`require: {${claim}: admin}`)), ["8:85 MW2122"], claim);
    assert.equal(hints(`scopes: {claim: ${claim}}`), [`for the path, write ${pointer}`]);
  }
  for (const name of [
    ...["roles", "/realm_access/roles", "cognito:groups", "urn:zitadel:iam:org:project:roles"],
    ...["https://acme.example/roles", "acme.example/roles"],
  ]) {
    assert.equal(findings(jwt(`scopes: {claim: "${name}"}, require: {"${name}": x}`)), [], name);
  }
});

test("`lists: filter` is reported unless an item requires scopes", () => {
  const tool = (settings: string): string =>
    `{apiKeys: {env: KEYS}, lists: filter}\ntools: [{name: a, description: Does a.${settings}}]`;
  assert.equal(findings(tool("")), ["8:37 MW2107"]);
  assert.equal(findings(tool(", scopes: [a]")), []);
  assert.equal(findings("{apiKeys: {env: KEYS}, lists: filter}"), []);
});

test("public caching hints are reported if callers must authenticate", () => {
  const cached = (scope: string): string =>
    `{apiKeys: {env: KEYS}}\ncache: {cacheScope: ${scope}}\nresources: [{uri: "a://b", name: b, description: B., text: b, cache: {cacheScope: ${scope}}}]`;
  assert.equal(findings(cached("private")), []);
  assert.equal(findings(cached("public")), ["9:21 MW2106", "10:83 MW2106"]);
});

test.run();
