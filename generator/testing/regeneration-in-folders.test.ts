import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright, runProgram } from "./generated-project.js";

/** Regeneration in real folders: version control, and the settings of a person's tools. */

const bin = fileURLToPath(new URL("../cli/main.js", import.meta.url));
const folders: string[] = [];
test.after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `mcpwright-${name}-`));
  folders.push(folder);
  return folder;
}

/** One tool a line, apart from each other, so that version control merges two additions. */
function manifest(tools: readonly string[], version = "1.0.0"): string {
  const items = tools.map((tool) => `  - name: ${tool}\n    description: Does ${tool}.\n`);
  return `name: demo\nversion: ${version}\ntools:\n${items.join("\n")}`;
}

async function write(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

function read(folder: string, path: string): Promise<string> {
  return readFile(join(folder, path), "utf8");
}

function git(folder: string, ...parameters: string[]): Promise<string> {
  const settings = { "user.name": "A", "user.email": "a@a.example", "commit.gpgsign": "false" };
  const given = Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  return runProgram(folder, "git", [...given, ...parameters]);
}

async function commit(folder: string, message: string): Promise<void> {
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", message);
}

async function repository(name: string): Promise<string> {
  const folder = await newFolder(name);
  await git(folder, "init", "--quiet", "--initial-branch", "main");
  await write(folder, "mcp.yaml", manifest(["middle"]));
  await mcpwright(folder, "generate");
  await commit(folder, "Begin");
  return folder;
}

/** A branch that adds a tool and writes its handler. */
async function branch(folder: string, tool: string, tools: readonly string[]): Promise<void> {
  await git(folder, "checkout", "--quiet", "-b", tool, "main");
  await write(folder, "mcp.yaml", manifest(tools));
  await mcpwright(folder, "generate");
  const handler = `src/tools/${tool}.ts`;
  await write(folder, handler, `${await read(folder, handler)}// handler of ${tool}\n`);
  await commit(folder, `Add ${tool}`);
}

test("two branches that both generated, merged with conflicts, come right with one generate", async () => {
  const folder = await repository("merge");
  await branch(folder, "alpha", ["alpha", "middle"]);
  await branch(folder, "omega", ["middle", "omega"]);
  await git(folder, "merge", "alpha").catch(() => "conflicts");
  assert.match(await read(folder, "mcpwright.lock.json"), "<<<<<<<");
  await write(folder, "mcp.yaml", manifest(["alpha", "middle", "omega"]));

  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  for (const tool of ["alpha", "omega"]) {
    assert.match(await read(folder, `src/tools/${tool}.ts`), `// handler of ${tool}`);
    assert.match(await read(folder, "src/generated/tools.ts"), `${tool}.js`);
  }
  assert.is((await mcpwright(folder, "check")).status, 0);

  const fresh = await newFolder("fresh");
  await write(fresh, "mcp.yaml", manifest(["alpha", "middle", "omega"]));
  await mcpwright(fresh, "generate");
  for (const path of ["src/generated/tools.ts", "src/generated/types.ts", "SERVER.md"]) {
    assert.is(await read(folder, path), await read(fresh, path), path);
  }
});

test("a merged handler with conflict markers is the person's to resolve, and is named", async () => {
  const folder = await repository("handler-conflict");
  for (const name of ["one", "two"]) {
    await git(folder, "checkout", "--quiet", "-b", name, "main");
    const text = await read(folder, "src/tools/middle.ts");
    await write(folder, "src/tools/middle.ts", text.replace("throw", `/* ${name} */ throw`));
    await commit(folder, name);
  }
  await git(folder, "merge", "one").catch(() => "conflicts");
  const conflict = await read(folder, "src/tools/middle.ts");
  await write(folder, "mcp.yaml", manifest(["middle", "more"]));
  const { status, err } = await mcpwright(folder, "generate");
  assert.is(status, 3);
  assert.match(err, /src\/tools\/middle\.ts.*MW4005/);
  assert.is(await read(folder, "src/tools/middle.ts"), conflict);
  assert.match(await read(folder, "src/tools/more.ts"), "more");
});

test("guarantee 18: a shallow clone and a folder without git and without a path to it are alike", async () => {
  const origin = await repository("origin");
  const clone = join(await newFolder("clone"), "shallow");
  await git(origin, "clone", "--quiet", "--depth", "1", `file://${origin}`, clone);
  assert.is((await mcpwright(clone, "check")).status, 0);
  await rm(join(clone, ".git"), { recursive: true });
  await write(clone, "mcp.yaml", manifest(["middle", "more"]));
  await runProgram(clone, "/usr/bin/env", ["PATH=", process.execPath, bin, "generate"]);
  assert.match(await read(clone, "src/tools/more.ts"), "more");
  assert.is((await mcpwright(clone, "check")).status, 0);
});

test("guarantee 16: the settings of a person's tools change no generated byte, and are not loaded", async () => {
  const plain = await newFolder("plain");
  const set = await newFolder("settings");
  await write(set, ".prettierrc.mjs", `throw new Error("loaded");\n`);
  await write(set, "prettier.config.cjs", `throw new Error("loaded");\n`);
  await write(set, ".editorconfig", "root = true\n[*]\nindent_style = tab\nend_of_line = crlf\n");
  await write(
    set,
    "tsconfig.json",
    `{ "compilerOptions": { "newLine": "crlf", "target": "es5" } }\n`,
  );
  for (const folder of [plain, set]) {
    await write(folder, "mcp.yaml", manifest(["middle"]));
    await runProgram(folder, process.execPath, [bin, "generate", "--quiet"]).catch(() => "");
  }
  const state = JSON.parse(await read(plain, "mcpwright.lock.json")) as {
    files: Record<string, { owner: string }>;
  };
  const generated = Object.keys(state.files).filter((path) => !/package|tsconfig/.test(path));
  assert.ok(generated.length > 30);
  for (const path of generated) {
    assert.is(await read(set, path), await read(plain, path), path);
  }
});

test("a key that both changed in package.json stays the person's, is said once, and ends with 3", async () => {
  const folder = await newFolder("npm-version");
  await write(folder, "mcp.yaml", manifest(["middle"]));
  await mcpwright(folder, "generate");
  await runProgram(folder, "npm", ["version", "1.0.1", "--no-git-tag-version"]);
  const bumped = await read(folder, "package.json");
  assert.is((await mcpwright(folder, "check")).status, 0);
  await write(folder, "mcp.yaml", manifest(["middle"], "2.0.0"));
  assert.is((await mcpwright(folder, "generate")).status, 3);
  assert.is(await read(folder, "package.json"), bumped);
  assert.is((await mcpwright(folder, "generate")).status, 0);
});

test("where the version is package.json's, `npm version` is all it takes", async () => {
  const folder = await newFolder("package-version");
  await write(folder, "mcp.yaml", manifest(["middle"], "1.2.0"));
  await mcpwright(folder, "generate");
  await write(folder, "mcp.yaml", manifest(["middle"], "package.json"));
  assert.is((await mcpwright(folder, "generate")).status, 0);
  const version = async (): Promise<unknown> =>
    (JSON.parse(await read(folder, "package.json")) as { version: string }).version;
  assert.is(await version(), "1.2.0", "the version so far stays");
  await runProgram(folder, "npm", ["version", "minor", "--no-git-tag-version"]);
  const released = await read(folder, "package.json");
  assert.is((await mcpwright(folder, "check")).status, 0);
  await write(folder, "mcp.yaml", manifest(["middle", "more"], "package.json"));
  const { status, out } = await mcpwright(folder, "generate");
  assert.is(status, 0, out);
  assert.is(await read(folder, "package.json"), released);
  assert.is((await mcpwright(folder, "check")).status, 0);
  for (const path of ["SERVER.md", "test/generated/server.json", "src/generated/server.ts"]) {
    assert.not.match(await read(folder, path), /1\.[23]\.0/, path);
  }

  const fresh = await newFolder("first-version");
  await write(fresh, "mcp.yaml", manifest(["middle"], "package.json"));
  await mcpwright(fresh, "generate");
  assert.match(await read(fresh, "package.json"), '"version": "0.1.0"');
});

test.run();
