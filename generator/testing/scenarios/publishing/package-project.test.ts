import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { assertLicences } from "../../harness/oracles/bundle-licences.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { npm, runProgram } from "../../harness/runner/programs.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/** A project with all that `package` can ask for, installed once, and what judges its files. */
const root = await mkdtemp(join(tmpdir(), "mcpwright-package-"));
test.after(() => rm(root, { recursive: true, force: true }));

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const MANIFEST = `name: "@acme/planner"
version: 1.2.0
description: Plans the day.
author: Ada Lovelace <ada@example.com>
repository: github:acme/planner
icons: [{ src: "data:image/png;base64,${PIXEL}", sizes: [1x1] }]
package:
  registry: { name: io.github.acme/planner }
  mcpb: true
  clients: true
  github: true
transports: [{ type: stdio }, { type: http }]
env:
  API_KEY: { secret: true, required: true }
  KEYS_FILE: { required: true }
  TOKEN: { secret: true }
auth: { apiKeys: { file: { env: KEYS_FILE } } }
resources:
  - { uri: "app://notes", name: notes, description: Notes., mimeType: text/plain, file: "logs/notes [1].log" }
resourceTemplates:
  - { uriTemplate: "app://docs/{+path}", name: docs, description: Documents., directory: { root: docs } }
tools:
  - { name: keys, description: Says which keys there are. }
`;

/** The versions of Node.js that the owner of the project wants. */
const NODE = ">=20.19.0 <99";

const HANDLER = `import type { ToolHandler } from "../generated/index.ts";

export const keys: ToolHandler<"keys"> = (_, { env }) => {
  // What acts only over the network may be absent.
  const file: string | undefined = env.KEYS_FILE;
  return [env.API_KEY, String(env.TOKEN ?? file)].join(", ");
};
`;

async function newProject(): Promise<string> {
  const folder = join(root, "project");
  await mcpwright(root, "init", "project", "--only-manifest", "--name", "planner");
  await writeFile(join(folder, "mcp.yaml"), MANIFEST);
  // What bundles leave out by default, under a name that is a pattern.
  await mkdir(join(folder, "logs"));
  await writeFile(join(folder, "logs/notes [1].log"), "Buy milk.\n");
  await mkdir(join(folder, "docs/.aws"), { recursive: true });
  for (const name of ["a.log", ".aws/credentials"]) {
    await writeFile(join(folder, "docs", name), "Text.\n");
  }
  await symlink("/etc/passwd", join(folder, "docs/passwd"));
  const { status, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, err);
  await writeFile(join(folder, "src/tools/keys.ts"), HANDLER);
  const packageJson = await readFile(join(folder, "package.json"), "utf8");
  await writeFile(
    join(folder, "package.json"),
    packageJson.replace(/"node": ".*"/, `"node": "${NODE}"`),
  );
  await installShared(folder);
  return folder;
}

const folder = await newProject();

/** How clients start a bundle, by the functions that the format's package has for them. */
interface BundlePackage {
  getMcpConfigForManifest(options: object): Promise<{
    readonly command: string;
    readonly args: string[];
    readonly env: Record<string, string>;
  }>;
}

test("a packed bundle is valid and works over stdio after it is unpacked into an empty folder", async () => {
  const output = await npm(folder, "run", "mcpb");
  assert.match(output, "Manifest schema validation passes!");
  assert.match(output, /package size: /);
  const mcpb = join(folder, "node_modules/.bin/mcpb");
  assert.match(await runProgram(root, mcpb, ["validate", join(folder, "dist/mcpb")]), "passes!");
  const unpacked = await mkdtemp(join(tmpdir(), "mcpwright-unpacked-"));
  try {
    await runProgram(root, mcpb, ["unpack", join(folder, "dist/planner.mcpb"), unpacked]);
    assert.equal((await readdir(unpacked, { recursive: true })).sort(), [
      "dist",
      "dist/bundle.mjs",
      "docs",
      "docs/a.log",
      "icons",
      "icons/icon-1.png",
      "logs",
      "logs/notes [1].log",
      "manifest.json",
      "package.json",
    ]);
    await assertLicences(folder, await readFile(join(unpacked, "dist/bundle.mjs"), "utf8"));
    await useBundle(unpacked);
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
});

/** Starts the server as a client does that knows one of the two keys, from a folder of the client's own. */
async function useBundle(unpacked: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(unpacked, "manifest.json"), "utf8")) as {
    readonly compatibility: unknown;
    readonly user_config: object;
  };
  assert.equal(manifest.compatibility, { runtimes: { node: NODE } });
  assert.equal(Object.keys(manifest.user_config), ["API_KEY", "TOKEN"]);
  const format = join(folder, "node_modules/@anthropic-ai/mcpb/dist/index.js");
  const { getMcpConfigForManifest } = (await import(pathToFileURL(format).href)) as BundlePackage;
  const { command, args, env } = await getMcpConfigForManifest({
    manifest,
    extensionPath: unpacked,
    systemDirs: {},
    userConfig: { API_KEY: "k1" },
    pathSeparator: "/",
  });
  assert.is(command, "node");
  assert.is(args[0], "--enable-source-maps");
  const client = new Client({ name: "desktop", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, cwd: root, stderr: "ignore" }),
  );
  try {
    assert.is(client.getServerVersion()?.version, "1.2.0");
    const { tools } = await client.listTools();
    assert.equal(
      tools.map(({ name }) => name),
      ["keys"],
    );
    const { content } = await client.callTool({ name: "keys", arguments: {} });
    assert.equal(content, [{ type: "text", text: "k1, undefined" }]);
    const { contents } = await client.readResource({ uri: "app://notes" });
    assert.match(JSON.stringify(contents), "Buy milk.");
  } finally {
    await client.close();
  }
}

test("the checkout is added to the settings of a client, and their command starts it", async () => {
  const file = join(root, "mcp.json");
  await writeFile(file, '{ "servers": { "other": {} } /* mine */ }');
  const install = ["dist/src/generated/install-client.js", "vscode", "--file", file];
  const runsInstall = (): Promise<string> => runProgram(folder, process.execPath, install);
  // In short, what the script runs after the build, which the test above has made.
  const output = await shortOrLong(runsInstall, () =>
    npm(folder, "run", "install:client", "--", "vscode", "--file", file),
  )();
  assert.match(output, "VS Code finds planner in ");
  const text = await readFile(file, "utf8");
  assert.match(text, "/* mine */");
  const { servers } = JSON.parse(text.replace("/* mine */", "")) as {
    servers: Record<string, { command: string; args: string[] }>;
  };
  assert.equal(Object.keys(servers).sort(), ["other", "planner"]);
  const { command = "", args = [] } = servers["planner"] ?? {};
  await writeFile(join(folder, ".env"), "API_KEY=k2\n");
  const client = new Client({ name: "vscode", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args, cwd: root, stderr: "ignore" }));
  try {
    const { content } = await client.callTool({ name: "keys", arguments: {} });
    assert.equal(content, [{ type: "text", text: "k2, undefined" }]);
  } finally {
    await client.close();
  }
  await writeFile(file, '{ "servers": ');
  const refusal = await runsInstall().catch(String);
  assert.match(refusal, /mcp\.json:1:\d+: .*\nNothing was changed\./);
  assert.is(await readFile(file, "utf8"), '{ "servers": ');
});

test("over HTTP, the server does not start without the variables that act only there", async () => {
  await writeFile(join(folder, ".env"), "API_KEY=k2\n");
  const start = ["dist/bundle.mjs", "--http", "--port", "0", "--dotenv", ".env"];
  const refusal = await runProgram(folder, process.execPath, start).catch(String);
  assert.match(refusal, "KEYS_FILE is required");
});

test.run();
