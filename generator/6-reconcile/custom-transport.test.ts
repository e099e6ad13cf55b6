import { dirname, join } from "node:path/posix";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { codes, generate, generated } from "../testing/harness/projects/emitted-project.js";
import { MemoryProject } from "../testing/harness/projects/memory-project.js";
import type { Plan } from "../model/plan.js";
import { LOCK_PATH } from "./lock.js";
import { parseLock } from "./read-lock.js";

/** A manifest with one tool, and with a transport of the project's own if it has a name. */
function manifest(name?: string): string {
  const own = name === undefined ? [] : [{ type: "custom", name }];
  return JSON.stringify({
    name: "demo",
    version: "1.0.0",
    transports: [{ type: "stdio" }, ...own],
    tools: [{ name: "alpha", description: "First." }],
  });
}

const TRANSPORT = "src/transports/my-pipe.ts";
const TEST = "test/my-pipe-transport.test.ts";
const REMOVED_TRANSPORT = "src/removed/transports/my-pipe.ts";
const REMOVED_TEST = "src/removed/my-pipe-transport.test.ts";

/** What the plan says of the transports and their tests. */
function changesOf({ changes }: Plan): string[] {
  return changes
    .filter(({ path }) => /^src\/transports\/|^src\/removed\/|-transport\.test\.ts$/.test(path))
    .map(({ op, from, path, reason }) => `${op} ${from ?? path}: ${reason}`);
}

/** Adds a line to both files, and returns their texts. */
function edit(project: MemoryProject): readonly string[] {
  return [TRANSPORT, TEST].map((path) => {
    project.edit(path, (text) => `${text}// mine\n`);
    return project.text(path);
  });
}

/** The imports, of all files that the project compiles, of files that are not there. */
function brokenImports(project: MemoryProject): string[] {
  const sources = Object.entries({ ...project.snapshot("src"), ...project.snapshot("test") });
  return sources.flatMap(([path, text]) => {
    if (!path.endsWith(".ts") || path.startsWith("src/removed/")) return [];
    const targets = [...text.matchAll(/\b(?:from |import\()"(\.[^"]+)"/g)];
    const missing = targets
      .map(([, target = ""]) => join(dirname(path), target))
      .filter((target) => !project.has(target));
    return missing.map((target) => `${path} imports ${target}`);
  });
}

/** Generated once, and copied for each test. */
const original = await generated(manifest("my-pipe"));

for (const next of [undefined, "other"]) {
  const what = next === undefined ? "a removed transport" : "a renamed transport";

  test(`${what}: untouched stubs are deleted`, async () => {
    const project = new MemoryProject({}, original);
    const plan = await generate(project, manifest(next));
    assert.equal(
      changesOf(plan).filter((line) => !line.startsWith("create")),
      [
        `delete ${TRANSPORT}: nobody edited it, and its transport left the manifest`,
        `delete ${TEST}: nobody edited it, and its transport left the manifest`,
      ],
    );
    assert.not.ok(project.has(TRANSPORT) || project.has(TEST));
    assert.is(project.has("src/transports/other.ts"), next !== undefined);
    assert.equal(brokenImports(project), []);
    assert.equal((await generate(project, manifest(next))).operations, []);
  });

  test(`${what}: edited files wait in src/removed, and come back with the transport`, async () => {
    const project = new MemoryProject({}, original);
    const mine = edit(project);
    const plan = await generate(project, manifest(next));
    assert.equal(
      changesOf(plan).filter((line) => line.startsWith("move")),
      [
        `move ${TEST}: its transport left the manifest`,
        `move ${TRANSPORT}: its transport left the manifest`,
      ],
    );
    assert.equal(
      [REMOVED_TRANSPORT, REMOVED_TEST].map((path) => project.text(path)),
      mine,
    );
    assert.equal(brokenImports(project), []);
    assert.equal((await generate(project, manifest(next))).operations, []);
    const back = await generate(project, manifest("my-pipe"));
    assert.equal(
      changesOf(back).filter((line) => line.startsWith("move")),
      [
        `move ${REMOVED_TRANSPORT}: its transport is back`,
        `move ${REMOVED_TEST}: its transport is back`,
      ],
    );
    assert.equal(
      [TRANSPORT, TEST].map((path) => project.text(path)),
      mine,
    );
    assert.equal(brokenImports(project), []);
  });
}

test("while the transport stays in the manifest, nothing changes", async () => {
  const project = new MemoryProject({}, original);
  assert.equal((await generate(project, manifest("my-pipe"))).operations, []);
  const mine = edit(project);
  const plan = await generate(project, manifest("my-pipe"));
  assert.equal([codes(plan), plan.operations], [[], []]);
  assert.equal(
    [TRANSPORT, TEST].map((path) => project.text(path)),
    mine,
  );
});

test("a transport's file that was deleted is written again, since the server imports it", async () => {
  const project = new MemoryProject({}, original);
  project.remove(TRANSPORT);
  project.remove(TEST);
  const plan = await generate(project, manifest("my-pipe"));
  assert.equal(changesOf(plan), [
    `create ${TRANSPORT}: a stub: the transport that was here is gone`,
  ]);
  assert.equal(brokenImports(project), []);
});

test("a transport whose constant was renamed by hand is exported under the expected name, too", async () => {
  const project = new MemoryProject({}, original);
  project.edit(TRANSPORT, (text) => text.replace("myPipeTransport:", "pipe:"));
  const mine = project.text(TRANSPORT);
  assert.equal(codes(await generate(project, manifest("my-pipe"))), ["MW4011"]);
  assert.is(project.text(TRANSPORT), `${mine}\nexport { pipe as myPipeTransport };\n`);
});

test("a lock with malformed transports can be read", () => {
  const lock = JSON.parse(original.text(LOCK_PATH)) as { manifest: object };
  for (const transports of ["x", [1], [{ type: "custom" }], [{ type: "custom", name: 1 }]]) {
    const text = JSON.stringify({ ...lock, manifest: { ...lock.manifest, transports } });
    assert.is(parseLock(Buffer.from(text)).kind, "read");
  }
});

test.run();
