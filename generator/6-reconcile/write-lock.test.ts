import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../model/json.js";
import {
  commit,
  git,
  read,
  TestFolders,
  write,
} from "../testing/harness/projects/project-folder.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";
import { itemNamesOf, LOCK_PATH, type Lock, type LockedFile } from "./lock.js";
import { parseLock } from "./read-lock.js";
import { writeLock } from "./write-lock.js";

/** Git merges locks of branches that change different items, wherever these stand. */

const folders = new TestFolders();
test.after(folders.remove);

/** A tool, and how often somebody has changed it. */
type Tools = readonly (readonly [name: string, revision: number])[];

const BASE: Tools = [
  ["a", 0],
  ["b", 0],
  ["c", 0],
  ["d", 0],
];

/** What every project has, between and behind the files of tools. */
const OTHERS = ["src/main.ts", "test/generated/context.test.ts", "tsconfig.json"];

function lockOf(tools: Tools): Lock {
  const files = tools.flatMap(([name, revision]): [string, LockedFile][] => [
    [`src/generated/tools/${name}.ts`, { owner: "generated", hashes: [hashOf(revision)] }],
    [
      `src/tools/${name}.ts`,
      { owner: "handler", hashes: [hashOf(revision)], item: `tool:${name}`, exportName: name },
    ],
    [`test/generated/tools/${name}.json`, { owner: "generated", hashes: [hashOf(revision)] }],
  ]);
  for (const path of OTHERS) files.push([path, { owner: "generated", hashes: [hashOf(0)] }]);
  const manifest = { name: "demo", tools: tools.map(toolOf), version: "1.0.0" };
  return { generator: "1.0.0", manifest, files: new Map(files), removed: new Map() };
}

const hashOf = (revision: number): string => String(revision).repeat(64);

/** All of them have lines alike, the first and the last as well. */
function toolOf([name, revision]: Tools[number]): JsonObject {
  return {
    annotations: { readOnlyHint: revision % 2 === 0 },
    description: `Revision ${revision}.`,
    inputSchema: {
      type: "object",
      properties: {
        city: { type: "string", description: `Revision ${revision}, ${"x".repeat(90)}` },
      },
    },
    name,
    title: `Revision ${revision}`,
  };
}

/** What each branch does, and what both have done together. */
const BRANCHES: Readonly<Record<string, (tools: Tools) => Tools>> = {
  "changes the first": changing("a"),
  "changes the second": changing("b"),
  "changes the third": changing("c"),
  "changes the last": changing("d"),
  "removes the second": (tools) => tools.filter(([name]) => name !== "b"),
  "removes the last": (tools) => tools.filter(([name]) => name !== "d"),
  "adds one at the beginning": (tools) => [["0", 0], ...tools],
  "adds one behind the second": (tools) => {
    const at = tools.findIndex(([name]) => name === "c");
    return [...tools.slice(0, at), ["bb", 0], ...tools.slice(at)];
  },
  "adds one at the end": (tools) => [...tools, ["e", 0]],
};

function changing(changed: string): (tools: Tools) => Tools {
  return (tools) =>
    tools.map(([name, revision]) => [name, name === changed ? revision + 1 : revision] as const);
}

const last = (text: string): string => text.split(" ").at(-1) ?? "";

function* pairs(): Generator<readonly [string, string]> {
  const names = Object.keys(BRANCHES);
  for (const [index, one] of names.entries()) {
    for (const other of names.slice(index + 1)) {
      const isSameTool = last(one) === last(other) && one.startsWith("changes");
      if (!isSameTool || !other.startsWith("removes")) yield [one, other];
    }
  }
}

async function repository(): Promise<string> {
  const folder = await folders.make("lock-merge");
  await git(folder, "init", "--quiet", "--initial-branch", "main");
  await write(folder, ".gitattributes", `${LOCK_PATH} merge=union\n`);
  await write(folder, LOCK_PATH, writeLock(lockOf(BASE)));
  await commit(folder, "Begin");
  for (const [name, work] of Object.entries(BRANCHES)) {
    await git(folder, "checkout", "--quiet", "-b", name.replaceAll(" ", "-"), "main");
    await write(folder, LOCK_PATH, writeLock(lockOf(work(BASE))));
    await commit(folder, name);
  }
  return folder;
}

/** Expects that a merged lock has all entries of the expected one. It may have more, whose files are no longer generated. */
function expectMerge(text: string, expected: Lock, what: string): void {
  const state = parseLock(Buffer.from(text));
  assert.is(state.kind, "read", what);
  if (state.kind !== "read") return;
  const { manifest, files } = state.lock;
  for (const [path, { hashes }] of expected.files)
    assert.ok(files.get(path)?.hashes.includes(hashes[0] ?? ""), `${what}: ${path}`);
  const names = itemNamesOf(manifest);
  for (const name of itemNamesOf(expected.manifest)) assert.ok(names.has(name), `${what}: ${name}`);
}

/** One pair of branches of so many is merged. */
const EACH = shortOrLong(4, 1);

test("guarantee 21: git merges the locks of branches that change, add and remove different items", async () => {
  const folder = await repository();
  const counts = { equal: 0, both: 0 };
  for (const [one, other] of [...pairs()].filter((_pair, index) => index % EACH === 0)) {
    await git(folder, "checkout", "--quiet", "--detach", one.replaceAll(" ", "-"));
    await git(folder, "merge", "--quiet", other.replaceAll(" ", "-")).catch((error: unknown) => {
      throw new Error(`${one}, the other ${other}: ${String(error)}`);
    });
    const expected = [BRANCHES[one], BRANCHES[other]].reduce<Tools>(
      (tools, work) => work?.(tools) ?? tools,
      BASE,
    );
    const text = await read(folder, LOCK_PATH);
    const isEqual = text === writeLock(lockOf(expected)).toString();
    counts[isEqual ? "equal" : "both"] += 1;
    if (!isEqual) expectMerge(text, lockOf(expected), `${one}, the other ${other}`);
  }
  assert.equal(counts, shortOrLong({ equal: 8, both: 1 }, { equal: 27, both: 7 }));
});

test("lines that do not come from two locks are not read as a lock", () => {
  const text = writeLock(lockOf(BASE)).toString();
  for (const [what, broken] of [
    ["a part", text.slice(0, -20)],
    ["nested without end", "[".repeat(100_000)],
    ["words", text.replace('"generator": ', "generator ")],
    ["a bracket too many", text.replace('"files": {', '"files": {{')],
  ] as const)
    assert.is(parseLock(Buffer.from(broken)).kind, "corrupt", what);
});

test("a lock with conflict markers is read from both sides", async () => {
  const folder = await folders.make("lock-conflict");
  await git(folder, "init", "--quiet", "--initial-branch", "main");
  await write(folder, LOCK_PATH, writeLock(lockOf(BASE)));
  await commit(folder, "Begin");
  for (const name of ["x", "y"]) {
    await git(folder, "checkout", "--quiet", "-b", name, "main");
    await write(folder, LOCK_PATH, writeLock(lockOf([...BASE, [name, 0]])));
    await commit(folder, name);
  }
  await git(folder, "merge", "x").catch(() => "conflicts");
  const text = await read(folder, LOCK_PATH);
  assert.match(text, "<<<<<<<");
  const state = parseLock(Buffer.from(text));
  assert.is(state.kind, "read");
  if (state.kind !== "read") return;
  assert.ok(state.conflicted);
  const handlers = [...state.lock.files.keys()].filter((path) => path.startsWith("src/tools/"));
  assert.equal(
    handlers.sort(),
    ["a", "b", "c", "d", "x", "y"].map((name) => `src/tools/${name}.ts`),
  );
});

test("an entry's value may hold anything that a manifest may", () => {
  const manifest = {
    description: 'a "quote", a \\ and \u2028, \u202e',
    env: { A: { default: 1 } },
    limits: {},
    name: "demo",
    tools: [],
    transports: [{ type: "stdio" }],
  };
  const text = writeLock({ generator: "1", manifest, files: new Map(), removed: new Map() });
  const state = parseLock(text);
  assert.equal(state.kind === "read" && state.lock.manifest, manifest);
  assert.not.match(text.toString(), /[\u2028\u202e]/);
});

test.run();
