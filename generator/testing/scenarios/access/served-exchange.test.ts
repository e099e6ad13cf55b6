import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createLocalJWKSet, jwtVerify } from "jose";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connectClient } from "../../harness/clients/every-method.js";
import { startHttp, type StartedServer } from "../../harness/clients/project-clients.js";
import { buildProject, testProject } from "../../harness/projects/built-project.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import {
  newKey,
  SERVER_RESOURCE,
  SERVICE,
  SIGNER,
  startExchangeServer,
  type ExchangeServer,
} from "../../harness/services/exchange-server.js";

/** A server that asks a service in the name of its callers, with tokens of a real authorization server. */

const test = suite("a server that acts for its callers");

const common = "tokenUrl: { env: TOKEN_URL }";
const key = "clientKey: { env: CLIENT_KEY }, assertionAudience: { env: ISSUER }";

/** How the service is asked: the authorization, by the name of the upstream and of its tool. */
const AUTH: Readonly<Record<string, string>> = {
  bySecret: `exchange: { ${common}, clientId: by-secret, clientSecret: { env: SECRET }, audience: orders, scope: read }`,
  byKey: `exchange: { ${common}, clientId: by-key, ${key}, audience: orders, scope: read write }`,
  byCertificate: `exchange: { ${common}, clientId: by-certificate, clientCertificate: { cert: CERT, key: CERT_KEY }, scope: read }`,
  onBehalf: `onBehalfOf: { ${common}, clientId: by-key, clientKey: { env: CLIENT_KEY }, scope: read }`,
  signed: `jwtBearer: { ${common}, issuer: ${SIGNER}, key: { env: CLIENT_KEY }, subject: { caller: subject }, scope: read, clientId: signer, clientSecret: { env: SECRET } }`,
  wrongKey: `exchange: { ${common}, clientId: by-key, clientKey: { env: OTHER_KEY }, scope: read }`,
  wrongSigner: `jwtBearer: { ${common}, issuer: ${SIGNER}, key: { env: OTHER_KEY }, subject: { caller: subject }, scope: read, clientId: signer, clientSecret: { env: SECRET } }`,
  noCertificate: `exchange: { ${common}, clientId: by-certificate, clientSecret: { env: SECRET }, scope: read }`,
};

const upstreamOf = ([name, auth]: readonly [string, string]): string => `
  ${name}: { baseUrl: { env: API }, private: true, ca: CA, auth: { ${auth} } }`;

const toolOf = (name: string): string => `
  - { name: ${name}, description: Asks as the caller by ${name}., http: { upstream: ${name}, path: /whoami } }`;

const manifest = `
name: acting-books
version: 1.0.0
transports: [{ type: http }]
limits: { ratePerSecond: 1000 }
diagnostics: { MW2314: off }
env:
  ISSUER: { required: true }
  TOKEN_URL: { type: url, required: true }
  API: { type: url, required: true }
  CA: { required: true }
  SECRET: { secret: true, required: true }
  CLIENT_KEY: { secret: true, required: true }
  OTHER_KEY: { secret: true, required: true }
  CERT: { required: true }
  CERT_KEY: { required: true }
  AUDIT_FILE: { required: true }
auth:
  resource: ${SERVER_RESOURCE}
  jwt: [{ issuer: { env: ISSUER }, jwks: issuer-keys.json, algorithms: [ES256] }]
audit: { to: { env: AUDIT_FILE }, arguments: values }
upstreams:${Object.entries(AUTH).map(upstreamOf).join("")}
tools:${Object.keys(AUTH).map(toolOf).join("")}
`;

/** The service: it says who asks by the token that it gets, and repeats that token. */
async function startService({ issuer, keys }: ExchangeServer): Promise<Server> {
  const known = createLocalJWKSet(keys);
  const service = createServer((request, response) => {
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    const answer = (status: number, body: object): void =>
      void response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ ...body, token }));
    jwtVerify(token, known, { issuer, audience: SERVICE }).then(
      ({ payload: { sub, client_id: client, scope } }) => answer(200, { sub, client, scope }),
      () => answer(401, {}),
    );
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  return service;
}

let folder: string;
let idp: ExchangeServer;
let service: Server;
let server: StartedServer;
const otherKey = newKey("client");
const log: string[] = [];
const answers: string[] = [];

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcpwright-exchange-"));
  idp = await startExchangeServer();
  idp.confidential.push(String(otherKey.d));
  service = await startService(idp);
  const { cert, key: certKey } = idp.clientCertificate;
  const files = {
    ...{ "mcp.yaml": manifest, "issuer-keys.json": JSON.stringify(idp.keys) },
    ...{ "ca.pem": idp.certificate, "cert.pem": cert, "key.pem": certKey },
  };
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  await buildProject(folder);
  const env = {
    ...{ ISSUER: idp.issuer, TOKEN_URL: idp.tokenUrl },
    API: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    ...{ CA: "ca.pem", CERT: "cert.pem", CERT_KEY: "key.pem", SECRET: idp.secret },
    ...{ CLIENT_KEY: JSON.stringify(idp.clientKey), OTHER_KEY: JSON.stringify(otherKey) },
    ...{ AUDIT_FILE: join(folder, "audit.log"), LOG_LEVEL: "debug" },
  };
  server = await startHttp(folder, env, [], (line) => log.push(line));
});
test.after(async () => {
  await server?.stop();
  await idp?.stop();
  service?.closeAllConnections();
  service?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Calls a tool with a token, and returns the text of the answer. */
async function call(token: string, name: string): Promise<string> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL(server.url), { requestInit });
  const client = await connectClient(transport, "modern");
  const answer = await client.callTool({ name, arguments: {} });
  await client.close();
  answers.push(JSON.stringify(answer));
  return (answer.content as { text: string }[]).map(({ text }) => text).join("\n");
}

/** The client by which each upstream gets its tokens. */
const CLIENTS: Readonly<Record<string, string>> = {
  bySecret: "by-secret",
  byKey: "by-key",
  byCertificate: "by-certificate",
  onBehalf: "by-key",
  signed: "signer",
};

test("the service is asked as each caller, whatever the client shows of itself", async () => {
  for (const person of ["ada", "bob"]) {
    const token = await idp.token(person);
    for (const [name, client] of Object.entries(CLIENTS)) {
      const told = JSON.parse(await call(token, name)) as object;
      const scope = "read";
      assert.equal(told, { sub: person, client, scope, token: "[masked]" }, `${person} ${name}`);
      // The second call has the kept token.
      await call(token, name);
    }
  }
  assert.is(idp.given.length, 2 * Object.keys(CLIENTS).length);
});

test("each exchanged token has the scopes of the token that it was exchanged for", async () => {
  const [narrow, wide] = [await idp.token("ada"), await idp.token("ada", "read write")];
  const scopeOf = async (token: string): Promise<unknown> =>
    (JSON.parse(await call(token, "byKey")) as { scope?: unknown }).scope;
  const scopes = [];
  for (const token of [narrow, wide, narrow]) scopes.push(await scopeOf(token));
  assert.equal(scopes, ["read", "read write", "read"]);
});

test("a caller without consent at the service is told so, and no other token is requested instead", async () => {
  const token = await idp.token("eve");
  const before = idp.given.length;
  for (const name of ["bySecret", "byKey", "byCertificate", "onBehalf", "signed"]) {
    assert.is(
      await call(token, name),
      `The upstream ${name} cannot be asked in the name of the caller: consent required: eve has agreed to nothing`,
    );
  }
  assert.is(idp.given.length, before);
});

test("a client that cannot prove who it is gets nothing", async () => {
  const token = await idp.token("ada");
  const before = idp.given.length;
  for (const name of ["wrongKey", "noCertificate"]) {
    assert.is(await call(token, name), `The upstream ${name} gave no access token (401).`);
  }
  assert.match(await call(token, "wrongSigner"), "in the name of the caller: invalid grant");
  assert.is(idp.given.length, before);
});

test("the audit log names who acted for whom", async () => {
  const lines = (await readFile(join(folder, "audit.log"), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const actedFor = ({ item, principal, actedFor: acted }: Record<string, unknown>): string =>
    JSON.stringify([item, principal, acted]);
  const seen = new Set(lines.map(actedFor));
  for (const [upstream, client] of Object.entries(CLIENTS)) {
    const actor = upstream === "signed" ? SIGNER : client;
    for (const subject of ["ada", "bob"]) {
      const principal = `${idp.issuer}|${subject}`;
      const line = JSON.stringify([upstream, principal, [{ upstream, actor, subject }]]);
      assert.ok(seen.has(line), `${line}\n${[...seen].join("\n")}`);
    }
    assert.ok(seen.has(JSON.stringify([upstream, `${idp.issuer}|eve`, undefined])));
  }
});

test("no token, assertion, secret or key is in an answer, the log or the audit log", async () => {
  const places = {
    answers,
    log,
    trail: [await readFile(join(folder, "audit.log"), "utf8")],
  };
  assert.ok(idp.confidential.length > 30);
  for (const [place, texts] of Object.entries(places)) {
    const all = texts.join("\n");
    assert.ok(all.length > 500, `${place} has what was said`);
    for (const one of idp.confidential) {
      // The signature alone is enough to recognize a token.
      const part = one.split(".").at(-1) ?? one;
      assert.not(all.includes(part), `${place}: ${one}`);
    }
  }
});

// In short, the generated tests of acting.test.ts make such keys.
if (shortOrLong(false, true)) {
  test("the project's own tests pass, with keys that they make", async () => {
    await testProject(folder);
  });
}

test.run();
