import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseLock } from "../6-reconcile/read-lock.js";
import { frozenProject, thawedProject } from "./frozen-project.js";
import { mcpwright } from "./generated-project.js";
import { read, snapshot, TestFolders, times } from "./project-folder.js";
import type { Lock } from "../6-reconcile/lock.js";

/**
 * Two examples as mcpwright 0.1.0 left them with locks of version 1, when the generated project still had another
 * layout, and as their owners went on: the first run with another layout and another lock keeps to the same rules.
 * In the weather project a person wrote handlers (one with CRLF, a byte-order mark and no last line end), a test of
 * their own, keys of their own, and into a generated file that is not generated any more.
 */

const folders = new TestFolders();
test.after(folders.remove);

const LOCK = "mcpwright.lock.json";
const EDITED = "src/generated/runtime/engine.ts";
const MERGED = ["package.json", "tsconfig.json", ".env.example"];

/** The lock of a frozen project, and which of its files are as they were generated. */
async function lockOf(name: string): Promise<Lock> {
  const state = parseLock((await frozenProject(name)).get(LOCK) ?? Buffer.of());
  if (state.kind !== "read") throw new Error(`the lock is ${state.kind}`);
  assert.ok(state.outdated);
  return state.lock;
}

const EXAMPLES = {
  "lock-version-1-weather": {
    status: 3,
    people: 20,
    gone: "src/generated/runtime/command-line.ts",
  },
  "lock-version-1-field-guide": { status: 0, people: 20, gone: EDITED },
} as const;

/** A test of a person's, which takes its context from where that is made now. */
const moved = (text: string | undefined): string | undefined =>
  text?.replace("../../src/generated/testing.", "../generated/testing.");

for (const [name, { status, people, gone }] of Object.entries(EXAMPLES)) {
  test(`${name}: a person's files move and change only by the ownership rules`, async () => {
    const folder = await thawedProject(name, folders);
    const locked = await lockOf(name);
    const before = await snapshot(folder);
    assert.is((await mcpwright(folder, "check")).status, status === 0 ? 2 : status);
    assert.equal(await snapshot(folder), before, "check writes nothing");
    const ended = await mcpwright(folder, "generate");
    assert.is(ended.status, status, ended.out + ended.err);
    assert.match(ended.out, "Now run `npm install`: package.json names other packages.");
    const after = await snapshot(folder);

    const theirs = Object.keys(before).filter((path) => {
      const owner = locked.files.get(path)?.owner;
      return owner !== "generated" && path !== LOCK && !MERGED.includes(path);
    });
    for (const path of theirs) {
      const isStub = before[path]?.includes("NotImplementedError(") === true;
      if (!isStub && !/^test\/tools\/get-tides/.test(path))
        assert.is(after[path], path.startsWith("test/") ? moved(before[path]) : before[path], path);
    }
    assert.ok(theirs.length >= people, String(theirs.length));
    assert.ok(
      before[gone] !== undefined && after[gone] === undefined,
      "deleted, since nobody edited it",
    );

    const { lockVersion, removed } = JSON.parse(await read(folder, LOCK)) as {
      lockVersion: number;
      removed: object;
    };
    assert.is(lockVersion, 2);
    assert.equal(Object.keys(removed), [...locked.removed.keys()].sort());
    const written = await times(folder);
    assert.is((await mcpwright(folder, "generate")).status, status);
    assert.equal(await times(folder), written, "the second run writes nothing");
    assert.is((await mcpwright(folder, "check")).status, status);
  });
}

test("an edited file that is no longer generated is kept, and merged files keep a person's parts", async () => {
  const folder = await thawedProject("lock-version-1-weather", folders);
  const edited = await read(folder, EDITED);
  const { err } = await mcpwright(folder, "generate");
  assert.match(err, `${EDITED}:1:1  error MW4001`);
  assert.is(await read(folder, EDITED), edited);
  assert.match(await read(folder, "package.json"), '{\n\t"mine": [1, 2],');
  assert.match(await read(folder, "tsconfig.json"), "{ // mine");
  assert.match(await read(folder, ".env.example"), /MINE=1\n$/);
  const { status } = await mcpwright(folder, "generate", "--overwrite-edited");
  assert.is(status, 0);
  assert.is(await read(folder, `${EDITED}.saved`), edited);
});

test.run();
