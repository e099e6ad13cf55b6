import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../../text/package-root.js";
import { mcpwright } from "../../../harness/projects/generated-project.js";
import { runProgram } from "../../../harness/runner/programs.js";
import { LanguageServer } from "../../../harness/clients/language-server.js";
import type { PackageManager } from "../../../harness/projects/package-managers.js";

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

/** What people do with one generated project, with each package manager. */
export class Checkouts {
  readonly #root: string;
  readonly #generated: string;
  #nextRuntime: Promise<string> | undefined;

  private constructor(root: string, generated: string) {
    this.#root = root;
    this.#generated = generated;
  }

  /** Generates the project. @param root a folder for it and all checkouts */
  static async create(root: string): Promise<Checkouts> {
    const generated = join(root, "generated");
    await mkdir(generated);
    await writeFile(join(generated, "mcp.yaml"), MANIFEST);
    const { status, err } = await mcpwright(generated, "generate");
    assert.is(status, 0, err);
    return new Checkouts(root, generated);
  }

  /** Copies the generated project, with other files beside it. */
  async checkOut(path: string, files: Readonly<Record<string, string>>): Promise<string> {
    const folder = join(this.#root, path);
    await cp(this.#generated, folder, { recursive: true });
    await write(folder, files);
    return folder;
  }

  /** Installs the project, and returns the lock file. */
  async firstLock({ title, files, lockFile, install, run }: PackageManager): Promise<string> {
    const first = await this.checkOut(`${title} first`, files);
    await run(first, install, "online");
    return readFile(join(first, lockFile), "utf8");
  }

  /** Starts a checkout that {@link useCheckout} has installed, without its dev dependencies. Only npm has the command. */
  async usePruned(manager: PackageManager): Promise<void> {
    const place = join(this.#root, `${manager.title} moved`);
    await manager.run(place, ["prune", "--omit=dev", "--no-audit", "--no-fund"]);
    assert.not(await readFile(join(place, "node_modules/esbuild/package.json")).catch(() => 0));
    const [command, ...first] = manager.program;
    const words = [...first, "start", "--silent", "--", "--stdio"];
    assert.equal(await answerOf(place, command, words), BOOKS);
  }

  /** Installs by a lock file without a network, moves the project, builds it, and calls the server. */
  async useCheckout(manager: PackageManager, lock: string): Promise<string> {
    const { lockFile, files, title } = manager;
    const place = await this.checkOut(`${title} checkout`, { ...files, [lockFile]: lock });
    await manager.run(place, manager.installFrozen);
    assert.is(await readFile(join(place, lockFile), "utf8"), lock);
    const moved = join(this.#root, `${title} moved`);
    await rename(place, moved);
    await manager.run(moved, ["run", "build"]);
    assert.equal(await answerOf(moved, process.execPath, ["dist/bundle.mjs"]), BOOKS);
    return moved;
  }

  /** Installs and builds the project as a member of a workspace. */
  async useMember(manager: PackageManager): Promise<void> {
    const workspace = join(this.#root, `${manager.title} workspace`);
    const about = { name: "workspace", private: true, workspaces: ["servers/*"] };
    await write(workspace, { "package.json": JSON.stringify(about), ...manager.workspaceFiles });
    const member = await this.checkOut(`${manager.title} workspace/servers/shelf`, {});
    await manager.run(workspace, manager.install, "online");
    // It has the lock file of the whole workspace, and so knows its members.
    const lock = await readFile(join(workspace, manager.lockFile), "utf8");
    assert.match(lock, "servers/shelf");
    await manager.run(member, ["run", "build"]);
    assert.equal(await answerOf(member, process.execPath, ["dist/bundle.mjs"]), BOOKS);
  }

  /** The runtime with another version, packed. */
  async #packNextRuntime(): Promise<string> {
    const [packing, tarball] = [
      join(this.#root, "next-runtime"),
      join(this.#root, "next-runtime.tgz"),
    ];
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

  /** What it says of the former lock file after another version of the runtime was generated. */
  async outdatedLock(manager: PackageManager, lock: string): Promise<string> {
    const { lockFile, files, title } = manager;
    const place = await this.checkOut(`${title} outdated`, { ...files, [lockFile]: lock });
    const about = await readFile(join(place, "package.json"), "utf8");
    const [, tarball = ""] = /"file:(vendor\/[^"]+\.tgz)"/.exec(about) ?? [];
    await rm(join(place, tarball));
    const next = await (this.#nextRuntime ??= this.#packNextRuntime());
    await cp(next, join(place, "vendor", basename(next)));
    await writeFile(
      join(place, "package.json"),
      about.replace(tarball, `vendor/${basename(next)}`),
    );
    return manager.run(place, manager.installFrozen).catch(String);
  }
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

/** The keys of a tool that an editor offers in the manifest. */
export async function completions(folder: string): Promise<string[]> {
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
