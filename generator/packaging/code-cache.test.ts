import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { GenerationKind } from "../cli/terminal.js";
import { AROUND_MODULE } from "./code-cache.js";

const root = await mkdtemp(join(tmpdir(), "mcpwright-code-cache-"));
const folder = join(root, "code-cache");
const loader = fileURLToPath(new URL("code-cache.js", import.meta.url));

const command = join(root, "command.cjs");
const text = `${AROUND_MODULE.before}"use strict";
const { join } = require("node:path");
exports.answer = (word) => join(__dirname, word).replace(__filename, "self");
${AROUND_MODULE.after}`;
await writeFile(command, text);

const program = join(root, "program.mjs");
await writeFile(
  program,
  `import { createRequire, syncBuiltinESMExports } from "node:module";
import vm from "node:vm";
const seen = {};
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    seen.took = options.cachedData !== undefined && this.cachedDataRejected === false;
  }
};
syncBuiltinESMExports();
const { loadCached } = await import(${JSON.stringify(`file://${loader}`)});
const [command, folder, ...kinds] = process.argv.slice(2);
const { exports, keepCode } = loadCached(command, folder, createRequire(command));
seen.answer = exports.answer("command.cjs");
keepCode(new Set(kinds));
console.log(JSON.stringify(seen));
`,
);

const test = suite("the cache of compiled code");
test.before.each(() => rm(folder, { recursive: true, force: true }));
test.after(() => rm(root, { recursive: true }));

/** What a process saw that runs the command: whether it took kept code, and the command's answer. */
function run(kinds: readonly GenerationKind[], nodeOptions: readonly string[] = []): object {
  const parameters = [...nodeOptions, "--no-warnings", program, command, folder, ...kinds];
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { encoding: "utf8" });
  assert.equal({ status, stderr }, { status: 0, stderr: "" });
  return JSON.parse(stdout) as object;
}

const compiled = { took: false, answer: "self" };
const taken = { took: true, answer: "self" };

async function onlyFile(): Promise<string> {
  const [name = "", ...others] = await readdir(folder);
  assert.equal(others, []);
  return join(folder, name);
}

test("what a generation compiled is taken by the next process", async () => {
  assert.equal(run(["first"]), compiled);
  await onlyFile();
  assert.equal(run([]), taken);
});

test("a run that generates nothing keeps nothing", async () => {
  assert.equal(run([]), compiled);
  assert.not(await stat(folder).catch(() => undefined));
});

test("it is made once more for each kind of run that it has not seen", async () => {
  const made: number[] = [];
  for (const kind of ["first", "first", "further", "first", "further"] as const) {
    run([kind]);
    made.push((await stat(await onlyFile())).ino);
  }
  const [first, , further] = made;
  assert.equal(made, [first, first, further, further, further]);
  assert.is.not(first, further);
});

test("code whose bytes have changed is not taken, and is made anew", async () => {
  run(["first"]);
  const path = await onlyFile();
  const bytes = await readFile(path);
  const flipped = (index: number): Buffer =>
    Buffer.from(bytes.map((byte, at) => (at === index ? byte ^ 1 : byte)));
  const damaged = [4, 8, bytes.length >> 1, bytes.length - 1].map(flipped);
  const short = [0, 7, bytes.length >> 1].map((end) => bytes.subarray(0, end));
  for (const content of [...damaged, ...short]) {
    await writeFile(path, content);
    assert.equal(run(["first"]), compiled);
  }
  assert.equal(run([]), taken);
});

test("code of another text is not taken", async () => {
  run(["first"]);
  try {
    await writeFile(command, text.replace("self", "other"));
    assert.equal(run([]), { took: false, answer: "other" });
  } finally {
    await writeFile(command, text);
  }
  assert.equal(run([]), taken);
});

test("code that V8 made under other flags is not taken", async () => {
  run(["first"]);
  const path = await onlyFile();
  assert.equal(run(["first"], ["--no-opt"]), compiled);
  const [other = ""] = (await readdir(folder)).filter((name) => !path.endsWith(name));
  await rename(join(folder, other), path);
  assert.equal(run(["first"]), compiled, "V8 refuses it");
  assert.equal(run([]), taken, "it is made anew");
});

test("where nothing can be written, the command runs without", async () => {
  await writeFile(folder, "");
  assert.equal(run(["first"]), compiled);
  assert.is(await readFile(folder, "utf8"), "");
  await rm(folder);
  const isStable = process.allowedNodeEnvironmentFlags.has("--permission");
  const permission = isStable ? "--permission" : "--experimental-permission";
  assert.equal(run(["first"], [permission, "--allow-fs-read=*"]), compiled);
  assert.not(await stat(folder).catch(() => undefined));
});

test("what may be of no use any more does not pile up", async () => {
  await mkdir(folder);
  for (let index = 0; index < 9; index++) await writeFile(join(folder, `old-${index}`), "");
  run(["first"]);
  await onlyFile();
  assert.equal(run([]), taken);
});

test.run();
