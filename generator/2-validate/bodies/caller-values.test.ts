import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

const AUTH = `transports: [{type: http}]
env: {API_KEYS: {secret: true}}
auth: {apiKeys: {env: API_KEYS}, claims: {tenant: string, level: integer}}
`;

/** What is found in a manifest with a tool with an `http` body. */
function findings(http: string, { auth = AUTH, schema = "{type: object}" } = {}): string[] {
  const text = `name: demo
version: 1.0.0
${auth}upstreams: {api: {baseUrl: "https://api.example"}}
diagnostics: {MW2314: off}
tools:
  - name: a
    description: Does a.
    inputSchema: ${schema}
    http: {upstream: api, ${http}}
`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest);
  return validateManifest(manifest).map(({ code, message, hint }) =>
    [code, message, ...(hint === undefined ? [] : [hint])].join(" | "),
  );
}

test("every text of a request may name the caller and the caller's claims", () => {
  for (const http of [
    'path: "/a/{{caller.subject}}/{{caller.claims.tenant}}"',
    'path: /a, query: {a: "{{caller.claims.level}}"}',
    'path: /a, headers: {x-a: "user {{caller.subject}}"}',
    'path: /a, method: post, body: {a: ["{{caller.claims.level}}"]}',
    'path: /a, errors: {"404": "{{caller.subject}} has none."}',
    'path: "/a/{{{{caller.subject}}"',
  ]) {
    assert.equal(findings(http), [], http);
  }
});

test("a claim must be declared, and a misspelt name is found", () => {
  const [claim] = findings('path: "/{{caller.claims.org}}"');
  assert.match(
    claim ?? "",
    /^MW2040 .*"caller.claims.org".* auth: \{ claims: \{ org: string \} \}/,
  );
  assert.match(findings('path: "/{{caller.subjct}}"')[0] ?? "", /did you mean "caller.subject"/);
});

test("a body may not name its caller in a manifest without auth", () => {
  const found = findings('path: "/{{caller.subject}}"', { auth: "" });
  assert.equal(
    found.map((one) => one.slice(0, 6)),
    ["MW2124"],
  );
});

test("no argument of a request may have a name that stands for the caller", () => {
  for (const name of ["caller", "caller.subject", "caller.x"]) {
    const schema = `{type: object, properties: {"${name}": {type: string}}}`;
    const found = findings('path: "/"', { schema });
    assert.equal(
      found.map((one) => one.slice(0, 6)),
      ["MW2123"],
      name,
    );
  }
  const schema = "{type: object, properties: {callers: {type: string}}}";
  assert.equal(findings('path: "/"', { schema }), []);
});

/** What is found in a manifest with a tool with an `sql` body. */
function statementFindings(options: string, { type = "postgres, url: {env: DB}", auth = "" } = {}) {
  const text = `name: demo
version: 1.0.0
env: {DB: {required: true, secret: true}}
transports: [{type: http}]
${auth}databases: {shop: {type: ${type}}}
diagnostics: {MW2341: off}
tools:
  - name: a
    description: Does a.
    sql: {database: shop, query: select 1, ${options}}
`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest);
  return validateManifest(manifest).map(
    ({ code, line, column }) => `${code} ${text.split("\n")[line - 1]?.slice(column - 1)}`,
  );
}

const TOKENS =
  'auth: {resource: "https://a.example", jwt: [{issuer: "https://i.example"}], claims: {role: string, level: integer}}\n';

test("a statement takes of its caller what Postgres can use and the manifest declares", () => {
  const role = "role: {claim: role, oneOf: [reader]}";
  const set = "set: {app.user: {caller: subject}, app.level: {claim: level}}";
  const auth = TOKENS;
  assert.equal(statementFindings(`${role}, ${set}`, { auth }), []);
  assert.equal(statementFindings(`${role}`), [`MW2124 ${role}}`]);
  const sqlite = statementFindings(`${role}, ${set}`, { auth, type: "sqlite, file: a.db" });
  assert.equal(sqlite, [`MW2127 ${role}, ${set}}`, `MW2127 ${set}}`]);
  for (const [options, expected] of [
    ["role: {claim: rolle, oneOf: [reader]}", "MW2128 rolle, oneOf: [reader]}}"],
    ["role: {claim: level, oneOf: [reader]}", "MW2129 level, oneOf: [reader]}}"],
    ["set: {app.user: {}}", "MW2026 {}}}"],
    ["set: {app.user: {caller: subject, claim: role}}", "MW2026 {caller: subject, claim: role}}}"],
    ["set: {app.user: {claim: levl}}", "MW2128 levl}}}"],
  ] as const) {
    assert.equal(statementFindings(options, { auth }), [expected], options);
  }
});

test("a statement can set no other setting of Postgres, and none of its words for having no role", () => {
  for (const options of [
    "role: {claim: role, oneOf: [none]}",
    "role: {claim: role, oneOf: []}",
    "set: {role: {claim: role}}",
    "set: {statement_timeout: {claim: level}}",
    "set: {app.user: {caller: name}}",
    "set: {app.user: ada}",
  ]) {
    assert.match(statementFindings(options, { auth: TOKENS }).join(), "MW12", options);
  }
});

test.run();
