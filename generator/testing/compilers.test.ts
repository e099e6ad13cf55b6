import { mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { installPackage } from "./cached-package.js";
import { copyUserFiles, installShared, mcpwright, runProgram } from "./generated-project.js";

/** Generated code is compiled by its owner's compiler, with its owner's options. */

const packageRoot = fileURLToPath(new URL("../../../", import.meta.url));
const examples = join(packageRoot, "examples/");
const OPTIONS = {
  exactOptionalPropertyTypes: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
};
const VERSIONS = ["5.8.3", "7.0.2"] as const;
/** The first has the handlers of examples/conformance, which name built modules. */
const PROJECTS = ["built-modules", "evolution", "transports"] as const;
const root = await mkdtemp(join(tmpdir(), "mcpwright-compiled-"));
test.after(() => rm(root, { recursive: true, force: true }));

/** An example with all that generating puts into it, and what it depends on. */
async function generated(example: string, name: string): Promise<string> {
  const folder = join(root, name);
  await rename(await copyUserFiles(`${examples}${example}`, name), folder);
  await generate(folder);
  await installShared(folder);
  return folder;
}

async function generate(folder: string): Promise<void> {
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
}

/** Names built modules in a project's handlers, as stubs of 0.1.0 did; returns the sources by their paths. */
async function nameBuiltModules(folder: string): Promise<ReadonlyMap<string, string>> {
  const tools = join(folder, "src/tools");
  const written = new Map<string, string>();
  for (const name of await readdir(tools)) {
    const path = join(tools, name);
    const source = await readFile(path, "utf8");
    written.set(path, source.replaceAll('.ts"', '.js"'));
    assert.is.not(written.get(path), source, name);
    await writeFile(path, written.get(path) ?? "");
  }
  return written;
}

/** What a compiler says of the whole runtime, which has parts that none of the examples gets. */
async function findingsInRuntime(compiler: string): Promise<readonly string[]> {
  const settings = {
    extends: join(packageRoot, "tsconfig.json"),
    compilerOptions: {
      ...OPTIONS,
      noEmit: true,
      rootDir: packageRoot,
      typeRoots: [join(packageRoot, "node_modules/@types")],
    },
    include: [join(packageRoot, "templates/runtime")],
    exclude: [join(packageRoot, "templates/runtime/**/*.test.ts")],
  };
  await writeFile(join(root, "runtime.json"), JSON.stringify(settings));
  return findingsOf(compiler, "runtime.json");
}

async function findingsOf(compiler: string, settings: string): Promise<readonly string[]> {
  const said = await runProgram(root, process.execPath, [compiler, "-p", settings]).catch(
    (error: Error) => error.message,
  );
  return said.match(/^.*error TS.*$/gm) ?? [];
}

/** What a compiler says of some projects, compiled as one program so that it reads packages once. */
async function findings(names: readonly string[], compiler: string): Promise<readonly string[]> {
  const settings = {
    extends: `./${names[0]}/tsconfig.json`,
    compilerOptions: {
      ...OPTIONS,
      noEmit: true,
      rootDir: ".",
      typeRoots: [`./${names[0]}/node_modules/@types`],
    },
    include: names.flatMap((name) => [`${name}/src`, `${name}/test`]),
    exclude: names.map((name) => `${name}/src/removed`),
  };
  await writeFile(join(root, "strict.json"), JSON.stringify(settings));
  return findingsOf(compiler, "strict.json");
}

/** The compiler of a version of TypeScript. */
async function compilerOf(version: (typeof VERSIONS)[number]): Promise<string> {
  return join(await installPackage("typescript", version), "node_modules/typescript/bin/tsc");
}

test(`TypeScript ${VERSIONS.join(" and ")} accept all parts of the runtime under these options`, async () => {
  for (const version of VERSIONS) {
    assert.equal(await findingsInRuntime(await compilerOf(version)), [], version);
  }
});

test(`TypeScript ${VERSIONS.join(" and ")} accept what is generated under the strictest options, and handlers that name built modules`, async () => {
  const [named, ...others] = PROJECTS;
  const former = await generated("conformance", named);
  for (const name of others) await generated(name, name);
  const written = await nameBuiltModules(former);
  await generate(former);
  for (const [path, source] of written) assert.is(await readFile(path, "utf8"), source, path);
  for (const version of VERSIONS) {
    const tsc = await compilerOf(version);
    assert.equal(await findings(PROJECTS, tsc), [], version);
  }
  // A compiler that looked at nothing would find nothing either.
  await writeFile(
    join(root, "evolution/src/tools/wrong.ts"),
    "export const wrong: number = 'text';\n",
  );
  const tsc = await compilerOf(VERSIONS[1]);
  assert.match(
    (await findings(["evolution"], tsc)).join(),
    /evolution\/src\/tools\/wrong\.ts.*TS2322/,
  );
});

test.run();
