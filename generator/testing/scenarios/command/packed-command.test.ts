import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { runProgram } from "../../harness/runner/programs.js";
import { installPacked } from "../../harness/projects/packed-package.js";

/** The command as it is published, on the Node.js that runs this. */
const projectRoot = fileURLToPath(packageRoot);

const folder = await mkdtemp(join(tmpdir(), "mcpwright-command-"));
test.after(() => rm(folder, { recursive: true, force: true }));

test("a packed mcpwright that is installed elsewhere creates a project", async () => {
  await installPacked(folder);
  const bin = join(folder, "node_modules/.bin/mcpwright");
  const { version } = JSON.parse(await readFile(join(projectRoot, "package.json"), "utf8")) as {
    version: string;
  };
  assert.is((await runProgram(folder, bin, ["--version"])).trim(), version);
  await runProgram(folder, bin, ["init", "server", "--only-manifest", "--template", "full"]);
  await runProgram(join(folder, "server"), bin, ["generate"]);
  await runProgram(join(folder, "server"), bin, ["check"]);
  assert.match(
    await readFile(join(folder, "server/src/tools/search-notes.ts"), "utf8"),
    'ToolHandler<"search_notes">',
  );
});

/** What the command prints for `--version`, with code that runs before it. */
async function observed(preload: string): Promise<string> {
  await writeFile(join(folder, "observer.cjs"), preload);
  const bin = join(folder, "node_modules/mcpwright/dist/generator/bundle/main.js");
  return runProgram(folder, process.execPath, ["--require", "./observer.cjs", bin, "--version"]);
}

test("mcpwright enables the compile cache of Node.js if there is one", async () => {
  const enable = (result: string): string =>
    `require("node:module").enableCompileCache = (...given) => { console.error("with", given); ${result} };`;
  assert.match(await observed(enable("return { status: 0 }")), "with []");
  assert.not.match(await observed(`delete require("node:module").enableCompileCache;`), "with");
});

test("mcpwright raises the thresholds of V8, by flags that the version of Node.js has", async () => {
  const observer = `const v8 = require("node:v8");
    const { setFlagsFromString } = v8;
    v8.setFlagsFromString = (flag) => { console.error("flag", flag); setFlagsFromString(flag); };`;
  const printed = await observed(observer);
  assert.match(printed, /flag --(interrupt-budget|invocation-count-for-turbofan)=/);
  assert.not.match(printed, "unrecognized");
  const unknown = `Object.defineProperty(process.versions, "node", { value: "99.0.0" });`;
  assert.not.match(await observed(unknown + observer), "flag");
});

test.run();
