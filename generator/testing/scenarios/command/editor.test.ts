import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import {
  LanguageServer,
  type Finding,
  type Position,
} from "../../harness/clients/language-server.js";
import { testUnless } from "../../harness/runner/skipped-test.js";

/** What an editor offers in a manifest that `init` wrote, through the schema that its first line names. */
const folder = await mkdtemp(join(tmpdir(), "mcpwright-editor-"));
await mcpwright(folder, "init", "--only-manifest", "--name", "demo", "--transport", "http");
// The schema is in the runtime, which `npm install` puts here.
const scope = join(folder, "node_modules/@mcpwright");
await mkdir(scope, { recursive: true });
await symlink(
  fileURLToPath(new URL("dist/runtime", packageRoot)),
  join(scope, "runtime"),
  "junction",
);
const starter = await readFile(join(folder, "mcp.yaml"), "utf8");

let missing: string | undefined;
const server = await LanguageServer.start(pathToFileURL(folder).href).catch((error: unknown) => {
  missing = `yaml-language-server does not start: ${String(error)}`;
  return undefined;
});
const editorTest = (title: string, check: () => Promise<void>): void =>
  testUnless(missing, title, check);
test.after(async () => {
  server?.stop();
  await rm(folder, { recursive: true });
});

const cursor = "▮";
let opened = 0;

/** The starter manifest in an editor, after `replacement` (which may hold the cursor) has taken the place of `original`. */
async function edit(
  original: string,
  replacement: string,
): Promise<{ findings: Finding[]; at: object }> {
  assert.match(starter, original);
  const text = starter.replace(original, replacement);
  const uri = pathToFileURL(join(folder, `mcp-${++opened}.yaml`)).href;
  const findings = (await server?.open(uri, text.replace(cursor, ""))) ?? [];
  const before = text.slice(0, Math.max(text.indexOf(cursor), 0)).split("\n");
  const position: Position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  return { findings, at: { textDocument: { uri }, position } };
}

async function completions(original: string, replacement: string): Promise<string[]> {
  const { at } = await edit(original, replacement);
  const { items } = (await server?.request("textDocument/completion", at)) as {
    items: { label: string }[];
  };
  return items.map(({ label }) => label);
}

editorTest("a manifest from init has no findings", async () => {
  assert.equal((await edit("", "")).findings, []);
});

editorTest("an included file is checked by the schema that its first line names", async () => {
  const uri = pathToFileURL(join(folder, "tools/part.yaml")).href;
  const modeline =
    "# yaml-language-server: $schema=../node_modules/@mcpwright/runtime/mcp-part.schema.json\n";
  const tool = "tools:\n  - name: a\n    description: Does a.\n";
  assert.equal(await server?.open(uri, modeline + tool), []);
  const other = pathToFileURL(join(folder, "tools/other.yaml")).href;
  const wrong = await server?.open(other, `${modeline}${tool}    titel: A\nname: demo\n`);
  assert.equal(
    wrong?.map(({ message }) => message.split("\n")[0]),
    ["Property titel is not allowed.", "Property name is not allowed."],
  );
});

editorTest("keys of a tool are completed", async () => {
  const offered = await completions("  - name: echo\n", `  - name: echo\n    ${cursor}\n`);
  for (const key of ["title", "outputSchema", "annotations"]) assert.ok(offered.includes(key), key);
  assert.not(offered.includes("inputSchema"), "a key that is there already");
});

editorTest("the completed keys of a transport are those of its type", async () => {
  const http = await completions("    port: 3000\n", `    port: 3000\n    ${cursor}\n`);
  for (const key of ["host", "path", "allowedOrigins"]) assert.ok(http.includes(key), key);
  assert.not(http.includes("messagesPath"), "a key of another type");
});

editorTest("only values that fit the other keys are completed", async () => {
  const beside = await completions("type: http", `type: ${cursor}`);
  assert.ok(beside.includes("http") && !beside.includes("stdio"), "a port is there already");
  const alone = await completions("type: http\n    port: 3000", `type: ${cursor}`);
  assert.ok(alone.includes("http") && alone.includes("stdio"));
});

editorTest("hovering over a field shows its description", async () => {
  const { at } = await edit("description: Says", `descr${cursor}iption: Says`);
  const { contents } = (await server?.request("textDocument/hover", at)) as {
    contents: { value: string };
  };
  assert.match(contents.value, "What the tool does and when to use it");
});

editorTest("a mistake is marked at its position", async () => {
  const { findings } = await edit("    inputSchema:", "    inputShema:");
  const line = starter.split("\n").indexOf("    inputSchema:");
  assert.equal(
    findings.map(({ message, range }) => ({ message, range })),
    [
      {
        message: "Property inputShema is not allowed.",
        range: { start: { line, character: 4 }, end: { line, character: 14 } },
      },
    ],
  );
});

test.run();
