import { createHash } from "node:crypto";
import { cpSync, existsSync, rmSync } from "node:fs";
import {
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeOnce } from "../runner/make-once.js";
import { outputsOfProjects, type ProjectTests } from "../runner/project-outputs.js";
import { runProgram } from "../runner/programs.js";
import { testCache } from "./installed-packages.js";

/** Builds and tests generated projects as their scripts do, without npm around it and without building anything twice. */

/** What `npm run build` comes to. */
const BUILD = "mcpwright-runtime compile && mcpwright-runtime bundle";
const COMPILE_FIRST = "mcpwright-runtime compile && ";
const TEST = `${COMPILE_FIRST}uvu dist/test "[.]test[.]js(?!.)"`;

/** Several test files run at once, so that more threads for a compiler only cost more. */
const COMPILE = ["--singleThreaded"];

/** Where what is made of sources is kept, each in a folder of its own. */
export const buildsFolder = join(testCache, "builds");

/** Builds that are that old are removed. */
const KEPT_MS = 24 * 60 * 60_000;

/**
 * Compiles a project whose packages are installed, as `npm run build` does first. The same sources with the same packages
 * come out the same, so they are compiled once and copied from then on, for other test files too.
 */
export async function buildProject(folder: string): Promise<void> {
  if ((await scripts(folder))["build"] !== BUILD) throw new Error("an unknown build");
  const dist = join(folder, "dist");
  rmSync(dist, { recursive: true, force: true });
  const built = join(buildsFolder, await sourcesKey(folder));
  await makeOnce(built, async (staging) => {
    await removeOld();
    const compiler = join(folder, "node_modules/typescript/bin/tsc");
    await runProgram(folder, process.execPath, [compiler, ...COMPILE]);
    cpSync(dist, join(staging, "dist"), { recursive: true });
    cpSync(join(folder, "package.json"), join(staging, "package.json"));
  });
  if (!existsSync(dist)) cpSync(join(built, "dist"), dist, { recursive: true });
}

/**
 * Compiles projects whose packages are installed, all with one run of the compiler: most of what it does for a small one is
 * to check the packages' types. Their folders have the same parent, and nothing of it is read or written but them.
 */
export async function buildProjects(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    if ((await scripts(folder))["build"] !== BUILD) throw new Error("an unknown build");
  }
  const [first = ""] = folders;
  const names = folders.map((folder) => basename(folder));
  const staging = await mkdtemp(join(dirname(first), "mcpwright-compiled-"));
  try {
    const config = {
      extends: join(first, "tsconfig.json"),
      compilerOptions: {
        ...{ rootDir: "..", outDir: "." },
        typeRoots: [join(first, "node_modules/@types")],
      },
      include: names.flatMap((name) => [`../${name}/src`, `../${name}/test`]),
      exclude: names.map((name) => `../${name}/src/removed`),
    };
    await writeFile(join(staging, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(first, "node_modules/typescript/bin/tsc");
    await runProgram(staging, process.execPath, [compiler, ...COMPILE]);
    for (const folder of folders) {
      await rm(join(folder, "dist"), { recursive: true, force: true });
      await rename(join(staging, basename(folder)), join(folder, "dist"));
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Patterns of the paths of a project's compiled tests: of all, and of those that a person's handlers start with. */
const ALL_TESTS = "[.]test[.]js(?!.)";
const STARTER_TESTS = `^(?:tools|resources|prompts)/.*${ALL_TESTS}`;

interface TestingOptions {
  /** The Node.js that runs the tests. */
  readonly node?: string;
  /** Projects of which only the starter tests of handlers are run. */
  readonly onlyStarters?: readonly string[];
  /** Projects whose tests are not run. */
  readonly onlyBuilt?: readonly string[];
}

/**
 * Builds and tests projects, as {@link testProject} does each: with one run of the compiler for all, as
 * {@link buildProjects}, and with their tests in one process, one project after the other.
 *
 * @returns what the tests of each printed that were run
 */
export async function testProjects(
  folders: readonly string[],
  { node = process.execPath, onlyStarters = [], onlyBuilt = [] }: TestingOptions = {},
): Promise<string[]> {
  for (const folder of folders) {
    if ((await scripts(folder))["test"] !== TEST) throw new Error(`unknown tests in ${folder}`);
  }
  await buildProjects(folders);
  const program = fileURLToPath(new URL("../runner/run-project-tests.js", import.meta.url));
  const tested = folders.filter((folder) => !onlyBuilt.includes(folder));
  const tests: ProjectTests[] = tested.map((folder) => {
    return { folder, pattern: onlyStarters.includes(folder) ? STARTER_TESTS : ALL_TESTS };
  });
  const output = await runProgram(dirname(folders[0] ?? ""), node, [
    program,
    JSON.stringify(tests),
  ]);
  return outputsOfProjects(output);
}

/** Builds a project and runs its tests, as `npm test` does. Throws with their output if one fails. */
export async function testProject(folder: string): Promise<string> {
  const { test = "" } = await scripts(folder);
  if (!test.startsWith(COMPILE_FIRST)) throw new Error(`unknown tests: ${test}`);
  await buildProject(folder);
  const PATH = `${join(folder, "node_modules/.bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  return runProgram(folder, "sh", ["-c", test.slice(COMPILE_FIRST.length)], { PATH });
}

async function scripts(folder: string): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(join(folder, "package.json"), "utf8");
  return (JSON.parse(text) as { scripts: Record<string, string> }).scripts;
}

async function sourcesKey(folder: string): Promise<string> {
  const names = await Promise.all(
    ["src", "test"].map(async (name) => {
      const below = await readdir(join(folder, name), { recursive: true }).catch(() => []);
      return below
        .filter((path) => /\.[cm]?[jt]sx?$|\.json$/.test(path))
        .map((path) => join(name, path));
    }),
  );
  const hash = createHash("sha256").update(await readlink(join(folder, "node_modules")));
  for (const path of ["package.json", "tsconfig.json", ...names.flat().sort()]) {
    hash.update(`\0${path}\0`).update(await readFile(join(folder, path)));
  }
  return hash.digest("hex").slice(0, 32);
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(buildsFolder)) {
    const path = join(buildsFolder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > KEPT_MS) await rm(path, { recursive: true, force: true });
  }
}
