import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { takeSnapshot } from "../../../cli/dev/watched-files.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import {
  commit,
  edit,
  git,
  read,
  TestFolders,
  write,
} from "../../harness/projects/project-folder.js";

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

test("several files make the same project as one", async () => {
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

/** Two branches that each add a tool in a file of its own, and what git could not merge. */
async function mergedAdditions(one: string, two: string) {
  const folder = await teamFolder("merge", "beta", "delta");
  await git(folder, "init", "--quiet", "--initial-branch", "main");
  await succeed(folder, "generate");
  await commit(folder, "Begin");
  for (const tool of [one, two]) {
    await git(folder, "checkout", "--quiet", "-b", tool, "main");
    await addTool(folder, tool);
    await succeed(folder, "generate");
    await commit(folder, tool);
  }
  await git(folder, "merge", "--quiet", "--no-edit", one).catch(() => "conflicts");
  const conflicts = await git(folder, "diff", "--name-only", "--diff-filter=U");
  return { folder, conflicts: conflicts.split("\n").filter((path) => path !== "") };
}

test("two branches that add tools in files of their own conflict in the lock at most, which generate resolves", async () => {
  const { folder, conflicts } = await mergedAdditions("alpha", "gamma");
  assert.equal(conflicts, ["mcpwright.lock.json"]);
  await succeed(folder, "generate");
  await succeed(folder, "check");
  const diff = await succeed(folder, "diff", "git:main", "mcp.yaml");
  for (const name of ["alpha", "gamma"]) assert.match(diff, `tools/${name}.yaml:2  `);
});

test("of tools that follow each other, only what is generated conflicts, and generate resolves it", async () => {
  const { folder, conflicts } = await mergedAdditions("gamma", "gimel");
  assert.equal(
    conflicts.filter((path) => !/generated|^SERVER\.md$|^mcpwright\.lock\.json$/.test(path)),
    [],
  );
  assert.match(await succeed(folder, "validate"), "4 tools");
  await succeed(folder, "generate");
  await succeed(folder, "check");
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
