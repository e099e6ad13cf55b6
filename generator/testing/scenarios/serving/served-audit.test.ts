import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Client,
} from "@modelcontextprotocol/client";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { WebSocket } from "ws";
import { connectClient } from "../../harness/clients/every-method.js";
import { buildAndTestInLong } from "../../harness/projects/long-tested-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { startHttp, type StartedServer } from "../../harness/clients/project-clients.js";
import { until } from "../../../../templates/runtime/samples/until.js";

/** A server that writes down who called what, on every transport. */

const test = suite("a server with an audit trail");

const manifest = `
name: audited
version: 1.0.0
transports:
  - { type: http, sessions: memory, metrics: /metrics }
  - { type: sse, port: 3000 }
  - { type: websocket, port: 3000 }
limits: { ratePerSecond: 1000 }
env:
  API_KEYS: { secret: true, required: true }
  AUDIT_FILE: { required: true }
  TOKEN: { secret: true, required: true }
auth:
  resource: https://audited.example/mcp
  jwt: [{ issuer: "https://idp.example", jwks: issuer-keys.json }]
  apiKeys: { env: API_KEYS }
upstreams:
  gone: { baseUrl: "http://127.0.0.1:9", private: true }
audit: { to: { env: AUDIT_FILE }, arguments: values }
telemetry: true
tools:
  - name: sign
    description: Signs a text.
    inputSchema:
      type: object
      properties:
        text: { type: string, description: What to sign }
        pin: { type: string, writeOnly: true, description: The pin }
      required: [text]
      additionalProperties: false
  - { name: drop, description: Drops all., scopes: [write] }
  - { name: fail, description: Fails. }
  - name: ask
    description: Asks for a name.
    elicitations:
      name:
        message: Your name?
        requestedSchema: { type: object, properties: { name: { type: string } }, required: [name] }
  - name: call_out
    description: Asks a service that is not there.
    inputSchema: &place { type: object, properties: { place: { type: string, pattern: "^[a-z0-9][a-z0-9-]*$" } }, required: [place] }
    http: { upstream: gone, path: "/{{place}}", query: { place: "{{place}}" } }
  - name: run_out
    description: Runs a program that fails.
    inputSchema: *place
    exec: { command: [ls, "{{place}}"] }
resourceTemplates:
  - { uriTemplate: "notes://{id}", name: notes, description: Notes. }
prompts:
  - name: greet
    description: Greets.
    arguments: [{ name: who, description: Whom, required: true }]
    messages: [{ role: user, content: { type: text, text: "Hello {{who}}" } }]
`;

const files: Readonly<Record<string, string>> = {
  "mcp.yaml": manifest,
  "src/tools/sign.ts": `import { ToolError, type ToolHandler } from "../generated/index.ts";

export const sign: ToolHandler<"sign"> = ({ text }) => {
  if (text === "nothing") throw new ToolError("nothing to sign");
  return \`signed \${text.length}\`;
};
`,
  "src/tools/drop.ts": `import type { ToolHandler } from "../generated/index.ts";

export const drop: ToolHandler<"drop"> = () => "dropped";
`,
  "src/tools/fail.ts": `import type { ToolHandler } from "../generated/index.ts";

export const fail: ToolHandler<"fail"> = async (_input, { auth, progress }) => {
  if (auth === undefined) return "nobody";
  await progress(1, 2, String(auth.via === "jwt" && auth.claims["email"]));
  throw new Error("no reason");
};
`,
  "src/tools/ask.ts": `import type { ToolHandler } from "../generated/index.ts";

export const ask: ToolHandler<"ask"> = async (_input, ctx) => (await ctx.elicit.name()).name ?? "nobody";
`,
  "src/resources/notes.ts": `import type { ResourceTemplateHandler } from "../generated/index.ts";

export const notes: ResourceTemplateHandler<"notes"> = ({ id }) => \`note \${id.length}\`;
`,
};

/** Each is where no line may show it. */
const SECRETS = {
  key: "key-of-ada-1f0e",
  variable: "token-of-the-server-2c",
  wrongKey: "wrong-key-7d11",
  pin: "pin-9911-marked",
  header: "header-55aa-marked",
  query: "query-66bb-marked",
  cookie: "cookie-77cc-marked",
  claim: "claim-88dd-marked",
  meta: "meta-99ee-marked",
  variable_of_uri: "instance-aa11-marked",
  answer: "answer-cc33-marked",
  argument_of_body: "place-dd44-marked",
};

type Line = Readonly<Record<string, unknown>>;

let folder: string;
let server: StartedServer;
/** A token that its issuer has signed. */
let token: string;
const log: string[] = [];

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcpwright-audit-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "a" }] };
  await writeFile(join(folder, "issuer-keys.json"), JSON.stringify(keys));
  token = await new SignJWT({ sub: "lin", email: SECRETS.claim, scope: "read" })
    .setProtectedHeader({ alg: "ES256", kid: "a", marked: SECRETS.claim })
    .setIssuer("https://idp.example")
    .setAudience("https://audited.example/mcp")
    .setExpirationTime("1h")
    .sign(privateKey);
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  // The project's own tests, which run in the long form, write nothing down outside of its folder.
  await buildAndTestInLong(folder);
  const digest = createHash("sha256").update(SECRETS.key).digest("hex");
  const env = {
    API_KEYS: `ada:${digest}:read`,
    AUDIT_FILE: join(folder, "audit.log"),
    TOKEN: SECRETS.variable,
    LOG_LEVEL: "debug",
  };
  server = await startHttp(folder, env, ["--sse", "--websocket"], (line) => log.push(line));
});
test.after(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The lines that some work adds, once there are as many as are due: they are written after the answer. */
async function linesOf(due: number, work: () => Promise<unknown>): Promise<Line[]> {
  const read = async (): Promise<string[]> =>
    (await readFile(join(folder, "audit.log"), "utf8")).split("\n").slice(0, -1);
  const before = (await read()).length;
  await work();
  await until(async () => (await read()).length >= before + due);
  return (await read()).slice(before).map((line) => JSON.parse(line) as Line);
}

const headers = {
  authorization: `Bearer ${SECRETS.key}`,
  "x-secret": SECRETS.header,
  cookie: `session=${SECRETS.cookie}`,
};

/** The official client of each transport and era. */
const clients: Readonly<Record<string, () => Promise<Client>>> = {
  "http, 2026-07-28": () => overHttp("modern"),
  "http with a session": () => overHttp("legacy"),
  sse: () => {
    const url = new URL(server.url.replace(/mcp$/, "sse"));
    return connectClient(
      new SSEClientTransport(url, {
        requestInit: { headers },
        eventSourceInit: {
          fetch: (input, init) => fetch(input, { ...init, headers: { ...headers } }),
        },
      }),
      "legacy",
    );
  },
};

function overHttp(era: "modern" | "legacy"): Promise<Client> {
  const url = new URL(`${server.url}?q=${SECRETS.query}`);
  return connectClient(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), era);
}

const CALL = { name: "sign", arguments: { text: `with ${SECRETS.variable}`, pin: SECRETS.pin } };

/** What every line of a call has. */
function expectCall(line: Line | undefined, outcome: string): void {
  const { principal, via, address, method, item } = line ?? {};
  assert.equal(
    { principal, via, address, method, item, outcome: line?.["outcome"] },
    {
      ...{ principal: "key:ada", via: "apiKey", address: "127.0.0.1" },
      ...{ method: "tools/call", item: "sign", outcome },
    },
  );
}

test("calls and refusals are audited on HTTP in both eras and on SSE", async () => {
  for (const [name, connect] of Object.entries(clients)) {
    const lines = await linesOf(3, async () => {
      const client = await connect();
      await client.callTool(CALL);
      await client.callTool({ name: "sign", arguments: { text: "nothing" } });
      await client.callTool({ name: "drop", arguments: {} }).catch(() => undefined);
      await client.close();
    });
    assert.is(lines.length, 3, `${name}: ${JSON.stringify(lines)}`);
    expectCall(lines[0], "ok");
    assert.equal(lines[0]?.["arguments"], { text: "with [masked]", pin: "[masked]" }, name);
    expectCall(lines[1], "tool_error");
    const { audit, principal, item, status } = lines[2] ?? {};
    assert.equal([audit, principal, item, status], ["refused", "key:ada", "drop", 403], name);
  }
});

test("calls and refusals are audited on WebSocket", async () => {
  const lines = await linesOf(2, async () => {
    const url = server.url.replace(/^http/, "ws").replace(/mcp$/, "ws");
    const socket = new WebSocket(url, { headers });
    const answers: string[] = [];
    socket.on("message", (data: Buffer) => answers.push(data.toString("utf8")));
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    const send = async (id: number, params: object): Promise<void> => {
      const envelope = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      };
      const message = { jsonrpc: "2.0", id, method: "tools/call" };
      socket.send(JSON.stringify({ ...message, params: { ...params, _meta: envelope } }));
      while (answers.length < id) await new Promise((resolve) => socket.once("message", resolve));
    };
    await send(1, CALL);
    await send(2, { name: "drop", arguments: {} });
    socket.terminate();
  });
  assert.is(lines.length, 2, JSON.stringify(lines));
  expectCall(lines[0], "ok");
  const { audit, principal, item, status } = lines[1] ?? {};
  assert.equal([audit, principal, item, status], ["refused", "key:ada", "drop", 403]);
});

test("each request without valid credentials is audited, whatever its method", async () => {
  const wrong = { ...headers, authorization: `Bearer ${SECRETS.wrongKey}` };
  const lines = await linesOf(4, async () => {
    for (const method of ["POST", "GET", "DELETE"]) {
      const { status } = await fetch(server.url, { method, headers: wrong });
      assert.is(status, 401, method);
    }
    const socket = new WebSocket(server.url.replace(/^http/, "ws").replace(/mcp$/, "ws"), {
      headers: wrong,
    });
    await new Promise((resolve) => socket.once("error", resolve));
  });
  assert.equal(
    lines.map(({ audit, status, address }) => [audit, status, address]),
    Array.from({ length: 4 }, () => ["refused", 401, "127.0.0.1"]),
  );
});

/** The metadata that a call may carry. */
const _meta = { secret: SECRETS.meta };

test("no data of a call is in the audit trail, the log or the metrics", async () => {
  const withToken = { ...headers, authorization: `Bearer ${token}` };
  for (const era of ["modern", "legacy"] as const) {
    const url = new URL(`${server.url}?q=${SECRETS.query}`);
    const requestInit = { headers: withToken };
    const client = await connectClient(
      new StreamableHTTPClientTransport(url, { requestInit }),
      era,
    );
    client.setRequestHandler("elicitation/create", () => ({
      action: "accept",
      content: { name: SECRETS.answer },
    }));
    const call = async (name: string, input: object): Promise<unknown> =>
      client
        .callTool({ name, arguments: input as never, _meta }, { onprogress: () => undefined })
        .catch((error: unknown) => error);
    const lines = await linesOf(7, async () => {
      await call("sign", { text: "a", pin: SECRETS.pin });
      await call("fail", {});
      await call("ask", {});
      await call("call_out", { place: SECRETS.argument_of_body });
      await call("run_out", { place: SECRETS.argument_of_body });
      await client.readResource({ uri: `notes://${SECRETS.variable_of_uri}` });
      await client.getPrompt({ name: "greet", arguments: { who: "Ada" } });
    });
    assert.ok(lines.every(({ principal }) => principal === "https://idp.example|lin"));
    await client.close();
  }
  const page = await fetch(new URL("/metrics", server.url), { headers: withToken });
  const text = await page.text();
  assert.match(text, 'name="call_out"');
  const trail = await readFile(join(folder, "audit.log"), "utf8");
  for (const [place, secret] of Object.entries({ ...SECRETS, token })) {
    assert.not.ok(text.includes(secret), `a figure has the ${place}`);
    // No schema marks it: the trail shows it as it shows all values, and the log what the program said of it.
    if (place === "argument_of_body") continue;
    const logged = log.filter((line) => line.includes(secret));
    assert.equal(logged, [], `the log has the ${place}`);
    assert.not.ok(trail.includes(secret), `the trail has the ${place}`);
  }
});

test("the audit file continues after a rotation, and no line contains a secret", async () => {
  const path = join(folder, "audit.log");
  const rotated = await readFile(path, "utf8");
  await rename(path, `${path}.1`);
  const client = await overHttp("modern");
  let text = "";
  // The first lines may still go to the file that was renamed.
  for (let call = 0; call < 50 && text === ""; call++) {
    await client.callTool(CALL);
    await new Promise((resolve) => setTimeout(resolve, 20));
    text = await readFile(path, "utf8").catch(() => "");
  }
  await client.close();
  assert.ok(text.endsWith("\n"));
  const all = rotated + (await readFile(`${path}.1`, "utf8")) + text;
  const { argument_of_body: _shown, ...hidden } = SECRETS;
  for (const [place, secret] of Object.entries(hidden)) {
    assert.not.ok(all.includes(secret), `a line has the ${place}`);
  }
});

test.run();
