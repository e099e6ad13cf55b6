import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { npm, runProgram } from "../../harness/runner/programs.js";
import { connectProgram, connectStdio } from "../../harness/clients/project-clients.js";
import { longTest } from "../../harness/runner/test-length.js";

/** What a person does with a first project, with the scripts that it has, on the Node.js that runs this. */
const examples = fileURLToPath(new URL("examples/", packageRoot));
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

test("an unedited starter project passes its tests and answers with mocks", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-starter-"));
  await mcpwright(folder, "init", "--only-manifest", "--template", "full", "--name", "notes");
  const manifest = await readFile(join(folder, "mcp.yaml"), "utf8");
  const stubs =
    "prompts:\n  - { name: plan, description: Plans., arguments: [{ name: day, required: true }] }\n";
  const json =
    "resources:\n  - { uri: notes://all, name: all, description: All., mimeType: application/json }\n";
  await writeFile(
    join(folder, "mcp.yaml"),
    manifest.replace("prompts:\n", stubs).replace("resources:\n", json),
  );
  await generated(folder);
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
    const read = async (uri: string): Promise<unknown> =>
      (await client.readResource({ uri })).contents;
    assert.equal(await read("notes://notes/shopping"), [
      { uri: "notes://notes/shopping", mimeType: "text/plain", text: "A mock answer of note." },
    ]);
    assert.equal(await read("notes://all"), [
      { uri: "notes://all", mimeType: "application/json", text: '"A mock answer of all."' },
    ]);
    const { messages } = await client.getPrompt({ name: "plan", arguments: { day: "today" } });
    assert.equal(messages, [
      { role: "user", content: { type: "text", text: "A mock answer of plan." } },
    ]);
  } finally {
    await client.close();
  }
});

// In short, `package-project.test.ts` stands for it: its bundle runs in an empty folder.
longTest("a project can be bundled into one file that runs without its dependencies", async () => {
  const folder = await generated(await copyUserFiles(`${examples}minimal`, "bundle"));
  await npm(folder, "run", "build");
  const elsewhere = await mkdtemp(join(tmpdir(), "mcpwright-bundled-"));
  folders.push(elsewhere);
  const program = join(elsewhere, "server.mjs");
  await copyFile(join(folder, "dist/bundle.mjs"), program);
  const builtins = (await readFile(program, "utf8")).match(/\bfrom ?["']node:[^"']*/g);
  assert.equal(builtins, ["from 'node:module"], "no more is loaded before anything runs");
  const client = await connectProgram(program, elsewhere, "modern");
  try {
    const { tools } = await client.listTools();
    assert.ok(tools.length > 0);
    // Errors are the SDK's.
    await client.callTool({ name: "no such tool" }).then(
      () => assert.unreachable(),
      (error: { readonly code: number }) => assert.is(error.code, -32602),
    );
  } finally {
    await client.close();
  }
});

test("a bundle has the page only if the server shows one, and equal validators once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcpwright-bundle-size-"));
  const bundleOf = async (page: object): Promise<string> => {
    const manifest = {
      ...{ name: "twins", version: "1.0.0", transports: [{ type: "http" }], ...page },
      tools: ["first", "second"].map((name) => ({
        name,
        description: `The ${name} twin.`,
        inputSchema,
      })),
    };
    await writeFile(join(folder, "mcp.yaml"), JSON.stringify(manifest));
    await generated(folder);
    // A bundle is made of the sources: nothing has to be compiled before.
    await runProgram(folder, process.execPath, ["node_modules/.bin/mcpwright-runtime", "bundle"]);
    return readFile(join(folder, "dist/bundle.mjs"), "utf8");
  };
  const inputSchema = { type: "object", properties: { size: { type: "integer", minimum: 17 } } };
  const plain = await bundleOf({});
  assert.not.match(plain, "<!doctype html>");
  assert.is(plain.split('"must be >= 17"').length, 2);
  await rm(join(folder, "node_modules"));
  assert.match(await bundleOf({ page: true }), "<!doctype html>");
});

test.run();
