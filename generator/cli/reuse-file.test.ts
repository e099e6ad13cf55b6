import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { bundleFolder } from "../packaging/bundle.js";
import { runProgram } from "../testing/generated-project.js";
import {
  edit,
  read,
  snapshot,
  spacedManifest,
  TestFolders,
  write,
} from "../testing/project-folder.js";

const folders = new TestFolders();
test.after(folders.remove);

const KEPT = "node_modules/.cache/mcpwright/reuse.json";

/** Prints at the end of a process whether ts-morph was loaded. Every generated module needs it. */
const observer = `process.on("exit", () => {
  const loaded = Object.keys(require.cache).some((path) => path.includes("/ts-morph/"));
  console.error(loaded ? "made" : "reused");
});`;

/** Runs the published command, and returns whether it made files. */
async function run(folder: string, ...words: string[]): Promise<string | undefined> {
  await writeFile(join(folder, "observer.cjs"), observer);
  const parameters = ["--require", "./observer.cjs", join(bundleFolder, "main.js"), ...words];
  const printed = await runProgram(folder, process.execPath, parameters);
  return /^(made|reused)$/m.exec(printed)?.[0];
}

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
  for (const text of [kept.replace(/"compiler":"/, "$&0"), "{"]) {
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

test("a manifest without problems is not validated again; a manifest with a problem is", async () => {
  const folder = await project();
  await mkdir(join(folder, "node_modules"));
  await run(folder, "generate");
  assert.match(await read(folder, KEPT), /"soundManifest":"[0-9a-f]{64}"/);
  await edit(folder, "mcp.yaml", (text) => text.replace("get_forecast", "get forecast"));
  const parameters = [join(bundleFolder, "main.js"), "generate"];
  const failure = await runProgram(folder, process.execPath, parameters).catch(String);
  assert.match(failure, "error MW");
});

test.run();
