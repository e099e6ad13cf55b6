import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { installShared, mcpwright, npm, runProgram } from "./generated-project.js";

const execute = promisify(execFile);
const projectRoot = fileURLToPath(new URL("../../../", import.meta.url));

/** The commands of the README's section "Try it", as they are written there. */
async function readmeCommands(): Promise<string[]> {
  const readme = await readFile(join(projectRoot, "README.md"), "utf8");
  const [, section = ""] = readme.split("## Try it");
  const [own = ""] = section.split("\n## ");
  return [...own.matchAll(/```sh\n(.*?)\n```/gs)].map(([, command = ""]) => command);
}

/** A copy of what git has, and of what it would take: a clone of the working tree. */
async function cloneOfWorkingTree(): Promise<string> {
  const listing = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await execute("git", listing, { cwd: projectRoot, maxBuffer: 2 ** 26 });
  const clone = await mkdtemp(join(tmpdir(), "mcpwright-readme-"));
  for (const path of stdout.trim().split("\n")) {
    await cp(join(projectRoot, path), join(clone, path)).catch(ignoreDeleted);
  }
  return clone;
}

function ignoreDeleted(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

test("the README has two commands, and the second is what CI runs", async () => {
  const commands = await readmeCommands();
  assert.is(commands.length, 2);
  const ci = await readFile(join(projectRoot, ".ci/run"), "utf8");
  assert.match(ci, "README.md", ".ci/run takes the test command from the README");
});

test("the README's first command shows a server that answers over both transports in both eras", async () => {
  const [demo = ""] = await readmeCommands();
  const clone = await cloneOfWorkingTree();
  try {
    const output = await runProgram(clone, "bash", ["-c", demo]);
    for (const [transport, era] of [
      ["stdio", "2026-07-28"],
      ["stdio", "2025-11-25"],
      ["HTTP", "2026-07-28"],
      ["HTTP", "2025-11-25"],
    ]) {
      assert.match(output, new RegExp(`client over ${transport}.*${era}`));
    }
    const forecast = '{"city":"Berlin","days":[{"date":"2026-11-20","high":7,"low":2,"sky":"rain"}';
    assert.is(output.split(forecast).length - 1, 4, output);
  } finally {
    await rm(clone, { recursive: true, force: true });
  }
});

test("the README's handler is what the starter's tool needs", async () => {
  const readme = await readFile(join(projectRoot, "README.md"), "utf8");
  const codes = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
  const handler = codes.find((code) => code.includes("export const echo")) ?? "";
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-readme-"));
  try {
    await mcpwright(folder, "init", "--template", "minimal", "--name", "my-server");
    await mcpwright(folder, "generate");
    await installShared(folder);
    const stub = join(folder, "src/tools/echo.ts");
    assert.match(await readFile(stub, "utf8"), "export const echo", "the stub is there");
    await writeFile(stub, handler);
    const output = await npm(folder, "test");
    assert.not.match(output, "Not implemented yet");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** The fenced blocks of a section of the README, in one language. */
async function readmeBlocks(title: string, language: string): Promise<string[]> {
  const readme = await readFile(join(projectRoot, "README.md"), "utf8");
  const [, section = ""] = readme.split(`## ${title}\n`);
  const [own = ""] = section.split("\n## ");
  const blocks = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs");
  return [...own.matchAll(blocks)].map(([, block = ""]) => block);
}

test("the README's tool without a handler is compiled to the code beside it, which is left behind", async () => {
  const title = "A tool without a handler";
  const [stated = ""] = await readmeBlocks(title, "yaml");
  const [code = ""] = await readmeBlocks(title, "ts");
  const env =
    'env: { BOOKS_URL: { type: url, default: "https://books.example" }, BOOKS_TOKEN: { required: true, secret: true } }';
  const manifest = `name: library\nversion: 1.0.0\n${env}\n${stated}`;
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-readme-"));
  const written = async (path: string): Promise<string> =>
    (await readFile(join(folder, path), "utf8"))
      .replace(/^\/\/ Generated.*\n\n/, "")
      .replace(/"[./]*(?:generated\/)?index\.ts"/, '"../../index.ts"');
  try {
    await writeFile(join(folder, "mcp.yaml"), manifest);
    assert.is((await mcpwright(folder, "generate")).status, 0);
    assert.is(await written("src/generated/bodies/tools/find-books.ts"), code);
    await writeFile(join(folder, "mcp.yaml"), manifest.replace(/ {4}http:\n[^]*/, ""));
    assert.is((await mcpwright(folder, "generate")).status, 0);
    assert.is(await written("src/tools/find-books.ts"), code);
    await writeFile(join(folder, "mcp.yaml"), manifest);
    assert.is((await mcpwright(folder, "generate")).status, 0);
    assert.is(await written("src/removed/tools/find-books.ts"), code);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test.run();
