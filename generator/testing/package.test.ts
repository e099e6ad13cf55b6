import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { emit } from "../5-emit/emit.js";
import { bundle } from "../packaging/bundle.js";
import { checkedManifest } from "./checked-manifest.js";
import { npm, runProgram } from "./generated-project.js";

const projectRoot = fileURLToPath(new URL("../../../", import.meta.url));

const folder = await mkdtemp(join(tmpdir(), "mcpwright-package-"));
test.after(() => rm(folder, { recursive: true, force: true }));

test("a packed mcpwright, installed elsewhere, makes a project", async () => {
  await bundle();
  await npm(projectRoot, "pack", "--pack-destination", folder, "--silent");
  const [tarball = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  await writeFile(join(folder, "package.json"), '{ "private": true }');
  const quiet = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await npm(folder, "install", `./${tarball}`, ...quiet);

  const bin = join(folder, "node_modules/.bin/mcpwright");
  const { version } = JSON.parse(await readFile(join(projectRoot, "package.json"), "utf8")) as {
    version: string;
  };
  assert.is((await runProgram(folder, bin, ["--version"])).trim(), version);
  await runProgram(folder, bin, ["init", "server", "--template", "full"]);
  await runProgram(join(folder, "server"), bin, ["generate"]);
  await runProgram(join(folder, "server"), bin, ["check"]);
  assert.match(
    await readFile(join(folder, "server/src/tools/search-notes.ts"), "utf8"),
    'ToolHandler<"search_notes">',
  );
});

test("it has Node.js keep its compiled code, where Node.js can", async () => {
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

test("it generates the same bytes as the modules that it was bundled from", async () => {
  const bin = join(folder, "node_modules/.bin/mcpwright");
  const examples = await readdir(join(projectRoot, "examples"));
  for (const example of examples) {
    const server = join(folder, example);
    await mkdir(server);
    const manifest = await readFile(join(projectRoot, "examples", example, "mcp.yaml"), "utf8");
    await writeFile(join(server, "mcp.yaml"), manifest);
    await runProgram(server, bin, ["generate"]);
    for (const { path, content } of await emit(checkedManifest(manifest).model)) {
      assert.is(await readFile(join(server, path), "utf8"), content, `${example}: ${path}`);
    }
  }
});

test("it carries the licences of what is bundled", async () => {
  const bundled = join(folder, "node_modules/mcpwright/dist/generator/bundle/LICENCES.txt");
  const text = await readFile(bundled, "utf8");
  for (const name of ["yaml", "ajv", "handlebars"])
    assert.match(text, new RegExp(`^${name} `, "m"));
});

test("the package holds no tests, fixtures or maps", async () => {
  const installed = await readdir(join(folder, "node_modules/mcpwright"), { recursive: true });
  const strangers = installed.filter((path) =>
    /\.test\.|\.map$|fixtures|testing\/|samples/.test(path),
  );
  assert.equal(
    strangers.filter((path) => !/^templates\/runtime\/(testing|suite)\//.test(path)),
    [],
  );
});

test.run();
