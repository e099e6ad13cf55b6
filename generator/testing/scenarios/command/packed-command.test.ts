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

test("mcpwright enables the compile cache of Node.js if there is one", async () => {
  const observed = async (preload: string): Promise<string> => {
    await writeFile(join(folder, "observer.cjs"), preload);
    const bin = join(folder, "node_modules/mcpwright/dist/generator/bundle/main.js");
    return runProgram(folder, process.execPath, ["--require", "./observer.cjs", bin, "--version"]);
  };
  const enable = (result: string): string =>
    `require("node:module").enableCompileCache = (...given) => { console.error("with", given); ${result} };`;
  assert.match(await observed(enable("return { status: 0 }")), "with []");
  assert.not.match(await observed(`delete require("node:module").enableCompileCache;`), "with");
});

test.run();
