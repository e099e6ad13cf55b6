import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from "jose";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildAndTestInLong } from "../../harness/projects/long-tested-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { startHttp, type StartedServer } from "../../harness/clients/project-clients.js";

/** A server with several issuers, keys in a file, and methods that need no token. */

const test = suite("a server with several issuers");

const RESOURCE = "https://books.example/mcp";

const manifest = `
name: many-issuers
version: 1.0.0
transports:
  - type: stdio
  - { type: http, sessions: memory, resumable: true }
limits: { ratePerSecond: 1000 }
env:
  STRICT_ISSUER: { required: true }
  OPENID_ISSUER: { required: true }
  JWKS_URL: { type: url, required: true }
  KEYS_FILE: { required: true }
auth:
  resource: ${RESOURCE}
  jwt:
    - { issuer: { env: STRICT_ISSUER }, strict: true }
    - { issuer: { env: OPENID_ISSUER } }
    - { issuer: "https://page.example", jwks: { env: JWKS_URL } }
    - { issuer: "https://file.example", jwks: issuer-keys.json }
  apiKeys: { file: { env: KEYS_FILE } }
  public: [server/discover, tools/list]
  lists: filter
tools:
  - { name: whoami, description: Says who calls. }
  - { name: wait, description: Waits until it is released. }
  - { name: release, description: Releases who waits. }
  - { name: drop, description: Drops all., scopes: [write] }
`;

const files: Readonly<Record<string, string>> = {
  "mcp.yaml": manifest,
  "src/context.ts": `export async function createServices() {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return { released, release };
}
export async function closeServices(): Promise<void> {}
`,
  "src/tools/whoami.ts": `import type { ToolHandler } from "../generated/index.js";

export const whoami: ToolHandler<"whoami"> = (_input, { auth }) => {
  // The types know that a JWT has claims and runs out, and that callers are known by nothing else.
  if (auth?.via === "jwt" && !(auth.claims["sub"] && auth.expiresAt > 0)) return "no claims";
  const via: "jwt" | "apiKey" | undefined = auth?.via;
  return \`\${via} \${auth?.principal}\`;
};
`,
  "src/tools/wait.ts": `import type { ToolHandler } from "../generated/index.js";

export const wait: ToolHandler<"wait"> = async (_input, { auth, services }) => {
  await services.released;
  return \`released \${auth?.principal}\`;
};
`,
  "src/tools/release.ts": `import type { ToolHandler } from "../generated/index.js";

export const release: ToolHandler<"release"> = (_input, { services }) => {
  services.release();
  return "released";
};
`,
  "test/tools/typed-auth.test.ts": `import type { Auth } from "../../src/generated/index.js";
import { createTestContext } from "../generated/testing.js";
import { whoami } from "../../src/tools/whoami.js";
import * as assert from "node:assert/strict";
import { test } from "node:test";

test("whoami tells who calls", async () => {
  const auth: Auth = { principal: "key:ci", scopes: [], via: "apiKey" };
  assert.equal(await whoami({}, createTestContext({ auth })), "apiKey key:ci");
});
`,
  "src/tools/drop.ts": `import type { ToolHandler } from "../generated/index.js";

export const drop: ToolHandler<"drop"> = () => "dropped";
`,
};

interface Issuer {
  readonly name: string;
  readonly sign: CryptoKey;
  readonly jwk: JWK;
}

async function newIssuer(name: string): Promise<Issuer> {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  return { name, sign: privateKey, jwk: { ...(await exportJWK(publicKey)), kid: "key-1" } };
}

type IssuerName = "strict" | "openid" | "page" | "file";

let folder: string;
let pages: Server;
let server: StartedServer;
let issuers: Readonly<Record<IssuerName, Issuer>>;
let apiKey: string;

/** Pages of the issuers: only the strict one has metadata by RFC 8414. */
function answer(path: string, base: string): object | undefined {
  const metadata = (name: string) => ({
    issuer: `${base}/${name}`,
    jwks_uri: `${base}/keys/${name}`,
  });
  switch (path) {
    case "/.well-known/oauth-authorization-server/strict":
      return metadata("strict");
    case "/openid/.well-known/openid-configuration":
      return metadata("openid");
    default: {
      const name = /^\/keys\/(\w+)$/.exec(path)?.[1] as IssuerName | undefined;
      return name && { keys: [issuers[name].jwk] };
    }
  }
}

test.before(async () => {
  pages = createServer((request, response) => {
    const base = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    const found = answer(request.url ?? "", base);
    response.writeHead(found === undefined ? 404 : 200).end(JSON.stringify(found));
  });
  pages.listen(0, "127.0.0.1");
  await once(pages, "listening");
  const base = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  issuers = {
    strict: await newIssuer(`${base}/strict`),
    openid: await newIssuer(`${base}/openid`),
    page: await newIssuer("https://page.example"),
    file: await newIssuer("https://file.example"),
  };
  folder = await mkdtemp(join(tmpdir(), "mcpwright-issuers-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await writeFile(join(folder, "issuer-keys.json"), JSON.stringify({ keys: [issuers.file.jwk] }));
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  // In short, the generated tests of served-access.test.ts run without a token.
  await buildAndTestInLong(folder);
  const made = await promisify(execFile)(
    process.execPath,
    ["dist/src/main.js", "--new-key", "ci"],
    {
      cwd: folder,
    },
  );
  const [, key = "", , line = ""] = made.stdout.split("\n");
  apiKey = key;
  await writeFile(join(folder, "keys.txt"), `${line}write\n`);
  server = await startHttp(folder, {
    STRICT_ISSUER: `${base}/strict`,
    OPENID_ISSUER: `${base}/openid`,
    JWKS_URL: `${base}/keys/page`,
    KEYS_FILE: "keys.txt",
  });
});
test.after(async () => {
  await server?.stop();
  pages?.closeAllConnections();
  pages?.close();
  await rm(folder, { recursive: true, force: true });
});

interface TokenChanges {
  readonly type?: string;
  /** Who is named as its issuer. */
  readonly claimed?: IssuerName;
  readonly sub?: string;
}

function tokenOf(
  name: IssuerName,
  { type = "at+jwt", claimed = name, sub = "ada" }: TokenChanges = {},
) {
  return new SignJWT({ sub })
    .setProtectedHeader({ alg: "ES256", kid: "key-1", typ: type })
    .setIssuer(issuers[claimed].name)
    .setAudience(RESOURCE)
    .setExpirationTime("1h")
    .sign(issuers[name].sign);
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

type Headers = Readonly<Record<string, string>>;

function post(headers: Headers, body: object): Promise<Response> {
  return fetch(server.url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
  });
}

/** A request of 2026-07-28. */
function ask(method: string, headers: Headers, name?: string): Promise<Response> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const called = name === undefined ? {} : { name, arguments: {} };
  const modern = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name !== undefined && { "mcp-name": name }),
  };
  return post({ ...modern, ...headers }, { method, params: { ...called, _meta } });
}

const call = (token: string, name = "whoami") => ask("tools/call", bearer(token), name);

const textOf = async (response: Response): Promise<string> =>
  /"text":"([^"]*)"/.exec(await response.text())?.[1] ?? "";

test("tokens of each issuer are accepted, wherever its keys are, and its callers differ from those of others", async () => {
  for (const name of Object.keys(issuers) as IssuerName[]) {
    const caller = await textOf(await call(await tokenOf(name)));
    assert.is(caller, `jwt ${issuers[name].name}|ada`);
  }
});

test("a token of one issuer is not accepted for another whose key has the same name", async () => {
  for (const name of Object.keys(issuers) as IssuerName[]) {
    for (const claimed of Object.keys(issuers) as IssuerName[]) {
      const expected = name === claimed ? 200 : 401;
      const { status } = await call(await tokenOf(name, { claimed }));
      assert.is(status, expected, `${claimed}, signed by ${name}`);
    }
  }
});

test("a strict issuer's tokens must have the type of an access token", async () => {
  const statuses = async (name: IssuerName): Promise<number[]> => {
    const types = ["at+jwt", "application/at+jwt", "JWT", "id+jwt"];
    const tokens = await Promise.all(types.map((type) => tokenOf(name, { type })));
    return Promise.all(tokens.map(async (token) => (await call(token)).status));
  };
  assert.equal(await statuses("strict"), [200, 200, 401, 401]);
  assert.equal(await statuses("openid"), [200, 200, 200, 401]);
});

test("an API key from the server's own command is accepted with the scopes of its line in the file", async () => {
  assert.is(await textOf(await call(apiKey)), "apiKey key:ci");
  assert.is(await textOf(await call(apiKey, "drop")), "dropped");
  const hidden = await (await call(await tokenOf("page"), "drop")).text();
  assert.match(hidden, "Tool drop not found");
  assert.is((await call(`${apiKey}x`)).status, 401);
});

test("public methods need no token, and list the items that everybody may use", async () => {
  assert.is((await ask("server/discover", {})).status, 200);
  const listed = (await (await ask("tools/list", {})).json()) as {
    result: { tools: { name: string }[]; cacheScope: string };
  };
  assert.equal(
    listed.result.tools.map(({ name }) => name),
    ["whoami", "wait", "release"],
  );
  assert.is(listed.result.cacheScope, "private");
  const shown = await (await ask("tools/list", bearer(apiKey))).text();
  assert.match(shown, '"name":"drop"');
  assert.is((await ask("tools/call", {}, "whoami")).status, 401);
  assert.is((await ask("tools/list", bearer("bad"))).status, 401);
  assert.is((await post({ "mcp-method": "tools/list" }, { method: "tools/call" })).status, 401);
  assert.is((await post({}, { method: "tools/list" })).status, 401, "the older eras show who asks");
});

/** The text of a stream from here on, until it has some words or ends. */
async function readUntil(response: Response, words: RegExp): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!words.test(text)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}

test("only the principal of a broken stream can resume it", async () => {
  const ada = bearer(await tokenOf("openid"));
  const clientInfo = { name: "test", version: "1.0.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const opened = await post(ada, { method: "initialize", params });
  await opened.text();
  const session = {
    "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": "2025-11-25",
  };
  const wait = { method: "tools/call", params: { name: "wait", arguments: {} } };
  const stream = await post({ ...session, ...ada }, wait);
  const begun = await readUntil(stream, /^id: /m);
  const lastEvent = /^id: (.+)$/m.exec(begun)?.[1] ?? "";
  assert.ok(lastEvent, "the stream has events to go on from");
  const resume = (credentials: Headers): Promise<Response> =>
    fetch(server.url, {
      headers: {
        ...{ accept: "text/event-stream", "last-event-id": lastEvent },
        ...session,
        ...credentials,
      },
    });
  const others = {
    "another person": bearer(await tokenOf("openid", { sub: "bob" })),
    "the same name at another issuer": bearer(await tokenOf("page")),
    "a machine": bearer(apiKey),
  };
  for (const [name, credentials] of Object.entries(others)) {
    const refused = await resume(credentials);
    assert.is(refused.status, 404, name);
    assert.not.match(await refused.text(), "released");
  }
  assert.is((await resume({})).status, 401);
  assert.is((await call(await tokenOf("openid"), "release")).status, 200);
  const resumed = await readUntil(await resume(ada), /released/);
  assert.match(resumed, `released ${issuers.openid.name}|ada`);
});

test.run();
