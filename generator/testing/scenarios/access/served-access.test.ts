import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import {
  acceptedTokens,
  API_KEY,
  refusedTokens,
  RESOURCE,
  startEvil,
  type Evil,
} from "../../harness/services/access-tokens.js";
import {
  CLIENT_DOCUMENT,
  CLIENT_SECRET,
  startAuthorizationServer,
  type AuthorizationServer,
} from "../../harness/services/authorization-server.js";
import { modernCall, statusesAt, type Credentials } from "../../harness/clients/entrances.js";
import { buildAndTestInLong } from "../../harness/projects/long-tested-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { startHttp, type Era, type StartedServer } from "../../harness/clients/project-clients.js";
import { write } from "../../harness/projects/project-folder.js";
import { connectBySigningIn, SigningIn } from "../../harness/clients/signing-in.js";

/** A server whose manifest says who may call, with tokens of a real authorization server. */

const test = suite("a server with access rules in its manifest");

const manifest = `
name: guarded-books
version: 1.0.0
transports:
  - type: stdio
  - { type: http, sessions: memory, resumable: true }
  - { type: sse, port: 3000 }
  - { type: websocket, port: 3000 }
diagnostics: { MW2058: off }
limits: { ratePerSecond: 1000 }
env:
  PUBLIC_URL: { type: url, required: true }
  ISSUER: { required: true }
  API_KEYS: { secret: true }
  INTROSPECT_URL: { type: url, required: true }
  CLIENT_ID: { required: true }
  CLIENT_SECRET: { required: true, secret: true }
auth:
  resource: { env: PUBLIC_URL }
  jwt:
    - issuer: { env: ISSUER }
      algorithms: [ES256]
      scopes: { advertise: "api://books/" }
      require: { tenant: acme }
  introspection:
    { url: { env: INTROSPECT_URL }, client: { env: CLIENT_ID }, secret: { env: CLIENT_SECRET }, cacheMs: 0 }
  apiKeys: { env: API_KEYS }
upstreams: { api: { baseUrl: "https://api.example.com" } }
tools:
  - { name: whoami, description: Says who calls. }
  - { name: drop, description: Drops all., scopes: [write] }
`;

const files: Readonly<Record<string, string>> = {
  "mcp.yaml": manifest,
  "src/tools/whoami.ts": `import type { ToolHandler } from "../generated/index.js";

export const whoami: ToolHandler<"whoami"> = (_input, { auth }) => \`\${auth?.via} \${auth?.principal}\`;
`,
  "src/tools/drop.ts": `import type { ToolHandler } from "../generated/index.js";

export const drop: ToolHandler<"drop"> = () => "dropped";
`,
};

let folder: string;
let idp: AuthorizationServer;
let evil: Evil;
let accepted: ReturnType<typeof acceptedTokens>;
let refused: ReturnType<typeof refusedTokens>;
let server: StartedServer;

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcpwright-access-"));
  for (const [path, text] of Object.entries(files)) await write(folder, path, text);
  await write(folder, "src/example.ts", await exampleByHand());
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await write(folder, "src/examples/handler.ts", await exampleOfReadme());
  await installShared(folder);
  // The project's own tests, which know no token, pass. In short, those of acting.test.ts do.
  await buildAndTestInLong(folder);
  idp = await startAuthorizationServer();
  evil = await startEvil(idp);
  accepted = acceptedTokens(idp, evil);
  refused = refusedTokens(idp, evil);
  const digest = createHash("sha256").update(API_KEY).digest("hex");
  const env = {
    PUBLIC_URL: RESOURCE,
    ISSUER: idp.issuer,
    API_KEYS: `ci:${digest}:read write`,
    INTROSPECT_URL: `${idp.issuer}/token/introspection`,
    CLIENT_ID: "opaque",
    CLIENT_SECRET,
  };
  server = await startHttp(folder, env, ["--sse", "--websocket"]);
});
test.after(async () => {
  await Promise.all([server?.stop(), idp?.stop(), evil?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

/** The example in `src/context.ts` of projects that know their callers by code: it must compile. */
async function exampleByHand(): Promise<string> {
  const template = new URL("templates/project/context-with-authentication.ts", packageRoot);
  const lines = (await readFile(template, "utf8")).split("\n");
  const code = lines.flatMap((line) => /^ \* {3}(\S.*)$/.exec(line)?.[1] ?? []);
  assert.ok(code.length > 3, "there is no example");
  return `import { createRemoteJWKSet, jwtVerify } from "jose";
import type { Authenticate } from "./generated/index.js";

const keys = createRemoteJWKSet(new URL("https://idp.example/keys"));
const [issuer, audience] = ["https://idp.example", "https://books.example/mcp"];

export const example: Authenticate = async (request) => {
  ${code.join("\n  ")}
};
`;
}

/** The handler in the project's README: it must compile. */
async function exampleOfReadme(): Promise<string> {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  const code = /```ts\n([^]*?)```/.exec(readme)?.[1] ?? "";
  assert.match(code, "ctx.upstreams.api.get(");
  return code;
}

type Headers = Readonly<Record<string, string>>;

const bearer = (token: string | undefined): Headers =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** A call of 2026-07-28. */
function callModern(name: string, credentials: Headers): Promise<Response> {
  const { headers, body } = modernCall(name);
  return fetch(server.url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(headers as Headers),
      ...credentials,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
  });
}

const statuses = (credentials: Credentials, own: Headers): Promise<Record<string, number>> =>
  statusesAt(server.url, credentials, own);

/** What is answered everywhere with one status. */
async function expectEverywhere(
  status: number,
  name: string,
  credentials: Credentials,
  own: Headers,
): Promise<void> {
  const found = await statuses(credentials, own);
  const others = Object.entries(found).filter(([, one]) => one !== status);
  assert.equal(others, [], `${name} is answered with ${status}`);
}

/** What valid credentials get. */
const LET_IN = {
  ...{ modern: 200, initialize: 200, session: 200, stream: 200 },
  ...{ sse: 200, messages: 202, socket: 101, delete: 200 },
};

/** What credentials get; a stream that is taken up again may be open still, as the server sees it. */
async function expectLetIn(
  name: string,
  credentials: Credentials,
  others: Readonly<Record<string, number>> = {},
): Promise<void> {
  const { resumed, ...found } = await statuses(credentials, credentials.headers as Headers);
  assert.equal(found, { ...LET_IN, ...others }, name);
  assert.ok(resumed === 200 || resumed === 409, `${name}: ${resumed}`);
}

test("a new key of the issuer is fetched when a token names it, and the former key is no longer accepted", async () => {
  const former = await accepted.right();
  assert.is((await callModern("whoami", bearer(former))).status, 200);
  idp.rotate();
  const asked = idp.asked.length;
  const names = await Promise.all(Array.from({ length: 5 }, () => accepted.right()));
  const [first = ""] = names;
  for (const token of names) {
    assert.is((await callModern("whoami", bearer(token))).status, 200);
  }
  await expectEverywhere(401, "the former key", { headers: bearer(former) }, bearer(first));
  assert.is(idp.asked.slice(asked).filter((path) => path === "/jwks").length, 1);
});

test("a request without valid credentials gets 401 at every endpoint", async () => {
  const own = bearer(await accepted.right());
  for (const [name, makeToken] of Object.entries(refused)) {
    await expectEverywhere(401, name, { headers: bearer(await makeToken()) }, own);
  }
  const right = await accepted.right();
  const elsewhere: Readonly<Record<string, Credentials>> = {
    "another scheme": { headers: { authorization: `Basic ${right}` } },
    "a scheme alone": { headers: { authorization: "Bearer" } },
    "a token alone": { headers: { authorization: right } },
    "two in one header": { headers: { authorization: `Bearer ${right}, Bearer ${right}` } },
    "a cookie": { headers: { cookie: `access_token=${right}` } },
    "a header of its own": { headers: { "x-api-key": API_KEY } },
    "the query": { headers: {}, query: `access_token=${encodeURIComponent(right)}` },
  };
  for (const [name, credentials] of Object.entries(elsewhere)) {
    await expectEverywhere(401, name, credentials, own);
  }
  assert.is(evil.asked, 0, "nobody asks where a token says that its key is");
});

test("a request with two authorization headers gets 400 at every endpoint", async () => {
  const own = bearer(await accepted.right());
  const authorization = [own["authorization"], own["authorization"]] as string[];
  await expectEverywhere(400, "two headers", { headers: { authorization } }, own);
});

test("a request with valid credentials is accepted at every endpoint", async () => {
  for (const [name, makeToken] of Object.entries(accepted)) {
    await expectLetIn(name, { headers: bearer(await makeToken()) });
  }
});

test("a call without a required scope gets 403 at every endpoint", async () => {
  const headers = bearer(await accepted.right());
  const forbidden = { modern: 403, session: 403, messages: 403 };
  await expectLetIn("a token without the scope", { headers, tool: "drop" }, forbidden);
});

test("callers are told apart by issuer, and machines from people", async () => {
  const callerOf = async (name: keyof typeof accepted): Promise<string> => {
    const answer = await callModern("whoami", bearer(await accepted[name]()));
    const text = /"text":"([^"]*)"/.exec(await answer.text())?.[1];
    return text ?? "";
  };
  assert.is(await callerOf("type JWT"), `jwt ${idp.issuer}|ada`);
  assert.is(await callerOf("right"), `jwt client:${idp.issuer}|reader`);
  assert.is(await callerOf("opaque"), `introspection client:${idp.issuer}|opaque`);
  assert.is(await callerOf("API key"), "apiKey key:ci");
});

test("a missing scope gets 403, and the challenge names the scope that clients must request", async () => {
  const drop = async (token: string): Promise<Response> => callModern("drop", bearer(token));
  const forbidden = await drop(await accepted.right());
  assert.is(forbidden.status, 403);
  const challenge = forbidden.headers.get("www-authenticate") ?? "";
  assert.match(challenge, 'error="insufficient_scope"');
  assert.match(challenge, 'scope="api://books/write"');
  assert.match(challenge, PAGE);
  for (const scope of ["write", "api://books/write"]) {
    assert.is((await drop(await idp.token("writer", RESOURCE, scope))).status, 200, scope);
  }
  assert.is((await drop(API_KEY)).status, 200);
});

const PAGE = 'resource_metadata="https://books.example/.well-known/oauth-protected-resource/mcp"';

test("the response to bad credentials says where tokens are issued, but not what was wrong", async () => {
  const challenges = new Set<string | null>();
  for (const name of ["expired", "wrong issuer", "malformed", "wrong API key"] as const) {
    const answer = await callModern("whoami", bearer(await refused[name]()));
    challenges.add(answer.headers.get("www-authenticate"));
  }
  const challenge = `Bearer error="invalid_token", error_description="The token is not valid here", ${PAGE}`;
  assert.equal([...challenges], [challenge]);
  const without = await callModern("whoami", {});
  assert.is(without.headers.get("www-authenticate"), `Bearer ${PAGE}`);
});

test("the metadata page and the health check need no token", async () => {
  const root = await fetch(new URL("/.well-known/oauth-protected-resource", server.url));
  const page = new URL("/.well-known/oauth-protected-resource/mcp", server.url);
  assert.equal(await root.json(), await (await fetch(page)).json());
  assert.equal(await (await fetch(page)).json(), {
    resource: RESOURCE,
    authorization_servers: [idp.issuer],
    bearer_methods_supported: ["header"],
    scopes_supported: ["api://books/write"],
    resource_name: "guarded-books",
  });
  assert.is((await fetch(new URL("/healthz", server.url))).status, 200);
});

/** The official client signs in and calls; what it asked for, in the order in which each came first. */
async function goFrom401ToCall(era: Era, authProvider: SigningIn): Promise<string[]> {
  const guarded = { publicUrl: RESOURCE, url: server.url, idp };
  const { client, asked } = await connectBySigningIn(guarded, era, authProvider);
  const whoami = await client.callTool({ name: "whoami", arguments: {} });
  assert.equal(whoami.content, [{ type: "text", text: `jwt ${idp.issuer}|ada` }]);
  const dropped = await client.callTool({ name: "drop", arguments: {} });
  assert.equal(dropped.content, [{ type: "text", text: "dropped" }]);
  await client.close();
  return [...new Set(asked)].filter((line) => STEPS.includes(line));
}

const STEPS = [
  "POST /mcp 401",
  "GET /.well-known/oauth-protected-resource/mcp 200",
  "POST /reg 201",
  "POST /token 200",
  "POST /mcp 200",
];

test("the official client finds its way from 401 to a call", async () => {
  for (const era of ["modern", "legacy"] as const) {
    assert.equal(await goFrom401ToCall(era, new SigningIn()), STEPS);
  }
});

test("a client with a client ID metadata document does not register", async () => {
  for (const era of ["modern", "legacy"] as const) {
    const authProvider = new SigningIn(CLIENT_DOCUMENT);
    const steps = STEPS.filter((line) => line !== "POST /reg 201");
    assert.equal(await goFrom401ToCall(era, authProvider), steps);
    assert.is(authProvider.clientInformation()?.client_id, CLIENT_DOCUMENT);
  }
  assert.is(idp.documentsRead, 1, "the authorization server keeps it");
});

test.run();
