import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from "jose";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { LocalPostgres } from "../../../../templates/runtime/samples/local-postgres.js";
import { buildProject } from "../../harness/projects/built-project.js";
import { connectClient } from "../../harness/clients/every-method.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { startHttp, type Era, type StartedServer } from "../../harness/clients/project-clients.js";
import { runUnless } from "../../harness/runner/skipped-test.js";

/** Marked values in statements that fail, in claims of tokens and in keys: they must come out nowhere. */

const test = suite("marked values");

/** Statements that Postgres refuses, whose messages would repeat what they were given. */
const STATEMENTS = {
  number: "select :pin::int as found",
  table: "select :pin::regclass::text as found",
  search: "select to_tsquery(:pin)::text as found",
  setting: "select current_setting(:pin) as found",
  twice: "insert into pins values (:pin) returning 'kept' as found",
  check: "insert into pins values (:pin || repeat('x', 90)) returning 'kept' as found",
} as const;

const toolOf = ([name, query]: readonly [string, string]): string => `
  - name: ${name}
    description: Asks by ${name}.
    inputSchema:
      type: object
      properties: { pin: { type: string, writeOnly: true, description: Secret } }
      required: [pin]
      additionalProperties: false
    sql: { database: vault, query: ${JSON.stringify(query)}, write: ${query.startsWith("insert")} }`;

const manifest = `
name: vault
version: 1.0.0
transports: [{ type: http, sessions: memory, metrics: /metrics }]
limits: { ratePerSecond: 1000 }
env:
  VAULT: { secret: true, required: true }
  GONE: { secret: true, required: true }
  API_KEYS: { secret: true, required: true }
  AUDIT_FILE: { required: true }
auth:
  resource: https://vault.example/mcp
  jwt: [{ issuer: "https://idp.example", jwks: issuer-keys.json, require: { tenant: acme } }]
  apiKeys: { env: API_KEYS }
audit: { to: { env: AUDIT_FILE }, arguments: values }
databases:
  vault: { type: postgres, url: { env: VAULT } }
  gone: { type: postgres, url: { env: GONE } }
tools:
  - name: away
    description: Asks a database that is not there.
    sql: { database: gone, query: "select 1 as found" }${Object.entries(STATEMENTS).map(toolOf).join("")}
`;

const PIN = "pin-9911-marked";
const PASSWORD = "password-22aa-marked";
const CLAIM = "claim-88dd-marked";
const KEY = "key-of-ada-1f0e";
const WRONG_KEY = "wrong-key-7d11-marked";

let folder: string;
let postgres: LocalPostgres;
let server: StartedServer;
let signingKey: CryptoKey;
const log: string[] = [];
/** All that was answered. */
const messages: string[] = [];

test.before(async () => {
  postgres = await LocalPostgres.start();
  await postgres.execute("create role keeper login");
  await postgres.execute("create table pins (pin text unique check (length(pin) < 80))");
  await postgres.execute(`insert into pins values ('${PIN}'); grant all on pins to keeper`);
  folder = await mkdtemp(join(tmpdir(), "mcpwright-marked-"));
  await writeFile(join(folder, "mcp.yaml"), manifest);
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  signingKey = privateKey;
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "a" }] };
  await writeFile(join(folder, "issuer-keys.json"), JSON.stringify(keys));
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  await buildProject(folder);
  const env = {
    VAULT: postgres.url("keeper").replace("keeper@", `keeper:${PASSWORD}@`),
    GONE: `postgres://keeper:${PASSWORD}@127.0.0.1:9/gone`,
    API_KEYS: `ada:${createHash("sha256").update(KEY).digest("hex")}:`,
    AUDIT_FILE: join(folder, "audit.log"),
    LOG_LEVEL: "debug",
  };
  server = await startHttp(folder, env, [], (line) => log.push(line));
});
test.after(async () => {
  await server?.stop();
  await postgres?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Calls a tool, as the official client of an era. */
async function call(era: Era, token: string, name: string, input: object): Promise<string> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL(server.url), { requestInit });
  const client = await connectClient(transport, era);
  const answer = await client.callTool({ name, arguments: input as never });
  await client.close();
  const text = JSON.stringify(answer);
  messages.push(text);
  return text;
}

/** A token whose claims are marked, but for those that are given. */
function tokenWith(claims: object): Promise<string> {
  const right = { iss: "https://idp.example", aud: "https://vault.example/mcp", tenant: "acme" };
  const marked = { scope: CLAIM, email: CLAIM, [CLAIM]: CLAIM };
  return new SignJWT({ ...right, sub: "ada", ...marked, ...claims })
    .setProtectedHeader({ alg: "ES256", kid: "a", marked: CLAIM })
    .setExpirationTime("1h")
    .sign(signingKey);
}

test("the error of a refused statement does not contain its arguments", async () => {
  const token = await tokenWith({});
  for (const era of ["modern", "legacy"] as const) {
    for (const name of Object.keys(STATEMENTS)) {
      // What searches refuse is an operator without words beside it.
      const pin = name === "search" ? `${PIN} & | (` : PIN;
      assert.match(await call(era, token, name, { pin }), "The database vault refused", name);
    }
    const away = await call(era, KEY, "away", {});
    assert.match(away, "The database gone cannot be reached");
  }
});

test("the error of refused credentials does not contain them", async () => {
  const tokens = {
    "another tenant": await tokenWith({ tenant: CLAIM }),
    "another audience": await tokenWith({ aud: CLAIM }),
    "another issuer": await tokenWith({ iss: `https://${CLAIM}.example` }),
    "not valid yet": await tokenWith({ nbf: 9_999_999_999 }),
    "no subject": await tokenWith({ sub: { [CLAIM]: CLAIM } }),
    "no token": `${CLAIM}.${CLAIM}.${CLAIM}`,
    "no key": WRONG_KEY,
  };
  for (const [name, token] of Object.entries(tokens)) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(server.url, { method: "POST", headers, body: "{}" });
    assert.is(answer.status, 401, name);
    messages.push(JSON.stringify([...answer.headers]) + (await answer.text()));
  }
});

test("no marked value is in an answer, the log, the audit trail or a metric", async () => {
  const headers = { authorization: `Bearer ${KEY}` };
  messages.push(await (await fetch(new URL("/metrics", server.url), { headers })).text());
  const places = {
    answers: messages,
    log,
    trail: [await readFile(join(folder, "audit.log"), "utf8")],
  };
  const marks = ["9911", PASSWORD, CLAIM, KEY, WRONG_KEY];
  for (const [place, lines] of Object.entries(places)) {
    assert.ok(lines.join().length > 1_000, `${place} has what was said`);
    for (const mark of marks) {
      assert.equal(
        lines.filter((line) => line.includes(mark)),
        [],
        `${place}: ${mark}`,
      );
    }
  }
});

const why = await LocalPostgres.whyWithout();
runUnless(why, "marked values", test);
