import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { isBuiltin } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { connectHttp } from "../../../../templates/runtime/suite/clients/http.js";
import { testTls } from "../../../../templates/runtime/suite/clients/tls.js";
import { buildProject } from "../../harness/projects/built-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";

/** Every relative path of a manifest and of its environment begins at the project's folder, wherever the server starts. */
const folder = await mkdtemp(join(tmpdir(), "mcpwright-paths-"));
const tls = testTls().writeFiles();
const upstream = createServer(
  { cert: await readFile(tls.cert), key: await readFile(tls.key) },
  (_request, response) => response.setHeader("content-type", "application/json").end('"asked"'),
);
test.after(async () => {
  upstream.close();
  rmSync(tls.folder, { recursive: true });
  await rm(folder, { recursive: true });
});

const AUDIENCE = "https://localhost/mcp";
const ISSUER = "https://idp.example";
const KEY = "a key of a machine";

/** The manifest. A version of Node.js without SQLite has no database of it. */
const SQLITE = isBuiltin("node:sqlite")
  ? {
      database: "  notes: { type: sqlite, file: { env: NOTES } }\n",
      variable: "  NOTES: {}\n",
      tool: '  - { name: count_notes, description: Counts., sql: { database: notes, query: "select count(*) as n from sqlite_master" } }\n',
    }
  : { database: "", variable: "", tool: "" };
const MANIFEST = `name: paths
version: 1.0.0
transports: [{ type: http, tls: { cert: CERT, key: CERT_KEY } }]
env:
  AUDIT: {}
  CA: {}
  DOCS: {}
  SHOP: { secret: true }
  UPSTREAM: { type: url, required: true }
  WHERE: {}
${SQLITE.variable}auth:
  resource: ${AUDIENCE}
  jwt: [{ issuer: "${ISSUER}", jwks: keys/jwks.json }]
  apiKeys: { file: keys/machines.txt }
audit: { to: { env: AUDIT } }
upstreams: { local: { baseUrl: { env: UPSTREAM }, ca: CA, private: true } }
databases:
  shop: { type: postgres, url: { env: SHOP } }
${SQLITE.database}tools:
  - { name: ask, description: Asks., http: { upstream: local, path: / } }
  - { name: where, description: Says where it runs., exec: { command: [pwd], cwd: { env: WHERE } } }
${SQLITE.tool}resources:
  - { uri: "app://note", name: note, description: A note., mimeType: text/plain, file: notes/note.txt }
resourceTemplates:
  - { uriTemplate: "docs:///{+path}", name: docs, description: Documents., directory: { root: { env: DOCS } } }
`;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

/** Makes the project with its files. Returns a token of the issuer. */
async function newProject(): Promise<string> {
  await write("mcp.yaml", MANIFEST);
  const { status, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, err);
  await installShared(folder);
  await buildProject(folder);
  const { port } = upstream.address() as AddressInfo;
  for (const name of ["logs", "work", "data"]) await mkdir(join(folder, name));
  await mkdir(join(folder, "tls"));
  cpSync(tls.cert, join(folder, "tls/cert.pem"));
  cpSync(tls.key, join(folder, "tls/key.pem"));
  await write("notes/note.txt", "Buy milk.");
  await write("docs/start.md", "# Start");
  await write("data/notes.db", "");
  await write("keys/machines.txt", `ci:${createHash("sha256").update(KEY).digest("hex")}:\n`);
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), alg: "ES256", kid: "k" };
  await write("keys/jwks.json", JSON.stringify({ keys: [jwk] }));
  await write(
    "settings/server.env",
    [
      ...["AUDIT=logs/audit.jsonl", "CA=tls/cert.pem", "CERT=tls/cert.pem", "CERT_KEY=tls/key.pem"],
      ...["DOCS=docs", "NOTES=data/notes.db", "WHERE=work", `UPSTREAM=https://localhost:${port}`],
      "SHOP=postgres://reader@127.0.0.1:1/shop?sslrootcert=tls/cert.pem",
    ].join("\n"),
  );
  return new SignJWT({ sub: "ada" })
    .setProtectedHeader({ alg: "ES256", kid: "k" })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setExpirationTime("5 minutes")
    .sign(privateKey);
}

/** Starts the server in the root folder of the machine, and hands its URL over. */
async function serve(use: (url: string) => Promise<void>): Promise<void> {
  const main = join(folder, "dist/src/main.js");
  const flags = ["--http", "--port", "0", "--dotenv", "settings/server.env"];
  const child = spawn(process.execPath, [main, ...flags], { cwd: "/", stdio: "pipe" });
  const ended = once(child, "exit");
  let output = "";
  child.stderr.on("data", (text: Buffer) => (output += text.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", () => {
      const [, found] = /"url":"([^"]+)"/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(output)));
  });
  try {
    await use(url);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

function clientWith(url: string, token: string): Promise<Client> {
  return connectHttp(url, "modern", async (request) => {
    request.headers.set("authorization", `Bearer ${token}`);
    return testTls().fetch(request);
  });
}

async function textOf(client: Client, name: string): Promise<string> {
  const { content } = await client.callTool({ name, arguments: {} });
  return (content as { readonly text: string }[])[0]?.text ?? "";
}

test("a server that is started in / finds the files of every setting in its project", async () => {
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const token = await newProject();
  await serve(async (url) => {
    assert.match(url, /^https:/, "certificate, key and --dotenv");
    const client = await clientWith(url, token);
    const read = async (uri: string): Promise<string> =>
      JSON.stringify((await client.readResource({ uri })).contents);
    const used: readonly (readonly [what: string, found: string, expected: string])[] = [
      ["an authority of an upstream", await textOf(client, "ask"), "asked"],
      ["the folder of a program", await textOf(client, "where"), join(folder, "work")],
      ["a file of a resource", await read("app://note"), "Buy milk."],
      ["the root of a directory", await read("docs:///start.md"), "# Start"],
      ...(SQLITE.tool === ""
        ? []
        : ([["a file of SQLite", await textOf(client, "count_notes"), '"n":0']] as const)),
    ];
    for (const [what, found, expected] of used) assert.match(found, expected, `${what}: ${found}`);
    await client.close();
    const machine = await clientWith(url, KEY);
    assert.match(await textOf(machine, "ask"), "asked", "a file of API keys");
    await machine.close();
  });
  const audit = await readFile(join(folder, "logs/audit.jsonl"), "utf8");
  assert.match(audit, '"principal":"key:ci"');
  assert.match(audit, `"principal":"${ISSUER}|ada"`);
});

test.run();
