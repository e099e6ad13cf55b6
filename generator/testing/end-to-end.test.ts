import { copyFile, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { copyUserFiles, installShared, mcpwright, npm } from "./generated-project.js";
import { connectProgram, connectStdio } from "./project-clients.js";

/** From a manifest to a server that a client calls, as a person would go. */
const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));
const folders: string[] = [];
test.after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function generated(folder: string): Promise<string> {
  folders.push(folder);
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  return folder;
}

/** Paths of files that are not the same in two projects; their owners may have changed package.json. */
async function differing(one: string, other: string): Promise<string[]> {
  const [mine, theirs] = await Promise.all([filesOf(one), filesOf(other)]);
  const paths = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  return [...paths].filter((path) => mine[path] !== theirs[path]);
}

/** Every file of a project by its path, but for what npm and tsc make. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !/^(node_modules\/|dist\/|package\.json$)/.test(path))
    .sort();
  const contents = paths.map(
    async (path) => [path, await readFile(join(folder, path), "utf8")] as const,
  );
  return Object.fromEntries(await Promise.all(contents));
}

for (const name of ["minimal", "weather", "field-guide", "transports"]) {
  test(`examples/${name}: comes out as committed, type-checks, passes its tests`, async () => {
    const folder = await generated(await copyUserFiles(`${examples}${name}`, name));
    assert.equal(await differing(folder, `${examples}${name}`), [], "npm run examples");
    const output = stripVTControlCharacters(await npm(folder, "test"));
    // Examples of tools that change something are not called; nothing else may be left out.
    const notCalled = output.match(/^skipped: .*the tool is not read-only\)$/gm) ?? [];
    assert.match(output, new RegExp(`Skipped: +${notCalled.length}\\n`), output);
  });
}

test("a starter project passes its tests with no edit, and answers with mocks", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-starter-"));
  await mcpwright(folder, "init", "--template", "full", "--name", "notes");
  await generated(folder);
  // CI switches scripts off, and npm takes those around `start` for such.
  const unbuilt = await npm(folder, "start", "--ignore-scripts=false").then(String, String);
  assert.match(unbuilt, "There is no build yet. Run: npm run build");
  assert.not.match(unbuilt, "MODULE_NOT_FOUND");
  const output = await npm(folder, "test");
  assert.match(output, "Not implemented yet", "stubs are reported as skipped");

  const client = await connectStdio(folder, "modern", {}, ["--mock"]);
  try {
    const { structuredContent } = await client.callTool({
      name: "search_notes",
      arguments: { word: "milk" },
    });
    assert.equal(structuredContent, { notes: [{ id: "shopping", text: "Buy milk" }] });
    const about = await client.callTool({ name: "about", arguments: {} });
    assert.equal(about.content, [{ type: "text", text: "A server that keeps short notes." }]);
  } finally {
    await client.close();
  }
});

test("a project goes into one file that runs without its dependencies", async () => {
  const folder = await generated(await copyUserFiles(`${examples}minimal`, "bundle"));
  await npm(folder, "run", "bundle");
  const elsewhere = await mkdtemp(join(tmpdir(), "mcpwright-bundled-"));
  folders.push(elsewhere);
  await copyFile(join(folder, "dist/bundle.mjs"), join(elsewhere, "server.mjs"));
  const client = await connectProgram(join(elsewhere, "server.mjs"), elsewhere, "modern");
  try {
    const { tools } = await client.listTools();
    assert.ok(tools.length > 0);
  } finally {
    await client.close();
  }
});

test.run();
