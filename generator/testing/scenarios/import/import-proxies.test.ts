import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { buildProject } from "../../harness/projects/built-project.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import {
  connectHttp,
  connectStdio,
  startHttp,
  type Era,
} from "../../harness/clients/project-clients.js";
import {
  publishedServers,
  type PublishedServer,
} from "../../harness/services/published-servers.js";
import { testUnless } from "../../harness/runner/skipped-test.js";

/** From a living server to a facade, which answers as the server does: `import server --proxy`. */
const root = await mkdtemp(join(tmpdir(), "mcpwright-import-proxies-"));
test.after(() => rm(root, { recursive: true, force: true }));
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

/** Packages with servers, what they are started with, and what they are asked. */
const PUBLISHED: readonly {
  readonly name: PublishedServer;
  readonly parameters: readonly string[];
  readonly probes: readonly Probe[];
}[] = [
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

/** A tool of the server behind, under a name of the facade's own, for one city only. */
const OWN_TOOL = `  - name: in_berlin
    description: The weather in Berlin tomorrow.
    mcp: {upstream: weather, name: get_forecast, arguments: {city: Berlin, days: 1}}
`;

const ERAS: readonly Era[] = ["legacy", "modern"];

/** Imports a server as a facade, and builds it. */
async function facadeOf(name: string, ...server: string[]): Promise<string> {
  const folder = await importedFacade(name, ...server);
  await build(folder);
  return folder;
}

async function importedFacade(name: string, ...server: string[]): Promise<string> {
  const folder = join(root, name);
  const out = `${name}/mcp.yaml`;
  const taken = await mcpwright(root, "import", "server", "--proxy", "--out", out, ...server);
  assert.is(taken.status, 0, taken.out + taken.err);
  return folder;
}

async function build(folder: string): Promise<void> {
  const made = await mcpwright(folder, "generate");
  assert.is(made.status, 0, made.out + made.err);
  await installShared(folder);
  await buildProject(folder);
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

for (const { name, parameters, probes } of PUBLISHED) {
  testUnless(absence, `a facade of ${name} answers like it in both eras`, async () => {
    const main = programOf(name);
    const command = [process.execPath, main, ...parameters];
    const folder = await facadeOf(name.replace(/\W/g, "-"), "--", ...command);
    const direct = new Client({ name: "test", version: "1.0.0" });
    const transport = {
      command: process.execPath,
      args: [main, ...parameters],
      stderr: "ignore" as const,
    };
    await direct.connect(new StdioClientTransport(transport));
    const expected = await answersOf(direct, probes);
    for (const [index, [, , part]] of probes.entries()) {
      assert.match(JSON.stringify(expected[index]), part);
    }
    for (const era of ERAS) {
      assert.equal(await answersOf(await connectStdio(folder, era), probes), expected, era);
    }
  });
}

test("a facade of our own server over HTTP, with renamed and narrowed tools, answers like that server in both eras", async () => {
  const examples = fileURLToPath(new URL("examples/", packageRoot));
  const source = await copyUserFiles(join(examples, "weather"), "weather");
  const made = await mcpwright(source, "generate");
  assert.is(made.status, 0, made.out + made.err);
  await installShared(source);
  await buildProject(source);
  const server = await startHttp(source);
  try {
    const folder = await importedFacade("weather", "--url", server.url);
    const manifest = await readFile(join(folder, "mcp.yaml"), "utf8");
    assert.match(manifest, "private: true");
    await writeFile(
      join(folder, "mcp.yaml"),
      manifest.replace("\ntools:\n", `\ntools:\n${OWN_TOOL}`),
    );
    await build(folder);
    const probe = call("get_forecast", { city: "Berlin", days: 1 }, "");
    const facade = await startHttp(folder);
    for (const era of ERAS) {
      const direct = await answersOf(await connectHttp(server.url, era), [probe]);
      const passed = await answersOf(await connectHttp(facade.url, era), [probe]);
      assert.equal(passed, direct, era);
      const own = await connectHttp(facade.url, era);
      assert.equal(await answersOf(own, [call("in_berlin", {}, "")]), direct, era);
    }
    await facade.stop();
  } finally {
    await server.stop();
    await rm(source, { recursive: true, force: true });
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
