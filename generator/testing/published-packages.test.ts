import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../text/package-root.js";
import { installShared, npm, runProgram } from "./generated-project.js";
import { packageManager, usualManagers, type PackageManager } from "./package-managers.js";

/** What `npm pack` makes of projects, installed in empty folders and started as the package's command. */
const root = await mkdtemp(join(tmpdir(), "mcpwright-published-"));
test.after(() => rm(root, { recursive: true, force: true }));

/** A server as a person has published it. */
interface Published {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the JSON of the tool's answer has. */
  readonly answer: RegExp;
}

const weather: Published = {
  ...{ name: "weather", env: {}, tool: "get_forecast", arguments: { city: "Berlin" } },
  // The file with the forecasts is in the package.
  answer: /"date":"/,
};

const packing = new Map<string, Promise<string>>();

/** Packs an example once. */
function packed(name: string): Promise<string> {
  const made = packing.get(name) ?? pack(name);
  packing.set(name, made);
  return made;
}

/** Packs an example, whose `prepack` builds it. @returns the tarball */
async function pack(name: string): Promise<string> {
  const folder = join(root, name);
  const example = fileURLToPath(new URL(`examples/${name}`, packageRoot));
  const made = /^(?:node_modules|dist|vendor)$/;
  const filter = (path: string): boolean => !made.test(relative(example, path));
  await cp(example, folder, { recursive: true, filter });
  await installShared(folder);
  // A person who publishes has npm run `prepack`, whatever the settings of the machine that tests.
  const prepack = "--ignore-scripts=false";
  const said = await npm(folder, "pack", "--silent", prepack, `--pack-destination=${root}`);
  return join(root, /^\S+\.tgz$/m.exec(said)?.[0] ?? "");
}

/** A new folder in which a package manager has installed the tarball. */
async function installed(manager: PackageManager, name: string, tarball: string): Promise<string> {
  const folder = await mkdtemp(join(root, "empty-"));
  const about = { private: true, dependencies: { [name]: `file:${tarball}` } };
  const files = { "package.json": JSON.stringify(about), ...manager.files };
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  await manager.run(folder, manager.install, "online");
  return folder;
}

/** What a client gets from the server that this command starts. */
async function use(
  { env, tool, arguments: given, answer }: Published,
  folder: string,
  command: string,
  args: readonly string[],
): Promise<void> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const variables = { ...(process.env as Record<string, string>), ...env };
  const started = { command, args: [...args], cwd: folder, env: variables };
  await client.connect(new StdioClientTransport({ ...started, stderr: "ignore" }));
  try {
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === tool));
    const result = await client.callTool({ name: tool, arguments: given });
    assert.match(JSON.stringify(result.structuredContent ?? result.content), answer);
  } finally {
    await client.close();
  }
}

for (const published of [weather]) {
  const { name } = published;
  let tarball = "";
  test(`${name} is packed with its bundle and without its sources`, async () => {
    tarball = await packed(name);
    const entries = (await runProgram(root, "tar", ["-tzf", tarball])).trim().split("\n");
    const usual = ["README.md", "SERVER.md", "dist/bundle.mjs", "package.json"];
    const served = name === "weather" ? ["data/forecasts.json"] : [];
    assert.equal(entries.sort(), [...usual, ...served].map((path) => `package/${path}`).sort());
  });
  for (const settings of usualManagers.slice(0, 1)) {
    test(`${name} is installed by ${settings.title} and started by its command`, async () => {
      const manager = await packageManager(settings);
      const folder = await installed(manager, name, tarball);
      const [command, ...first] = manager.program;
      const env = { ...manager.env, ...published.env };
      const words = [...first, ...manager.execute, name, "--stdio"];
      await use({ ...published, env }, folder, command, words);
    });
  }
}

test("npx starts a packed server from its cache, which finds the files of the package", async () => {
  const cache = join(root, "npx-cache");
  const place = await mkdtemp(join(root, "anywhere-"));
  const env = { ...weather.env, npm_config_cache: cache };
  const words = ["--yes", `--package=${await packed("weather")}`, "weather", "--stdio"];
  await use({ ...weather, env }, place, "npx", words);
});

test.run();
