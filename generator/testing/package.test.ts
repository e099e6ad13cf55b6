import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { emit } from "../5-emit/emit.js";
import { bundle, bundleFolder } from "../packaging/bundle.js";
import { checkedManifest } from "./checked-manifest.js";
import { npm, runProgram } from "./generated-project.js";

const projectRoot = fileURLToPath(new URL("../../../", import.meta.url));

const folder = await mkdtemp(join(tmpdir(), "mcpwright-package-"));
test.after(() => rm(folder, { recursive: true, force: true }));

test("a packed mcpwright, installed elsewhere, makes a project", async () => {
  await bundle();
  const cache = join(bundleFolder, "code-cache");
  await mkdir(cache);
  await writeFile(join(cache, "made-here"), "");
  await npm(projectRoot, "pack", "--pack-destination", folder, "--silent");
  await rm(cache, { recursive: true });
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

/** Says what a process did with kept code, and what it kept itself. */
const observer = `const vm = require("node:vm");
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    console.error(options.cachedData && !this.cachedDataRejected ? "took" : "compiled");
  }
  createCachedData() {
    console.error("kept");
    return super.createCachedData();
  }
};`;

test("it keeps its compiled code beside it, once a run has made or changed a project", async () => {
  const bundled = join(folder, "node_modules/mcpwright/dist/generator/bundle");
  const files = await readdir(join(bundled, "code-cache"));
  assert.is(files.length, 1, "of this Node.js, by the generation before");
  await rm(join(bundled, "code-cache"), { recursive: true });
  await writeFile(join(folder, "observer.cjs"), observer);
  const server = join(folder, "kept");
  await mkdir(server);
  const manifest = join(server, "mcp.yaml");
  await writeFile(manifest, "name: kept\nversion: 1.0.0\ntools: [{ name: t, description: x }]\n");
  const observed = async (...words: string[]): Promise<string> => {
    const parameters = ["--require", "../observer.cjs", join(bundled, "main.js"), ...words];
    return runProgram(server, process.execPath, parameters);
  };
  assert.is(await observed("generate", "--quiet"), "compiled\nkept\n");
  assert.is(await observed("generate", "--quiet"), "took\n");
  await writeFile(manifest, "name: kept\nversion: 1.0.0\ntools: [{ name: t, description: y }]\n");
  assert.is(await observed("generate", "--quiet"), "took\nkept\n");
  assert.is(await observed("check"), "took\n");
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
