import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { buildProject, buildProjects } from "../../harness/projects/built-project.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import {
  connectHttp,
  connectStdio,
  startHttp,
  type Era,
  type StartedServer,
} from "../../harness/clients/project-clients.js";
import {
  isTried,
  publishedServers,
  type PublishedServer,
} from "../../harness/services/published-servers.js";
import { testUnless } from "../../harness/runner/skipped-test.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/** From a living server to a facade, which answers as the server does: `import server --proxy`. */
const root = await mkdtemp(join(tmpdir(), "mcpwright-import-proxies-"));
/** What is done after the tests. */
const endings = [() => rm(root, { recursive: true, force: true })];
test.after(async () => {
  for (const end of endings) await end();
});
await writeFile(join(root, "note.txt"), "a note");

/** A request, and a part of its answer. */
type Probe = readonly [
  method: "tools/call" | "prompts/get" | "resources/read",
  params: object,
  part: string,
];

const call = (name: string, given: object, part: string): Probe => {
  return ["tools/call", { name, arguments: given }, part];
};

/** A package with a server, what it is started with, and what it and its facade are asked. */
interface Facade {
  readonly name: PublishedServer;
  readonly parameters: readonly string[];
  readonly probes: readonly Probe[];
}

const FACADES: readonly Facade[] = [
  {
    name: "@modelcontextprotocol/server-everything",
    parameters: [],
    probes: [
      call("echo", { message: "é {{x}}" }, "Echo: é {{x}}"),
      call("get-sum", { a: 2, b: 3 }, "5"),
      call("get-tiny-image", {}, "image/png"),
      call("get-structured-content", { location: "Chicago" }, "temperature"),
      call("get-annotated-message", { messageType: "error", includeImage: true }, "annotations"),
      call("trigger-long-running-operation", { duration: 0.2, steps: 2 }, "completed"),
      ["prompts/get", { name: "simple-prompt" }, "simple prompt"],
      ["prompts/get", { name: "args-prompt", arguments: { city: "Oslo" } }, "Oslo"],
      ["resources/read", { uri: "demo://resource/dynamic/text/7" }, "Resource 7"],
    ],
  },
  {
    name: "@modelcontextprotocol/server-filesystem",
    parameters: [root],
    probes: [
      call("read_text_file", { path: join(root, "note.txt") }, "a note"),
      call("list_directory", { path: root }, "note.txt"),
      call("read_text_file", { path: "/etc/passwd" }, "isError"),
    ],
  },
  {
    name: "@modelcontextprotocol/server-memory",
    parameters: [],
    probes: [call("read_graph", {}, "entities"), call("search_nodes", { query: "x" }, "relations")],
  },
];
/** In short, the one with every kind of answer; `import-servers.test.ts` imports the second. */
const PUBLISHED = shortOrLong(FACADES.slice(0, 1), FACADES).filter(({ name }) => isTried(name));

/** A tool of the server behind, under a name of the facade's own, for one city only. */
const OWN_TOOL = `  - name: in_berlin
    description: The weather in Berlin tomorrow.
    mcp: {upstream: weather, name: get_forecast, arguments: {city: Berlin, days: 1}}
`;

const ERAS: readonly Era[] = ["legacy", "modern"];

/** The folders of the facades, which one run of the compiler builds. */
const projects = join(root, "projects");
const folderOf = (name: string): string => join(projects, name.replace(/\W/g, "-"));

/** Imports a server as a facade, into the manifest of a folder. */
async function importFacade(name: string, ...server: string[]): Promise<void> {
  const out = join(folderOf(name), "mcp.yaml");
  const taken = await mcpwright(root, "import", "server", "--proxy", "--out", out, ...server);
  assert.is(taken.status, 0, taken.out + taken.err);
}

async function generate(folder: string): Promise<void> {
  const made = await mcpwright(folder, "generate");
  assert.is(made.status, 0, made.out + made.err);
  await installShared(folder);
}

/** What each era or server adds of its own; a server that we generate says of a prompt what the list says. */
const OWN = ["_meta", "ttlMs", "cacheScope", "resultType", "description"];

/** What comes of a request, without what is added to it, and without the time of day. */
async function answerOf(client: Client, [method, params]: Probe): Promise<unknown> {
  const request = { method, params } as { method: "tools/call"; params: { name: string } };
  const parts = Object.entries(await client.request(request)).filter(([key]) => !OWN.includes(key));
  const text = JSON.stringify(Object.fromEntries(parts));
  return JSON.parse(text.replace(/\d+:\d+:\d+ [AP]M/g, "TIME"));
}

async function answersOf(client: Client, probes: readonly Probe[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const probe of probes) answers.push(await answerOf(client, probe));
  await client.close();
  return answers;
}

const { absence, programOf } = await publishedServers();
const commandOf = ({ name, parameters }: Facade): readonly [string, ...string[]] => [
  process.execPath,
  ...[programOf(name), ...parameters],
];

/** Starts our own server over HTTP, and imports it as a facade with a tool of its own. */
async function importWeather(): Promise<StartedServer> {
  const examples = fileURLToPath(new URL("examples/", packageRoot));
  const source = await copyUserFiles(join(examples, "weather"), "weather");
  endings.push(() => rm(source, { recursive: true, force: true }));
  await generate(source);
  await buildProject(source);
  const server = await startHttp(source);
  endings.push(server.stop);
  await importFacade("weather", "--url", server.url);
  const path = join(folderOf("weather"), "mcp.yaml");
  const manifest = await readFile(path, "utf8");
  assert.match(manifest, "private: true");
  await writeFile(path, manifest.replace("\ntools:\n", `\ntools:\n${OWN_TOOL}`));
  await generate(folderOf("weather"));
  return server;
}

/** Imports all servers as facades, and builds those. @returns our own server */
async function makeFacades(): Promise<StartedServer> {
  const published = absence === undefined ? PUBLISHED : [];
  for (const facade of published) {
    await importFacade(facade.name, "--", ...commandOf(facade));
    await generate(folderOf(facade.name));
  }
  const server = await importWeather();
  await buildProjects([...published.map(({ name }) => name), "weather"].map(folderOf));
  return server;
}

let making: Promise<StartedServer> | undefined;
const facadesMade = (): Promise<StartedServer> => (making ??= makeFacades());

for (const facade of PUBLISHED) {
  const { name, probes } = facade;
  testUnless(absence, `a facade of ${name} answers like it in both eras`, async () => {
    await facadesMade();
    const direct = new Client({ name: "test", version: "1.0.0" });
    const [command, ...args] = commandOf(facade);
    await direct.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
    const expected = await answersOf(direct, probes);
    for (const [index, [, , part]] of probes.entries()) {
      assert.match(JSON.stringify(expected[index]), part);
    }
    for (const era of ERAS) {
      assert.equal(await answersOf(await connectStdio(folderOf(name), era), probes), expected, era);
    }
  });
}

test("a facade of our own server over HTTP, with renamed and narrowed tools, answers like that server in both eras", async () => {
  const server = await facadesMade();
  const probe = call("get_forecast", { city: "Berlin", days: 1 }, "");
  const facade = await startHttp(folderOf("weather"));
  try {
    for (const era of ERAS) {
      const direct = await answersOf(await connectHttp(server.url, era), [probe]);
      const passed = await answersOf(await connectHttp(facade.url, era), [probe]);
      assert.equal(passed, direct, era);
      const own = await connectHttp(facade.url, era);
      assert.equal(await answersOf(own, [call("in_berlin", {}, "")]), direct, era);
    }
  } finally {
    await facade.stop();
  }
});

test("headers of an import become environment variables, and a program keeps its folder", async () => {
  const main = fileURLToPath(
    new URL("../../harness/services/hostile-mcp-server.js", import.meta.url),
  );
  const folder = join(root, "elsewhere");
  const out = "elsewhere/mcp.yaml";
  const taken = await mcpwright(
    root,
    "import",
    "server",
    "--proxy",
    "--out",
    out,
    "--",
    process.execPath,
    main,
    "sound",
  );
  assert.is(taken.status, 0, taken.err);
  const manifest = await readFile(join(folder, "mcp.yaml"), "utf8");
  assert.match(manifest, "cwd: ..");
  assert.match(manifest, "mcp: {upstream: ");
});

test.run();
