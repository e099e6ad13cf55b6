import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { bundleFolder } from "../packaging/bundle.js";
import { CommandProcess, type CommandEnd } from "../testing/harness/runner/command-run.js";
import { runProgram } from "../testing/harness/runner/programs.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";
import {
  edit,
  read,
  snapshot,
  spacedManifest,
  TestFolders,
  write,
} from "../testing/harness/projects/project-folder.js";

const folders = new TestFolders();
test.after(folders.remove);

const KEPT = "node_modules/.cache/mcpwright/reuse.json";

const commands = new CommandProcess();
test.after(commands.end);

/** How a run of the published command ends. */
function end(folder: string, words: readonly string[]): Promise<CommandEnd> {
  return commands.run({ program: join(bundleFolder, "main.js"), folder, words });
}

/** Runs the published command, and returns whether it made files: every generated module needs ts-morph. */
async function run(folder: string, ...words: string[]): Promise<"made" | "reused"> {
  const { status, output, packages } = await end(folder, words);
  assert.is(status, 0, output);
  return packages.includes("ts-morph") ? "made" : "reused";
}

/** What the published command prints when it fails. */
async function failure(folder: string, ...words: string[]): Promise<string> {
  const { status, output } = await end(folder, words);
  assert.is.not(status, 0, output);
  return output;
}

/** A tool with errors that would do harm: a shell that runs an argument, and an expression of exponential time. */
const WRONG_TOOL = `  - name: run
    description: Runs a text.
    inputSchema:
      type: object
      properties: { text: { type: string, description: Text, pattern: "^(a+)+$" } }
      required: [text]
      additionalProperties: false
    exec: { command: [sh, -c, "{{text}}"] }
`;

async function project(): Promise<string> {
  const folder = await folders.make("reuse");
  await write(folder, "mcp.yaml", spacedManifest(["get_forecast"]));
  return folder;
}

test("an unchanged project with installed packages reuses the files of the former run", async () => {
  const folder = await project();
  assert.is(await run(folder, "generate"), "made");
  assert.not.ok(existsSync(join(folder, "node_modules")), "none are installed yet");
  await mkdir(join(folder, "node_modules"));
  assert.is(await run(folder, "plan"), "made");
  assert.not.ok(existsSync(join(folder, KEPT)), "plan writes nothing");
  assert.is(await run(folder, "generate"), "made");
  const before = await snapshot(folder);
  assert.is(await run(folder, "generate"), "reused");
  assert.is(await run(folder, "generate", "--no-cache"), "made");
  assert.is(await run(folder, "check"), "made");
  assert.equal(await snapshot(folder), before);

  await edit(folder, "mcp.yaml", (text) => text.replace("get_forecast", "get_alerts"));
  assert.is(await run(folder, "generate"), "made");
  assert.is(await run(folder, "generate"), "reused");
});

test("results of another version, and results that cannot be read, are not reused", async () => {
  const folder = await project();
  await mkdir(join(folder, "node_modules"));
  assert.is(await run(folder, "generate"), "made");
  const kept = await read(folder, KEPT);
  const unusable = shortOrLong<readonly string[]>([], ["{"]);
  for (const text of [kept.replace(/"compiler":"/, "$&0"), ...unusable]) {
    await write(folder, KEPT, text);
    assert.is(await run(folder, "generate"), "made");
    assert.is(await readFile(join(folder, KEPT), "utf8"), kept);
  }
});

test("if nothing can be stored, every run makes all files", async () => {
  const folder = await project();
  await write(folder, "node_modules/.cache", "in the way");
  assert.is(await run(folder, "generate"), "made");
  assert.is(await run(folder, "generate"), "made");
  await rm(join(folder, "node_modules"), { recursive: true });
  await writeFile(join(folder, "node_modules"), "");
  assert.is(await run(folder, "generate"), "made");
});

test("a manifest with errors is refused, whatever a stored record says of it", async () => {
  const folder = await project();
  await mkdir(join(folder, "node_modules"));
  await run(folder, "generate");
  const record = JSON.parse(await read(folder, KEPT)) as object;
  const manifest = (await read(folder, "mcp.yaml")).concat(WRONG_TOOL);
  await write(folder, "mcp.yaml", manifest);
  const soundManifest = hash("sha256", manifest, "hex");
  await write(folder, KEPT, JSON.stringify({ ...record, soundManifest }));
  const before = await snapshot(folder);
  const printed = await failure(folder, "generate");
  for (const code of ["MW2142", "MW3031"]) assert.match(printed, `error ${code}`);
  assert.equal(await snapshot(folder), before);
});

test("nothing is read or written through links, pipes and folders at the place of the record", async () => {
  const folder = await project();
  const outside = await folders.make("outside");
  const packages = join(folder, "node_modules");
  await mkdir(packages);
  await run(folder, "generate");
  const kept = await read(folder, KEPT);
  const linked = shortOrLong(
    ["node_modules/.cache", KEPT],
    ["node_modules", "node_modules/.cache", "node_modules/.cache/mcpwright", KEPT],
  );
  for (const place of linked) {
    await rm(packages, { recursive: true, force: true });
    await rm(outside, { recursive: true, force: true });
    const file = KEPT.slice(place.length + 1);
    await write(outside, file === "" ? "reuse.json" : file, kept);
    await mkdir(dirname(join(folder, place)), { recursive: true });
    await symlink(file === "" ? join(outside, "reuse.json") : outside, join(folder, place));
    const before = await snapshot(outside);
    assert.is(await run(folder, "generate"), "made", place);
    assert.equal(await snapshot(outside), before, place);
  }
  assert.is(await run(folder, "generate"), "reused", "a link at the file's own place is replaced");
  await rm(join(folder, KEPT));
  await runProgram(folder, "mkfifo", [KEPT]);
  assert.is(await run(folder, "generate"), "made", "a pipe");
  await rm(join(folder, KEPT));
  await mkdir(join(folder, KEPT));
  assert.is(await run(folder, "generate"), "made", "a folder");
});

test.run();
