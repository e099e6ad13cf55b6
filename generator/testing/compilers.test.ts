import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { installPackage } from "./cached-package.js";
import { copyUserFiles, installShared, mcpwright, runProgram } from "./generated-project.js";

/** Generated code is compiled by its owner's compiler, with its owner's options. */

const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));
const OPTIONS = {
  exactOptionalPropertyTypes: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
};
const VERSIONS = ["5.8.3", "7.0.2"];
const folders: string[] = [];
test.after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** An example with all that generating puts into it, and what it depends on. */
async function generated(name: string): Promise<string> {
  const folder = await copyUserFiles(`${examples}${name}`, `compiled-${name}`);
  folders.push(folder);
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  return folder;
}

/** What a compiler says of a project. */
async function findings(folder: string, compiler: string): Promise<readonly string[]> {
  const settings = { extends: "./tsconfig.json", compilerOptions: { ...OPTIONS, noEmit: true } };
  await writeFile(join(folder, "strict.json"), JSON.stringify(settings));
  const said = await runProgram(folder, process.execPath, [compiler, "-p", "strict.json"]).catch(
    (error: Error) => error.message,
  );
  return said.match(/^.*error TS.*$/gm) ?? [];
}

for (const name of ["conformance", "evolution", "transports"]) {
  test(`TypeScript ${VERSIONS.join(" and ")} accept what is generated for examples/${name} under the strictest options`, async () => {
    const folder = await generated(name);
    for (const version of VERSIONS) {
      const compiler = await installPackage("typescript", version);
      const tsc = join(compiler, "node_modules/typescript/bin/tsc");
      assert.equal(await findings(folder, tsc), [], version);
    }
  });
}

test("handlers that name built modules, as stubs of 0.1.0 did, are kept as they are and compile", async () => {
  const folder = await generated("conformance");
  const tools = join(folder, "src/tools");
  const written = new Map<string, string>();
  for (const name of await readdir(tools)) {
    const source = await readFile(join(tools, name), "utf8");
    written.set(name, source.replaceAll('.ts"', '.js"'));
    assert.is.not(written.get(name), source, name);
    await writeFile(join(tools, name), written.get(name) ?? "");
  }
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  for (const [name, source] of written)
    assert.is(await readFile(join(tools, name), "utf8"), source, name);
  assert.equal(await findings(folder, join(folder, "node_modules/typescript/bin/tsc")), []);
});

test.run();
