import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { takeSnapshot } from "../../../cli/dev/watched-files.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import {
  commit,
  differences,
  edit,
  git,
  read,
  TestFolders,
  write,
} from "../../harness/projects/project-folder.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/** A server whose manifest is in several files, as a team keeps it. */

const folders = new TestFolders();
test.after(folders.remove);

const HEAD = "name: demo\nversion: 1.0.0\n";
const INCLUDE = "include: [tools/*.yaml, shared.yaml]\n";
const SHARED = "schemas:\n  Id: { type: string, minLength: 1 }\n";

const toolText = (name: string): string => `  - name: ${name}
    description: Does ${name}.
    inputSchema:
      type: object
      properties: { id: { $ref: "#/schemas/Id" } }
      additionalProperties: false
`;

/** A folder with the manifest, shared schemas and a file for each tool. */
async function teamFolder(name: string, ...tools: readonly string[]): Promise<string> {
  const folder = await folders.make(name);
  await write(folder, "mcp.yaml", HEAD + INCLUDE);
  await write(folder, "shared.yaml", SHARED);
  for (const tool of tools) await addTool(folder, tool);
  return folder;
}

const addTool = (folder: string, tool: string): Promise<void> =>
  write(folder, `tools/${tool}.yaml`, `tools:\n${toolText(tool)}`);

async function succeed(folder: string, ...words: string[]): Promise<string> {
  const { status, out, err } = await mcpwright(folder, ...words);
  assert.is(status, 0, out + err);
  return out;
}

test("a manifest in several files makes the same project as the same manifest in one file", async () => {
  const team = await teamFolder("several", "alpha", "beta");
  const alone = await folders.make("alone");
  const tools = `tools:\n${toolText("alpha")}${toolText("beta")}`;
  await write(alone, "mcp.yaml", HEAD + SHARED + tools);
  await succeed(team, "generate");
  await succeed(alone, "generate");
  for (const file of ["mcpwright.lock.json", "src/generated/index.ts", "README.md"])
    assert.is(await read(team, file), await read(alone, file));
});

test("split moves sections with their comments, and the project stays as it is", async () => {
  const folder = await folders.make("split");
  const tools = `# What it does.\ntools: # all\n${toolText("alpha")}\n# Mine.\n${toolText("beta")}`;
  const text = `# Head.\n${HEAD}\n${tools}\n${SHARED}\nexposure: search # late\n`;
  const windows = `\uFEFF${text.replaceAll("\n", "\r\n")}`;
  await write(folder, "mcp.yaml", windows);
  await succeed(folder, "generate");
  const dry = await succeed(folder, "split", "--dry-run", "--out", "parts");
  assert.match(dry, "+++ b/parts/tools.yaml");
  assert.is(await read(folder, "mcp.yaml"), windows);
  const out = await succeed(folder, "split", "--out", "parts");
  assert.is(out, "Wrote parts/tools.yaml, parts/schemas.yaml, mcp.yaml.\n");
  const include = "include: [parts/tools.yaml, parts/schemas.yaml]\n";
  const main = `\uFEFF# Head.\n${HEAD}\n${include}exposure: search # late\n`;
  assert.is(await read(folder, "mcp.yaml"), main.replaceAll("\n", "\r\n"));
  const modeline = `# yaml-language-server: $schema=../node_modules/@mcpwright/runtime/mcp-part.schema.json\n`;
  assert.is(await read(folder, "parts/tools.yaml"), `${modeline}${tools}`.replaceAll("\n", "\r\n"));
  await succeed(folder, "check");
});

test("split puts new files before those that are included, and refuses what would mean something else", async () => {
  const folder = await teamFolder("split-again", "beta");
  await edit(folder, "mcp.yaml", (text) => `${text}tools:\n${toolText("alpha")}`);
  const before = await succeed(folder, "validate");
  assert.is(await succeed(folder, "split"), "Wrote tools.yaml, mcp.yaml.\n");
  assert.match(
    await read(folder, "mcp.yaml"),
    "include: [tools.yaml, tools/*.yaml, shared.yaml]\n",
  );
  assert.is(await succeed(folder, "validate"), before);
  const taken = await teamFolder("split-taken");
  await write(taken, "schemas.yaml", "");
  await write(taken, "mcp.yaml", HEAD + SHARED);
  assert.match((await mcpwright(taken, "split")).err, /MW5014 {2}.*schemas\.yaml exists/);
  await write(
    taken,
    "mcp.yaml",
    `${HEAD}x-a: &a { type: string }\nschemas: { A: *a }\ntools: []\n`,
  );
  const { status, err } = await mcpwright(taken, "split", "--out", "parts");
  assert.is(status, 1);
  assert.match(
    err,
    /MW5014 {2}.*parts\/schemas\.yaml would be wrong: nothing before this is marked &a/,
  );
  assert.match((await mcpwright(taken, "split", "--out", "..")).err, "MW5014");
});

test("validate --fix edits the file where a mistake stands, and messages name it", async () => {
  const folder = await teamFolder("fix", "alpha");
  await edit(folder, "mcp.yaml", (text) => `${text}titel: Demo\n`);
  await edit(folder, "tools/alpha.yaml", (text) => `\uFEFF# mine\n${text}    titel: Alpha\n`);
  const fixed = await succeed(folder, "validate", "--fix");
  assert.match(
    fixed,
    /^Fixed 1 problem in mcp\.yaml:\n {2}4:1 .*\nFixed 1 problem in tools\/alpha\.yaml:\n {2}9:5 /,
  );
  assert.match(await read(folder, "mcp.yaml"), "\ntitle: Demo\n");
  assert.is(
    await read(folder, "tools/alpha.yaml"),
    `\uFEFF# mine\ntools:\n${toolText("alpha")}    title: Alpha\n`,
  );
  await edit(folder, "tools/alpha.yaml", (text) => text.replace("name: alpha", "name: a b"));
  const { err } = await mcpwright(folder, "validate");
  assert.match(err, /^tools\/alpha\.yaml:3:11 {2}error MW/);
});

/** What a branch does with the files of the manifest. */
type Work = (folder: string) => Promise<void>;

/** Two branches, `one` and `two`, merged by git, and what it could not merge. */
async function merged(folder: string, one: Work, two: Work): Promise<string[]> {
  await git(folder, "init", "--quiet", "--initial-branch", "main");
  await succeed(folder, "generate");
  await commit(folder, "Begin");
  for (const [name, work] of Object.entries({ one, two })) {
    await git(folder, "checkout", "--quiet", "-b", name, "main");
    await work(folder);
    await succeed(folder, "generate");
    await commit(folder, name);
  }
  await git(folder, "merge", "--quiet", "--no-edit", "one").catch(() => "conflicts");
  const conflicts = await git(folder, "diff", "--name-only", "--diff-filter=U");
  return conflicts.split("\n").filter((path) => path !== "");
}

/** Expects that a merged project is, after `generate`, the one that its manifest makes in an empty folder. */
async function expectAsMadeAnew(folder: string): Promise<void> {
  const { status, err } = await mcpwright(folder, "check");
  assert.is(status, 2, err);
  await succeed(folder, "generate");
  await succeed(folder, "check");
  const fresh = await folders.make("anew");
  for (const path of (await git(folder, "ls-files", "mcp.yaml", "tools", "*.yaml")).split("\n"))
    if (path !== "") await write(fresh, path, await read(folder, path));
  await succeed(fresh, "generate");
  assert.equal(await differences(folder, fresh), []);
}

/** A folder of three files: the manifest, and two with a tool each. */
async function twoPeople(): Promise<string> {
  const folder = await folders.make("two-people");
  await write(folder, "mcp.yaml", `${HEAD}include: [tools/a.yaml, tools/b.yaml]\n${SHARED}`);
  await write(folder, "tools/a.yaml", `tools:\n${fullTool("alpha")}`);
  await write(folder, "tools/b.yaml", `tools:\n${fullTool("beta")}`);
  return folder;
}

/** A tool with everything that several generated files tell of. */
const fullTool = (name: string): string => `${toolText(name)}    outputSchema:
      type: object
      properties: { ${name}_state: { type: string } }
      required: [${name}_state]
    examples:
      - { name: one ${name}, arguments: { id: a }, result: { ${name}_state: done } }
`;

const PROMPT =
  "  - { name: ask, description: Asks., messages: [{ role: user, content: { type: text, text: Hi } }] }\n";

const append =
  (file: string, ...tools: readonly string[]): Work =>
  (folder) =>
    edit(folder, file, (text) => text + tools.map(fullTool).join(""));

const prepend =
  (file: string, tool: string): Work =>
  (folder) =>
    edit(folder, file, (text) => text.replace("tools:\n", `tools:\n${fullTool(tool)}`));

/** What two people add, each in a file of their own. Additions at the ends are merged by the test of a kept copy in each form. */
const ADDITIONS = [
  ...shortOrLong<readonly (readonly [what: string, one: Work, two: Work])[]>(
    [],
    [
      ["at the ends", append("tools/a.yaml", "apple"), append("tools/b.yaml", "berry")],
      [
        "where one file follows the other",
        append("tools/a.yaml", "yam"),
        prepend("tools/b.yaml", "zest"),
      ],
    ],
  ),
  ["several", append("tools/a.yaml", "carrot", "date"), prepend("tools/b.yaml", "cherry")],
] as const;

for (const [what, one, two] of ADDITIONS) {
  test(`two people who add tools to files of their own (${what}) have no conflict, and generate finishes the merge`, async () => {
    const folder = await twoPeople();
    assert.equal(await merged(folder, one, two), []);
    await expectAsMadeAnew(folder);
  });
}

/**
 * Files that are apart, and beside each other in the order of their names. In short, the people above who add tools to files of
 * their own stand for both.
 */
const ADDED_FILES = shortOrLong<readonly (readonly [one: string, two: string])[]>(
  [],
  [
    ["alpha", "gamma"],
    ["gamma", "gimel"],
  ],
);

for (const [one, two] of ADDED_FILES) {
  test(`two branches that add the files of ${one} and ${two} merge without a conflict`, async () => {
    const folder = await teamFolder("merge", "beta", "delta");
    const adding = (tool: string) => (where: string) => addTool(where, tool);
    assert.equal(await merged(folder, adding(one), adding(two)), []);
    await expectAsMadeAnew(folder);
    const diff = await succeed(folder, "diff", "git:main", "mcp.yaml");
    for (const name of [one, two]) assert.match(diff, `tools/${name}.yaml:2  `);
  });
}

test("where one person deletes an included file and another one edits it, generate finishes what they decide", async () => {
  for (const isKept of [true, false]) {
    const folder = await twoPeople();
    await edit(folder, "mcp.yaml", (text) =>
      text.replace(/include: .*/, "include: [tools/*.yaml]"),
    );
    await edit(folder, "tools/b.yaml", (text) => `${text}prompts:\n${PROMPT}`);
    const remove: Work = (where) => rm(join(where, "tools/b.yaml"));
    const change: Work = (where) =>
      edit(where, "tools/b.yaml", (text) => text.replace("Does beta", "Does more than beta"));
    const works: [Work, Work] = isKept ? [change, remove] : [remove, change];
    const conflicts = await merged(folder, ...works);
    assert.ok(conflicts.includes("tools/b.yaml"), conflicts.join());
    if (!isKept) await rm(join(folder, "tools/b.yaml"));
    const { status, out, err } = await mcpwright(folder, "generate");
    assert.is(status, 0, out + err);
    await succeed(folder, "check");
    assert.is((await read(folder, "SERVER.md")).includes("more than beta"), isKept);
  }
});

test("a generated file that a person edits before generate finishes a merge is kept as a copy", async () => {
  const folder = await twoPeople();
  assert.equal(
    await merged(folder, append("tools/a.yaml", "apple"), append("tools/b.yaml", "berry")),
    [],
  );
  await edit(folder, "src/generated/server.ts", (text) => `${text}// Mine.\n`);
  const latin1 = Buffer.from("// Mine, at the caf\u00e9.\n", "latin1");
  await write(folder, "src/generated/index.ts", latin1);
  assert.match(
    (await mcpwright(folder, "generate")).err,
    /server\.ts.*MW4010[^]*server\.ts\.saved/,
  );
  assert.match(await read(folder, "src/generated/server.ts.saved"), "// Mine.");
  assert.equal(await readFile(join(folder, "src/generated/index.ts.saved")), latin1);
});

test("a revision without an included file is reported with the name of that revision", async () => {
  const folder = await teamFolder("revision", "alpha");
  await git(folder, "init", "--quiet", "--initial-branch", "main");
  await git(folder, "add", "mcp.yaml", "tools");
  await git(folder, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "Begin");
  const { status, err } = await mcpwright(folder, "diff", "git:HEAD", "mcp.yaml");
  assert.is(status, 1);
  assert.match(err, "git:HEAD:mcp.yaml:3:25  error MW1030");
});

test("dev watches included files, and the folders where others may appear", async () => {
  const folder = await teamFolder("watch", "alpha");
  const manifest = join(folder, "mcp.yaml");
  const watched = () => takeSnapshot({ manifest, outDir: join(folder, "out") });
  const before = watched();
  assert.equal(before.manifest, [
    manifest,
    join(folder, "tools/alpha.yaml"),
    join(folder, "shared.yaml"),
  ]);
  assert.ok(before.folders.includes(join(folder, "tools")));
  await addTool(folder, "beta");
  assert.ok(watched().files.has(join(folder, "tools/beta.yaml")));
  // A manifest that is being written keeps its files.
  await write(folder, "mcp.yaml", "name: ]\n");
  assert.is(watched().manifest.length, 4);
  await write(folder, "mcp.yaml", HEAD);
  assert.equal(watched().manifest, [manifest]);
});

test.run();
