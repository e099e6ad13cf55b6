import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { npm, runProgram } from "../../harness/runner/programs.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import {
  commit,
  edit,
  git,
  read,
  snapshot,
  spacedManifest,
  TestFolders,
  write,
} from "../../harness/projects/project-folder.js";

/** Regeneration among other people and programs: git, npm, and bots that keep dependencies fresh. */

const folders = new TestFolders();
test.after(folders.remove);

/** A repository in which `tools` were generated and committed. */
async function repository(name: string, tools: readonly string[]): Promise<string> {
  const folder = await folders.make(name);
  await git(folder, "init", "--quiet", "--initial-branch", "main");
  await write(folder, "mcp.yaml", spacedManifest(tools));
  await generate(folder);
  await commit(folder, "Begin");
  return folder;
}

/** Generates, and expects that nothing needs a person. */
async function generate(folder: string): Promise<void> {
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
}

/** A branch that changes the manifest, regenerates, and goes on by hand. */
async function branch(
  folder: string,
  name: string,
  manifest: string,
  work: () => Promise<void>,
): Promise<void> {
  await git(folder, "checkout", "--quiet", "-b", name, "main");
  await write(folder, "mcp.yaml", manifest);
  await generate(folder);
  await work();
  await commit(folder, name);
}

const MERGED_TOOLS = ["alpha", "centre", "omega"];
const MERGED = spacedManifest(MERGED_TOOLS).replace(
  "name: centre",
  "name: centre\n    renamedFrom: middle",
);

/** Git keeps the lines of both branches where the project says so, and marks conflicts where it has forgotten to. */
const WAYS = ["lines of both branches", "conflicts"] as const;

type Way = (typeof WAYS)[number];

/** One branch renames, adds and removes tools, the other adds and removes some too; all handlers are edited. */
async function makeTwoBranches(way: Way): Promise<string> {
  const folder = await repository("branches", ["first", "last", "middle"]);
  if (way === "conflicts") await write(folder, ".gitattributes", "");
  for (const tool of ["first", "last", "middle"]) {
    await edit(folder, `src/tools/${tool}.ts`, (text) => `${text}// handler of ${tool}\n`);
  }
  await edit(folder, "README.md", (text) => `${text}\nMine.\n`);
  await commit(folder, "Write handlers");
  const renamed = spacedManifest(["alpha", "last", "centre"]);
  const rename = renamed.replace("name: centre", "name: centre\n    renamedFrom: middle");
  await branch(folder, "one", rename, async () => {
    await edit(folder, "src/tools/alpha.ts", (text) => `${text}// handler of alpha\n`);
    await edit(folder, "package.json", (text) => text.replace("{", '{\n  "mine": "one",'));
  });
  await branch(folder, "two", spacedManifest(["first", "middle", "omega"]), async () => {
    await edit(folder, "src/tools/omega.ts", (text) => `${text}// handler of omega\n`);
  });
  return folder;
}

const repositories = new Map<Way, Promise<string>>();

/** A copy of a repository with two branches, of which the second is checked out. */
async function twoBranches(way: Way = "conflicts"): Promise<string> {
  const made = repositories.get(way) ?? makeTwoBranches(way);
  repositories.set(way, made);
  const folder = await folders.make("merge");
  await cp(await made, folder, { recursive: true });
  return folder;
}

let fresh: Promise<string> | undefined;

/** A project that was generated from the merged manifest alone. */
async function generateMerged(): Promise<string> {
  const folder = await folders.make("fresh");
  await write(folder, "mcp.yaml", MERGED);
  await generate(folder);
  return folder;
}

/** What must hold once the merged manifest is generated. */
async function assertMerged(folder: string): Promise<void> {
  const tree = await snapshot(folder);
  const named = { alpha: "alpha", centre: "middle", omega: "omega" };
  for (const [tool, handler] of Object.entries(named)) {
    const text = tree[`src/tools/${tool}.ts`] ?? "";
    assert.match(text, new RegExp(`export const ${tool}: ToolHandler<"${tool}">`));
    assert.match(text, `// handler of ${handler}`);
  }
  for (const tool of ["first", "last"]) {
    assert.match(tree[`src/removed/tools/${tool}.ts`] ?? "", `// handler of ${tool}`);
    assert.is(tree[`src/tools/${tool}.ts`], undefined);
  }
  assert.match(tree["README.md"] ?? "", /\nMine\.\n/);
  assert.match(tree["package.json"] ?? "", '"mine": "one"');
  const markers = Object.keys(tree).filter((path) => /^<{7} /m.test(tree[path] ?? ""));
  assert.equal(
    markers.filter((path) => !/\.saved\d*$/.test(path)),
    [],
  );

  const alone = await (fresh ??= generateMerged());
  const lock = JSON.parse(await read(alone, "mcpwright.lock.json")) as {
    files: Record<string, { owner: string }>;
  };
  const generated = Object.keys(lock.files).filter(
    (path) => lock.files[path]?.owner === "generated",
  );
  assert.ok(generated.length > 10);
  for (const path of generated) assert.is(await read(folder, path), await read(alone, path), path);
  const check = await mcpwright(folder, "check");
  assert.is(check.status, 0, check.out + check.err);
}

/** The ways in which branches are merged, and those in which one is rebased: in short one each. */
const [MERGING, REBASING] = shortOrLong<readonly [readonly Way[], readonly Way[]]>(
  [["conflicts"], []],
  [WAYS, WAYS],
);

for (const way of MERGING) {
  test(`one generate repairs a merge of two regenerated branches with ${way} in the lock and in generated files`, async () => {
    const folder = await twoBranches(way);
    await git(folder, "merge", "one").catch(() => "conflicts");
    const conflicted = (await git(folder, "diff", "--name-only", "--diff-filter=U")).split("\n");
    for (const path of ["mcpwright.lock.json", "src/generated/index.ts"])
      assert.is(conflicted.includes(path), way === "conflicts");
    assert.ok(conflicted.includes("mcp.yaml"));
    await write(folder, "mcp.yaml", MERGED);
    await generate(folder);
    await assertMerged(folder);
  });
}

for (const way of REBASING) {
  test(`one generate repairs a branch that was rebased on another, with ${way}`, async () => {
    const folder = await twoBranches(way);
    await git(folder, "rebase", "one").catch(() => "conflicts");
    const isConflicted = (await read(folder, "mcpwright.lock.json")).includes("<<<<<<<");
    assert.is(isConflicted, way === "conflicts");
    await write(folder, "mcp.yaml", MERGED);
    await generate(folder);
    await assertMerged(folder);
  });
}

test("a merge whose lock was resolved to one side or deleted loses nothing, and the run lists what is left to do", async () => {
  for (const side of shortOrLong(["--ours", "gone"], ["--ours", "--theirs", "gone"])) {
    const folder = await twoBranches();
    await git(folder, "merge", "one").catch(() => "conflicts");
    const lock = "mcpwright.lock.json";
    if (side === "gone") await rm(join(folder, lock));
    else await git(folder, "checkout", side, lock);
    await write(folder, "mcp.yaml", MERGED);
    const options = ["--overwrite-edited", ...(side === "gone" ? ["--adopt"] : [])];
    const { status, out, err } = await mcpwright(folder, "generate", ...options);
    assert.is(status, 0, out + err);
    const texts = Object.values(await snapshot(folder)).join("\n");
    for (const tool of ["alpha", "first", "last", "middle", "omega"]) {
      assert.match(texts, `// handler of ${tool}`, side);
    }
    assert.is((await mcpwright(folder, "check")).status, 0);
  }
});

test("a merged handler with conflict markers is reported, and a person must resolve it", async () => {
  const folder = await repository("handler-conflict", ["middle"]);
  for (const name of ["one", "two"]) {
    await git(folder, "checkout", "--quiet", "-b", name, "main");
    const text = await read(folder, "src/tools/middle.ts");
    await write(folder, "src/tools/middle.ts", text.replace("throw", `/* ${name} */ throw`));
    await commit(folder, name);
  }
  await git(folder, "merge", "one").catch(() => "conflicts");
  const conflict = await read(folder, "src/tools/middle.ts");
  await write(folder, "mcp.yaml", spacedManifest(["middle", "more"]));
  const { status, err } = await mcpwright(folder, "generate");
  assert.is(status, 3);
  assert.match(err, /src\/tools\/middle\.ts.*MW4005/);
  assert.is(await read(folder, "src/tools/middle.ts"), conflict);
  assert.match(await read(folder, "src/tools/more.ts"), "more");
});

test("a clone without node_modules can be regenerated", async () => {
  const origin = await repository("origin", ["first"]);
  const clone = join(await folders.make("clone"), "project");
  await git(origin, "clone", "--quiet", origin, clone);
  assert.is((await mcpwright(clone, "check")).status, 0);
  await edit(clone, "src/tools/first.ts", (text) => `${text}// mine\n`);
  const manifest = spacedManifest(["second"]).replace("second", "second\n    renamedFrom: first");
  await write(clone, "mcp.yaml", manifest);
  assert.is((await mcpwright(clone, "plan")).status, 2);
  await generate(clone);
  assert.match(await read(clone, "src/tools/second.ts"), "// mine");
  assert.is((await mcpwright(clone, "check")).status, 0);
  assert.not.ok((await readdir(clone)).includes("node_modules"));
});

type Programs = Readonly<Record<string, (folder: string) => Promise<unknown>>>;

/** What further commands of npm do. Another test below has one of `npm version`. */
const OTHER_COMMANDS: Programs = {
  "npm version": (folder) => npm(folder, "version", "patch", "--no-git-tag-version"),
  "npm pkg fix": (folder) => npm(folder, "pkg", "fix"),
};

/** What programs do to `package.json` between two runs. */
const PROGRAMS: Programs = {
  "npm install of a package": (folder) =>
    npm(folder, "pkg", "set", "dependencies.a-library=^1.2.3", "devDependencies.types-of-it=2.0.0"),
  "a bot that raises versions": (folder) =>
    edit(folder, "package.json", (text) => text.replaceAll(/"\d+\.\d+\.\d+"/g, '"99.0.0"')),
  "a formatter": async (folder) => {
    const value = JSON.parse(await read(folder, "package.json")) as object;
    await write(folder, "package.json", JSON.stringify(value, null, "\t"));
  },
  ...shortOrLong({}, OTHER_COMMANDS),
};

for (const [name, program] of Object.entries(PROGRAMS)) {
  test(`an edit of package.json between runs needs no attention: ${name}`, async () => {
    const folder = await folders.make("program");
    await write(folder, "mcp.yaml", spacedManifest(["middle"]));
    await generate(folder);
    await program(folder);
    const theirs = await read(folder, "package.json");
    assert.equal(await mcpwright(folder, "check"), { status: 0, out: "", err: "" });
    await write(folder, "mcp.yaml", spacedManifest(["middle", "more"]));
    const { status, err } = await mcpwright(folder, "generate");
    assert.is(status, 0);
    // A version that the server does not report is told.
    const isRaised = !theirs.includes('"version": "1.0.0"');
    assert.equal(err.match(/MW\d+/g), isRaised ? ["MW4014"] : null, err);
    assert.is(await read(folder, "package.json"), theirs);
    assert.equal(await mcpwright(folder, "check"), { status: 0, out: "", err: "" });
  });
}

test("a key of package.json that both changed keeps the person's value, is reported once, and ends the run with status 3", async () => {
  const folder = await folders.make("npm-version");
  await write(folder, "mcp.yaml", spacedManifest(["middle"]));
  await mcpwright(folder, "generate");
  await runProgram(folder, "npm", ["version", "1.0.1", "--no-git-tag-version"]);
  const bumped = await read(folder, "package.json");
  assert.is((await mcpwright(folder, "check")).status, 0);
  await write(folder, "mcp.yaml", spacedManifest(["middle"], "2.0.0"));
  assert.is((await mcpwright(folder, "generate")).status, 3);
  assert.is(await read(folder, "package.json"), bumped);
  assert.is((await mcpwright(folder, "generate")).status, 0);
});

test("if package.json holds the version, `npm version` alone changes it", async () => {
  const folder = await folders.make("package-version");
  await write(folder, "mcp.yaml", spacedManifest(["middle"], "1.2.0"));
  await mcpwright(folder, "generate");
  await write(folder, "mcp.yaml", spacedManifest(["middle"], "package.json"));
  assert.is((await mcpwright(folder, "generate")).status, 0);
  const version = async (): Promise<unknown> =>
    (JSON.parse(await read(folder, "package.json")) as { version: string }).version;
  assert.is(await version(), "1.2.0", "the version so far stays");
  await runProgram(folder, "npm", ["version", "minor", "--no-git-tag-version"]);
  const released = await read(folder, "package.json");
  assert.is((await mcpwright(folder, "check")).status, 0);
  await write(folder, "mcp.yaml", spacedManifest(["middle", "more"], "package.json"));
  const { status, out } = await mcpwright(folder, "generate");
  assert.is(status, 0, out);
  assert.is(await read(folder, "package.json"), released);
  assert.is((await mcpwright(folder, "check")).status, 0);
  for (const path of [
    "SERVER.md",
    "test/generated/contracts/server.json",
    "src/generated/server.ts",
  ]) {
    assert.not.match(await read(folder, path), /1\.[23]\.0/, path);
  }

  const fresh = await folders.make("first-version");
  await write(fresh, "mcp.yaml", spacedManifest(["middle"], "package.json"));
  await mcpwright(fresh, "generate");
  assert.match(await read(fresh, "package.json"), '"version": "0.1.0"');
});

test.run();
