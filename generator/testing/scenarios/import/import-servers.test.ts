import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { freePort } from "../../../../templates/runtime/samples/free-port.js";
import {
  LIST_NAMES,
  LISTING_LIMITS,
  type ListedServer,
  type ServerTarget,
} from "../../../import/server/listed-server.js";
import { listServer } from "../../../import/server/mcp-client.js";
import { instancesOfTemplates } from "../../../import/server/template-instances.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../model/json.js";
import { buildProject, buildProjects } from "../../harness/projects/built-project.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { startHttp } from "../../harness/clients/project-clients.js";
import {
  isTried,
  publishedServers,
  type PublishedServer,
} from "../../harness/services/published-servers.js";
import { testUnless } from "../../harness/runner/skipped-test.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/** From a living server to a manifest, and from its generated server back to the same lists. */

const root = await mkdtemp(join(tmpdir(), "mcpwright-import-servers-"));
test.after(() => rm(root, { recursive: true, force: true }));
const examples = fileURLToPath(new URL("examples/", packageRoot));

const program = (...command: string[]): ServerTarget => ({
  kind: "command",
  command: [process.execPath, ...command],
  folder: root,
});

async function lists(target: ServerTarget): Promise<ListedServer> {
  const answer = await listServer(target, LISTING_LIMITS);
  if ("reason" in answer) throw new Error(answer.reason);
  return answer.listed;
}

const listedOverStdio = new Map<PublishedServer, Promise<ListedServer>>();

/** The lists of a published server over stdio, which is started once for all tests. */
function published(
  name: PublishedServer,
  parameters: readonly string[] = [],
): Promise<ListedServer> {
  const listed = listedOverStdio.get(name) ?? lists(program(programOf(name), ...parameters));
  listedOverStdio.set(name, listed);
  return listed;
}

/**
 * All that must be the same: without `execution`, which the protocol dropped, and instances of templates, whose list is a
 * function to write, in one order.
 */
function compared({ lists: found, instructions, about }: ListedServer): JsonObject {
  const resources = found.resources.filter(isJsonObject);
  const instances = instancesOfTemplates(resources, found.resourceTemplates.filter(isJsonObject));
  const places = new Set(instances.flatMap((one) => one.resources));
  const sorted = LIST_NAMES.map((name) => {
    const own = found[name].filter((_item, index) => name !== "resources" || !places.has(index));
    const items = own.map((item) => canonical(withoutExecution(item)));
    return [name, items.map((item) => JSON.stringify(item)).sort()] as const;
  });
  const { name: _name, ...rest } = about;
  return {
    ...Object.fromEntries(sorted),
    about: canonical(rest),
    instructions: instructions ?? null,
  };
}

function withoutExecution(item: JsonValue): JsonValue {
  if (!isJsonObject(item)) return item;
  const { execution: _execution, ...rest } = item;
  return rest;
}

function canonical(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, canonical(value[key] ?? null)]));
}

/** The folders of the imported servers, which one run of the compiler builds. */
const projects = join(root, "projects");
const folderOf = (name: string): string => join(projects, name.replace(/\W/g, "-"));

/** Imports and generates. */
async function importServer(name: string, ...server: string[]): Promise<void> {
  const folder = folderOf(name);
  const out = join(folder, "mcp.yaml");
  const taken = await mcpwright(root, "import", "server", "--out", out, ...server);
  assert.is(taken.status, 0, taken.out + taken.err);
  const lost = taken.err.split("\n").filter((line) => line.includes("MW6131"));
  assert.equal(lost, [], "no item is left out");
  await generate(folder);
}

async function generate(folder: string): Promise<void> {
  const made = await mcpwright(folder, "generate");
  assert.is(made.status, 0, made.out + made.err);
  await installShared(folder);
}

/** How each published server is started. */
const STARTS: readonly (readonly [name: PublishedServer, ...parameters: string[]])[] = [
  ["@modelcontextprotocol/server-everything"],
  ["@modelcontextprotocol/server-filesystem", root],
  ["@modelcontextprotocol/server-memory"],
  ["@modelcontextprotocol/server-sequential-thinking"],
  ["@upstash/context7-mcp"],
];
/** In short, `import-proxies.test.ts` imports the first. */
const PUBLISHED = shortOrLong(STARTS.slice(1), STARTS).filter(([name]) => isTried(name));
/** In short, `import-proxies.test.ts` imports one over HTTP, and `diff-server.test.ts` compares lists. */
const EXAMPLES = shortOrLong<readonly string[]>([], ["weather", "field-guide"]);
const { absence, programOf } = await publishedServers();

/** Imports an example over HTTP. @returns the lists of its own server */
async function importExample(example: string): Promise<ListedServer> {
  const source = await copyUserFiles(join(examples, example), example);
  await generate(source);
  await buildProject(source);
  const server = await startHttp(source);
  try {
    const drift = await mcpwright(source, "diff", "mcp.yaml", server.url);
    assert.is(drift.out, "callers see no change\n", drift.err);
    await importServer(example, "--url", server.url);
    return await lists({ kind: "url", url: server.url, headers: {} });
  } finally {
    await server.stop();
    await rm(source, { recursive: true, force: true });
  }
}

/** Imports all servers, and builds what is generated of them. @returns the lists of the imported ones */
async function importAll(): Promise<ReadonlyMap<string, ListedServer>> {
  const before = new Map<string, ListedServer>();
  for (const [name, ...parameters] of absence === undefined ? PUBLISHED : []) {
    before.set(name, await published(name, parameters));
    await importServer(name, "--", process.execPath, programOf(name), ...parameters);
  }
  for (const example of EXAMPLES) before.set(example, await importExample(example));
  await buildProjects([...before.keys()].map(folderOf));
  return before;
}

let imported: ReturnType<typeof importAll> | undefined;

/** Checks that a generated server has the lists of the server that was imported. */
async function assertSameLists(
  name: string,
  listsOf: (folder: string) => Promise<ListedServer>,
): Promise<void> {
  const before = (await (imported ??= importAll())).get(name);
  assert.ok(before !== undefined && before.lists.tools.length > 0);
  assert.equal(compared(await listsOf(folderOf(name))), compared(before));
}

for (const [name] of PUBLISHED) {
  testUnless(absence, `${name} is imported, and the generated server has the same lists`, () =>
    assertSameLists(name, (folder) => lists(program(join(folder, "dist/src/main.js"), "--stdio"))),
  );
}

/** Transports of the older eras: with sessions, and in the long form with server-sent events of 2024-11-05. */
const SESSIONS = ["streamableHttp", "mcp"] as const;
const OLDER_TRANSPORTS = shortOrLong<readonly (readonly [transport: string, path: string])[]>(
  [SESSIONS],
  [SESSIONS, ["sse", "sse"]],
);
for (const [transport, path] of OLDER_TRANSPORTS) {
  const name = "@modelcontextprotocol/server-everything";
  testUnless(absence, `${name} has the same lists over ${transport} as over stdio`, async () => {
    const main = programOf(name);
    const port = await freePort();
    const env = { ...process.env, PORT: String(port) };
    const child = spawn(process.execPath, [main, transport], { env, stdio: "ignore" });
    try {
      const url = `http://127.0.0.1:${port}/${path}`;
      while (child.exitCode === null && !(await isListening(port))) await delay(50);
      const there = await lists({ kind: "url", url, headers: {} });
      assert.equal(compared(there), compared(await published(name)));
    } finally {
      child.kill();
    }
  });
}

function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise((done) => {
    socket.once("connect", () => done(true)).once("error", () => done(false));
  }).then((is) => {
    socket.destroy();
    return is as boolean;
  });
}

for (const example of EXAMPLES) {
  test(`the server of examples/${example} is imported over HTTP, and the generated server has the same lists`, () =>
    assertSameLists(example, async (folder) => {
      const { url, stop } = await startHttp(folder);
      return lists({ kind: "url", url, headers: {} }).finally(stop);
    }));
}

test("an import that fails or is a dry run writes nothing", async () => {
  const folder = await mkdtemp(join(root, "empty-"));
  const main = fileURLToPath(
    new URL("../../harness/services/hostile-mcp-server.js", import.meta.url),
  );
  const commands = [
    ["--", process.execPath, "not-there.js"],
    ["--", join(folder, "no-such-program")],
    ["--url", "http://127.0.0.1:9/mcp"],
    ["--url", "ftp://example.com/"],
    [],
    ["--url", "http://127.0.0.1:9/", "--", "node"],
    ["--dry-run", "--", process.execPath, main, "sound"],
  ];
  for (const words of commands) {
    const { status, out, err } = await mcpwright(folder, "import", "server", ...words);
    assert.is(status, words[0] === "--dry-run" ? 0 : 1, out + err);
    assert.equal(await readdir(folder), [], words.join(" "));
  }
  const { out, status } = await mcpwright(
    folder,
    "import",
    "server",
    "--json",
    "--",
    process.execPath,
    main,
    "sound",
  );
  assert.is(status, 0, out);
  const { imported: counts } = JSON.parse(out) as JsonObject;
  assert.equal(counts, { tools: 1, resources: 0, resourceTemplates: 0, prompts: 0 });
  assert.match(await readFile(join(folder, "mcp.yaml"), "utf8"), "- name: find\n");
  const again = await mcpwright(folder, "import", "server", "--", process.execPath, main, "sound");
  assert.is(again.status, 1);
  assert.match(again.err, "mcp.yaml exists already, and is not overwritten");
  assert.match(again.err, "hint: `mcpwright diff` shows how the server differs from it");
});

test.run();
