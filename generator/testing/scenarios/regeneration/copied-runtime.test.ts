import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { LOCK_PATH, LOCK_VERSION } from "../../../6-reconcile/lock.js";
import { parseLock } from "../../../6-reconcile/read-lock.js";
import { frozenProject, thawedProject } from "../../harness/projects/frozen-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { edit, read, snapshot, TestFolders, write } from "../../harness/projects/project-folder.js";

/**
 * `fixtures/copied-runtime/` is a project from before the runtime was a package, when it was copied into each project. It
 * has edited handlers, one of them removed, and merged files with keys of someone's own.
 */

const PROJECT = "copied-runtime";
/** A file of the runtime that the lock has. */
const COPY = "src/generated/runtime/connections/connection.ts";

const folders = new TestFolders();
test.after(folders.remove);

const schemas = new URL("schemas/", packageRoot);

/** What is someone's own: their bytes must be somewhere, whatever happens. */
function ownFiles(tree: Readonly<Record<string, string>>): string[] {
  return Object.keys(tree).filter((path) => /mine|^README/i.test(`${path} ${tree[path]}`));
}

const MERGED = /^(package\.json|tsconfig\.json|\.env\.example)$/;

test("the lock of a project with a copied runtime is read completely", async () => {
  const bytes = (await frozenProject(PROJECT)).get(LOCK_PATH);
  assert.ok(bytes, "the lock is frozen too");
  const state = parseLock(bytes ?? Buffer.of());
  assert.is(state.kind, "read");
  if (state.kind !== "read") return;
  const { files, removed, manifest, generator } = state.lock;
  assert.equal({ generator, files: files.size }, { generator: "0.1.0", files: 140 });
  assert.is(manifest["name"], "frozen");
  assert.equal(
    [...removed].map(([path, { item, path: former }]) => [path, item, former]),
    [
      ["src/removed/tools/get-gone.test.ts", "tool:get_gone", "test/tools/get-gone.test.ts"],
      ["src/removed/tools/get-gone.ts", "tool:get_gone", "src/tools/get-gone.ts"],
    ],
  );
  const handler = files.get("src/tools/get-kept.ts");
  assert.equal(
    [handler?.owner, handler?.item, handler?.exportName],
    ["handler", "tool:get_kept", "getKept"],
  );
  assert.is((files.get("package.json")?.base as { version?: string }).version, "1.0.0");
});

test("a project with a copied runtime regenerates without a loss, and the next run changes nothing", async () => {
  const folder = await thawedProject(PROJECT, folders);
  const before = await snapshot(folder);
  const own = ownFiles(before);
  assert.is(own.length, 10);
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  const after = await snapshot(folder);
  for (const path of own.filter((name) => !MERGED.test(name))) {
    assert.is(after[path], before[path], path);
  }
  for (const [path, text] of Object.entries({
    "package.json": '{\n\t"mine": [1,2],',
    "tsconfig.json": "{ // mine",
    ".env.example": "MINE=1",
  })) {
    assert.ok(after[path]?.includes(text), path);
  }
  assert.match(after["package.json"] ?? "", '"version": "1.4.0"');
  const lock = JSON.parse(await read(folder, LOCK_PATH)) as { lockVersion: number };
  assert.is(lock.lockVersion, LOCK_VERSION);
  const check = await mcpwright(folder, "check");
  assert.is(check.status, 0, check.out + check.err);
});

test("items of a project with a copied runtime can be renamed, removed and restored", async () => {
  const folder = await thawedProject(PROJECT, folders);
  const before = await snapshot(folder);
  await edit(folder, "mcp.yaml", (text) =>
    text
      .replace("name: get_renamed", "name: get_other\n    renamedFrom: get_renamed")
      .replace(/ {2}- name: get_kept\n[^]*?(?= {2}- name)/, "")
      .replace("tools:\n", "tools:\n  - { name: get_gone, description: It is back. }\n"),
  );
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  const after = await snapshot(folder);
  assert.is(after["src/tools/get-gone.ts"], before["src/removed/tools/get-gone.ts"]);
  assert.is(
    after["test/tools/get-gone.test.ts"],
    before["src/removed/tools/get-gone.test.ts"]
      ?.replace("../generated/starter.js", "@mcpwright/runtime/testing")
      .replace("../../src/generated/testing.", "../generated/testing."),
  );
  assert.is(after["src/removed/tools/get-kept.ts"], before["src/tools/get-kept.ts"]);
  assert.is(
    after["src/tools/get-other.ts"],
    before["src/tools/get-renamed.ts"]
      ?.replace("const getRenamed", "const getOther")
      .replace('"get_renamed"', '"get_other"'),
  );
  assert.match(after["src/tools/get-stub.ts"] ?? "", "export const getStub");
  assert.is((await mcpwright(folder, "check")).status, 0);
});

test("edited files of a copied runtime are kept and named", async () => {
  const folder = await thawedProject(PROJECT, folders);
  await write(folder, COPY, "// mine\n");
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 3);
  assert.match(err, `${COPY}:1:1  error MW4001`);
  assert.match(out, "Now run `npm install`: no package is installed yet.");
  assert.is(await read(folder, COPY), "// mine\n");
  assert.is((await mcpwright(folder, "generate", "--overwrite-edited")).status, 0);
  assert.is(await read(folder, `${COPY}.saved`), "// mine\n");
});

test("the frozen lock matches the current schema", async () => {
  const schema = await readFile(new URL("lock.schema.json", schemas), "utf8");
  const validate = new Ajv2020().compile(JSON.parse(schema) as object);
  const bytes = (await frozenProject(PROJECT)).get(LOCK_PATH);
  assert.ok(validate(JSON.parse(String(bytes))), JSON.stringify(validate.errors));
});

test.run();
