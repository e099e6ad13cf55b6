import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { runProgram } from "../../harness/runner/programs.js";
import { LanguageServer } from "../../harness/clients/language-server.js";
import {
  otherManagers,
  packageManager,
  usualManagers,
  type PackageManager,
} from "../../harness/projects/package-managers.js";
import { testUnless } from "../../harness/runner/skipped-test.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/** What people do with one generated project, with each package manager. */
const root = await mkdtemp(join(tmpdir(), "mcpwright-managers-"));
test.after(() => rm(root, { recursive: true, force: true }));

const MANIFEST = `# yaml-language-server: $schema=./node_modules/@mcpwright/runtime/mcp.schema.json
name: shelf
version: 1.0.0
transports: [{ type: stdio }]
tools:
  - name: count
    description: Says what is on the shelf.
    inputSchema: { type: object, properties: { row: { type: integer, default: 1 } }, additionalProperties: false }
    content: [{ type: text, text: "Two books." }]
`;

const generated = join(root, "generated");
await mkdir(generated);
await writeFile(join(generated, "mcp.yaml"), MANIFEST);
const { status, err } = await mcpwright(generated, "generate");
assert.is(status, 0, err);

/** Copies the generated project, with other files beside it. */
async function checkOut(path: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(root, path);
  await cp(generated, folder, { recursive: true });
  await write(folder, files);
  return folder;
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** What the tool answers when the server is started by this command. */
async function answerOf(folder: string, command: string, args: string[]): Promise<unknown> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const started = { command, args, cwd: folder, stderr: "ignore" } as const;
  await client.connect(new StdioClientTransport(started));
  try {
    return (await client.callTool({ name: "count", arguments: {} })).content;
  } finally {
    await client.close();
  }
}

const BOOKS = [{ type: "text", text: "Two books." }];

/** Installs by a lock file without a network, moves the project, builds it, and calls the server. */
async function useCheckout(manager: PackageManager, lock: string): Promise<string> {
  const { lockFile, files, title } = manager;
  const place = await checkOut(`${title} checkout`, { ...files, [lockFile]: lock });
  await manager.run(place, manager.installFrozen);
  assert.is(await readFile(join(place, lockFile), "utf8"), lock);
  const moved = join(root, `${title} moved`);
  await rename(place, moved);
  await manager.run(moved, ["run", "build"]);
  assert.equal(await answerOf(moved, process.execPath, ["dist/bundle.mjs"]), BOOKS);
  return moved;
}

/** Installs and builds the project as a member of a workspace. */
async function useMember(manager: PackageManager): Promise<void> {
  const workspace = join(root, `${manager.title} workspace`);
  const about = { name: "workspace", private: true, workspaces: ["servers/*"] };
  await write(workspace, { "package.json": JSON.stringify(about), ...manager.workspaceFiles });
  const member = await checkOut(`${manager.title} workspace/servers/shelf`, {});
  await manager.run(workspace, manager.install, "online");
  await manager.run(member, ["run", "build"]);
  assert.equal(await answerOf(member, process.execPath, ["dist/bundle.mjs"]), BOOKS);
}

/** The runtime with another version, packed. */
async function packNextRuntime(): Promise<string> {
  const [packing, tarball] = [join(root, "next-runtime"), join(root, "next-runtime.tgz")];
  const folder = join(packing, "package");
  await cp(fileURLToPath(new URL("dist/runtime", packageRoot)), folder, { recursive: true });
  const file = join(folder, "package.json");
  const about = JSON.parse(await readFile(file, "utf8")) as { readonly version: string };
  const version = about.version.replace(/h\w+$/, "h0000000f");
  await writeFile(file, JSON.stringify({ ...about, version }));
  // As npm packs it; npm itself takes five seconds for it.
  await runProgram(packing, "tar", ["-czf", tarball, "package"]);
  return tarball;
}

let nextRuntime: Promise<string> | undefined;

/** What it says of the former lock file after another version of the runtime was generated. */
async function outdatedLock(manager: PackageManager, lock: string): Promise<string> {
  const { lockFile, files, title } = manager;
  const place = await checkOut(`${title} outdated`, { ...files, [lockFile]: lock });
  const about = await readFile(join(place, "package.json"), "utf8");
  const [, tarball = ""] = /"file:(vendor\/[^"]+\.tgz)"/.exec(about) ?? [];
  await rm(join(place, tarball));
  const next = await (nextRuntime ??= packNextRuntime());
  await cp(next, join(place, "vendor", basename(next)));
  await writeFile(join(place, "package.json"), about.replace(tarball, `vendor/${basename(next)}`));
  return manager.run(place, manager.installFrozen).catch(String);
}

/** The keys of a tool that an editor offers in the manifest. */
async function completions(folder: string): Promise<string[]> {
  const server = await LanguageServer.start(pathToFileURL(folder).href);
  try {
    const uri = pathToFileURL(join(folder, "mcp.yaml")).href;
    const text = `${await readFile(join(folder, "mcp.yaml"), "utf8")}    \n`;
    await server.open(uri, text);
    const position = { line: text.split("\n").length - 2, character: 4 };
    const at = { textDocument: { uri }, position };
    const { items } = (await server.request("textDocument/completion", at)) as {
      items: { label: string }[];
    };
    return items.map(({ label }) => label);
  } finally {
    server.stop();
  }
}

for (const settings of [...usualManagers, ...shortOrLong([], otherManagers)]) {
  const { title, lockFile } = settings;
  let lock = "";
  let missing: string | undefined;
  const manager = await packageManager(settings).catch((error: unknown) => {
    missing = `it cannot be installed: ${String(error).slice(0, 200)}`;
    return undefined as never;
  });
  if (missing === undefined) {
    const first = await checkOut(`${title} first`, settings.files);
    await manager.run(first, manager.install, "online");
    lock = await readFile(join(first, lockFile), "utf8");
  }

  testUnless(
    missing,
    `${title} installs a checkout by its lock file, offline, and builds it after it was moved; editors know its schema`,
    async () => {
      const moved = await useCheckout(manager, lock);
      const offered = await completions(moved);
      for (const key of ["outputSchema", "annotations"])
        assert.ok(offered.includes(key), `${key} is not in: ${offered.join(", ")}`);
      assert.not(offered.includes("description"), "a key that is there already");
    },
  );

  testUnless(
    missing,
    `${title} refuses a lock file with another version of the runtime`,
    async () => {
      assert.match(await outdatedLock(manager, lock), settings.refusal);
    },
  );

  // In short, by npm alone, which installs packages into the workspace, and not into its members as pnpm does.
  if (settings.source.name === "npm" || shortOrLong(false, true)) {
    testUnless(missing, `${title} installs and builds the project as a member of a workspace`, () =>
      useMember(manager),
    );
  }

  if (settings.source.name === "npm") {
    testUnless(missing, `${title} starts a checkout without its dev dependencies`, async () => {
      const place = join(root, `${title} moved`);
      await manager.run(place, ["prune", "--omit=dev", "--no-audit", "--no-fund"]);
      assert.not(await readFile(join(place, "node_modules/esbuild/package.json")).catch(() => 0));
      const [command, ...first] = manager.program;
      const words = [...first, "start", "--silent", "--", "--stdio"];
      assert.equal(await answerOf(place, command, words), BOOKS);
    });
  }
}

test.run();
