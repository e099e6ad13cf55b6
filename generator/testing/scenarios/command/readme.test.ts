import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../../1-load/load.js";
import { validateManifest } from "../../../2-validate/validate.js";
import { packageRoot } from "../../../text/package-root.js";
import { testProject } from "../../harness/projects/built-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { runProgram } from "../../harness/runner/programs.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

const projectRoot = fileURLToPath(packageRoot);

/** The commands of the README's section "Try it", as they are written there. */
async function readmeCommands(): Promise<string[]> {
  const readme = await readFile(join(projectRoot, "README.md"), "utf8");
  const [, section = ""] = readme.split("## Try it");
  const [own = ""] = section.split("\n## ");
  return [...own.matchAll(/```sh\n(.*?)\n```/gs)].map(([, command = ""]) => command);
}

test("CI runs both commands of the README as written, the first in a new clone", async () => {
  const commands = await readmeCommands();
  assert.is(commands.length, 2);
  const ci = await readFile(join(projectRoot, ".ci/run"), "utf8");
  assert.match(ci, /cd "\$scratch\/alone\/clone"[^]*\$\(readme_command 1\)/);
  assert.match(ci, "$(readme_command 2)");
});

test("the README begins with a manifest of at most fifteen lines, in which nothing is found", async () => {
  const readme = await readFile(join(projectRoot, "README.md"), "utf8");
  const [, text = ""] = /```yaml\n(.*?)```/s.exec(readme) ?? [];
  assert.ok(text.trimEnd().split("\n").length <= 15);
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest);
  assert.equal([...diagnostics, ...validateManifest(manifest)], []);
  const first = ["mcp.yaml", "mcpwright preview", "page-preview.png", "mcpwright generate"];
  const places = first.map((part) => readme.indexOf(part));
  assert.equal(
    places,
    [...places].sort((one, other) => one - other),
  );
});

/** The whole story from an empty folder. In short, CI alone runs it: in a new clone, as the first test says. */
async function showsServer(): Promise<void> {
  const [command] = await readmeCommands();
  assert.is(command, "npm ci && npm run demo");
  const text = await readFile(join(projectRoot, "package.json"), "utf8");
  const { scripts } = JSON.parse(text) as { scripts: Readonly<Record<string, string>> };
  // It is built already, and building would take `dist` away from other tests.
  const [build, demo = ""] = (scripts["demo"] ?? "").split(" && ");
  assert.is(build, "npm run --silent build:tests");
  const output = await runProgram(projectRoot, "sh", ["-c", demo]);
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
}

if (shortOrLong(false, true)) {
  test(
    "the README's first command shows a server that answers over both transports in both eras",
    showsServer,
  );
}

test("the README names all files of a new project with one tool, and no others", async () => {
  const readme = await readFile(join(projectRoot, "README.md"), "utf8");
  const [, section = ""] = readme.split("## What you get");
  const [, tree = ""] = /```text\n(.*?)```/s.exec(section) ?? [];
  const named = tree.match(/^[^\s,]+(?:, [^\s,]+)*/gm)?.flatMap((names) => names.split(", ")) ?? [];
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-readme-"));
  try {
    const manifest = await readFile(join(projectRoot, "examples/minimal/mcp.yaml"));
    await writeFile(join(folder, "mcp.yaml"), manifest);
    await mcpwright(folder, "generate");
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .map((path) => path.replace(/(?<=^vendor\/mcpwright-runtime-).*(?=\.tgz$)/, "…"));
    const isNamed = (path: string, name: string): boolean =>
      name.endsWith("/") ? path.startsWith(name) : path === name;
    assert.equal(
      paths.filter((path) => !named.some((name) => isNamed(path, name))),
      [],
      "files without a line",
    );
    assert.equal(
      named.filter((name) => !paths.some((path) => isNamed(path, name))),
      [],
      "lines without a file",
    );
    assert.ok(paths.length <= 25);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the README's handler fits the tool of the starter", async () => {
  const readme = await readFile(join(projectRoot, "README.md"), "utf8");
  const codes = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
  const handler = codes.find((code) => code.includes("export const echo")) ?? "";
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-readme-"));
  try {
    await mcpwright(
      folder,
      "init",
      "--only-manifest",
      "--template",
      "minimal",
      "--name",
      "my-server",
    );
    await mcpwright(folder, "generate");
    await installShared(folder);
    const stub = join(folder, "src/tools/echo.ts");
    assert.match(await readFile(stub, "utf8"), "export const echo", "the stub is there");
    await writeFile(stub, handler);
    const output = await testProject(folder);
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

test("the README's tool without a handler compiles to the code beside it, which a person can take over", async () => {
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
