import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { dirname, join as joinPosix } from "node:path/posix";
import { promisify } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../model/json.js";
import type { ManifestTransport } from "../model/manifest.js";
import { checkedManifest } from "../testing/harness/projects/checked-manifest.js";
import { exampleNames } from "../testing/harness/projects/example-names.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";
import { packageRoot } from "../text/package-root.js";
import { emit } from "./emit.js";

const TRANSPORTS: readonly ManifestTransport[] = [
  { type: "stdio" },
  { type: "http" },
  { type: "sse" },
  { type: "websocket" },
  { type: "custom", name: "pigeon" },
];

const inputSchema = { type: "object", properties: { a: { type: "string", default: "b" } } };
const header = { type: "object", properties: { a: { type: "string", "x-mcp-header": "A" } } };
const env = { CERT: { description: "x" }, KEY: { description: "x" } };
const farUrl = { far: { mcp: { url: "https://far.example/mcp" } } };
const farProgram = { far: { mcp: { command: ["node", "far.js"] } } };
const api = { api: { baseUrl: "https://api.example" } };
const tls = { cert: "CERT", key: "KEY" };

/** Items, and settings of the server, that need parts of the runtime which others do not. */
const ITEMS: readonly JsonObject[] = [
  {},
  { tools: [{ name: "a", description: "x" }] },
  { tools: [{ name: "a", description: "x", inputSchema, enabled: true }], env },
  {
    tools: [
      { name: "a", description: "x", inputSchema: header, content: [{ type: "text", text: "x" }] },
    ],
  },
  { tools: [{ name: "a", description: "x", uses: ["roots"], scopes: ["s"] }] },
  { tools: [{ name: "a", description: "x", examples: [{ arguments: {}, text: "x" }] }] },
  { tools: [{ name: "a", description: "x", exec: { command: ["date"] } }] },
  { databases: { a: { type: "sqlite", file: "a.db" } } },
  { databases: { a: { type: "postgres", url: { env: "CERT" } } }, env, telemetry: true },
  { tools: [{ name: "a", description: "x", mcp: { upstream: "far" } }], upstreams: farUrl },
  { tools: [{ name: "a", description: "x", mcp: { upstream: "far" } }], upstreams: farProgram },
  {
    tools: [{ name: "a", description: "x", http: { upstream: "api", path: "/a" } }],
    upstreams: api,
  },
  { tools: [{ name: "a", description: "x" }], upstreams: api, audit: { to: { env: "CERT" } }, env },
  { tools: [{ name: "a", description: "x" }], exposure: "search" },
  { resourceTemplates: [{ uriTemplate: "x://{+a}", name: "a", directory: { root: "data" } }] },
  { resources: [{ uri: "x://a", name: "a", scopes: ["s"] }], limits: { bodyBytes: 1_000 } },
  { resourceTemplates: [{ uriTemplate: "x://{a}", name: "a", complete: { a: ["1"] } }] },
  { resourceTemplates: [{ uriTemplate: "x://{a}", name: "a", list: "code" }] },
  { prompts: [{ name: "a", arguments: [{ name: "b", complete: ["1"] }] }] },
  { tools: [{ name: "a", description: "x", content: [{ type: "text", text: "x" }] }] },
  { resources: [{ uri: "x://a", name: "a", text: "x" }] },
  {
    prompts: [
      {
        name: "a",
        messages: [{ role: "user", content: { type: "text", text: "x" } }],
        enabled: false,
      },
    ],
  },
];

/** Each choice of transports with one of the items in turn, and what only HTTP has with all of them. */
function* manifests(): Generator<JsonObject> {
  for (let chosen = 1; chosen < 2 ** TRANSPORTS.length; chosen++) {
    const transports = TRANSPORTS.filter((_, index) => (chosen >> index) % 2 === 1);
    yield manifestOf(transports, ITEMS[chosen % ITEMS.length]);
  }
  for (const items of ITEMS) {
    yield manifestOf([{ type: "stdio" }], items);
    yield manifestOf([{ type: "http", sessions: "memory", metrics: "/m", tls }], { ...items, env });
  }
}

function manifestOf(transports: readonly ManifestTransport[], parts: JsonObject = {}): JsonObject {
  return { name: "demo", version: "1.0.0", transports: [...transports] as never, ...parts };
}

/** The files of a project, by their paths. */
async function projectOf(manifest: string): Promise<ReadonlyMap<string, string>> {
  const files = await emit(checkedManifest(manifest).model);
  return new Map(files.map(({ path, content }) => [path, content]));
}

/** Types too: the project is compiled. */
const IMPORT = /(?:\bfrom |\bimport\(|\bimport )"(\.[^"]+)"/g;

/** The files that a project is started, deployed and tested with, and the stand-ins for people's own tests. */
const ENTRIES = [
  /^src\/generated\/(worker|lambda|vercel)\.ts$/,
  /^(src\/main|src\/generated\/(install-client|write-page)|test\/.*\.test|test\/generated\/server)\.ts$/,
  /^test\/generated\/contract\.ts$/,
];

/** What is wrong with the generated files of a project: one is missing, or nothing imports it. */
function* problems(files: ReadonlyMap<string, string>): Generator<string> {
  const imported = new Set<string>();
  for (const [path, content] of files) {
    if (!path.endsWith(".ts")) continue;
    for (const [, name = ""] of content.matchAll(IMPORT)) {
      const target = joinPosix(dirname(path), name);
      imported.add(target);
      if (!files.has(target)) yield `${path} imports ${target}, which is not there`;
    }
  }
  for (const path of files.keys()) {
    const isGenerated = /^(src|test)\/generated\/.*\.ts$/.test(path);
    const isEntry = ENTRIES.some((entry) => entry.test(path));
    const isUsed = imported.has(path) || isEntry;
    if (isGenerated && !isUsed) yield `nothing imports ${path}`;
  }
}

test("a project has all files that it imports, and imports all of its generated files", async () => {
  const found = new Set<string>();
  for (const manifest of manifests()) {
    for (const problem of problems(await projectOf(JSON.stringify(manifest)))) found.add(problem);
  }
  assert.equal([...found], []);
});

test("the examples have all files that they import, and import all of their generated files", async () => {
  const folder = new URL("examples/", packageRoot);
  // In short, those that together have each kind of item, of body and of transport.
  for (const name of shortOrLong(
    ["field-guide", "files", "members", "transports"],
    exampleNames(),
  )) {
    const manifest = await readFile(new URL(`${name}/mcp.yaml`, folder), "utf8");
    assert.equal([...problems(await projectOf(manifest))], [], name);
  }
});

test("projects type-check with every combination of items and transports", async () => {
  const folder = await mkdtemp(join(tmpdir(), "projects-"));
  const modules = fileURLToPath(new URL("node_modules", packageRoot));
  try {
    await symlink(modules, join(folder, "node_modules"));
    for (const [index, items] of ITEMS.entries()) {
      const types = TRANSPORTS.slice(index % TRANSPORTS.length).slice(0, 1 + (index % 2));
      const files = await projectOf(JSON.stringify(manifestOf(types, items)));
      await writeFiles(join(folder, String(index)), files);
    }
    assert.is(await typeErrors(folder, modules), "");
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** What the projects' compiler says of all projects below a folder, with the settings of the first. */
async function typeErrors(folder: string, modules: string): Promise<string> {
  const settings = {
    extends: "./0/tsconfig.json",
    compilerOptions: { rootDir: "." },
    include: ["*/src", "*/test"],
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const compiler = join(modules, "typescript/bin/tsc");
  const run = promisify(execFile)(process.execPath, [compiler, "--noEmit", "--singleThreaded"], {
    cwd: folder,
  });
  return run.then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string }) => error.stdout,
  );
}

test.run();
