import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../text/package-root.js";
import { outputsOf } from "./harness/runner/test-group.js";
import { judgeTestRun, type TestFileResult, type TestRun } from "./harness/runner/test-results.js";

/**
 * Runs every `*.test.ts` of the project from its compiled form, and fails where uvu alone would pass: a file that ran
 * no test, holds `.only`, or was never compiled. `npm run test:long` alone runs `*.long.test.ts`. Files share processes, but
 * for those that look at their own process.
 *
 *   node dist/generator/testing/run-tests.js [part of a path …]
 */
const projectRoot = fileURLToPath(packageRoot);
const compiledRoot = fileURLToPath(new URL("dist/", packageRoot));
const sourceFolders = ["generator", "templates/runtime"];
const isLongRun = process.env["TEST_LENGTH"] === "long";
/** A file that has not ended by then hangs, on any machine. */
const testTimeLimit = (isLongRun ? 60 : 10) * 60_000;

/** Compilers of tests, which are written in Go, end before it pays to collect garbage, unless they need a gigabyte. */
const env = { ...process.env, GOGC: "off", GOMEMLIMIT: "1GiB" };

/** The number of files that run at the same time: one more than the processors, since some files wait for processes. */
const WORKERS = Number(process.env["TEST_WORKERS"] ?? availableParallelism() + 1);

/**
 * Files that have a process of their own, parts of whose paths these are: they measure time or memory. Where a test before
 * them has used an `AsyncLocalStorage`, promises cost several times as much on Node.js 20.
 */
const ALONE = [
  "hostile-requests.test",
  "scenarios/serving/replicated-faults",
  "soak-server.long.test",
  "large-lists",
  "runtime/scale/replicas.test",
];

/** Files that take longest: they begin first, so that all end together. */
const LONGEST = [
  ...ALONE,
  "scenarios/publishing/new-project",
  "scenarios/publishing/compilers",
  "scenarios/command/package.test",
  "scenarios/import/import-servers",
  "guarantees-on-disk",
  "scenarios/bodies/sql-bodies",
  "scenarios/import/import-proxies",
  "scenarios/serving/end-to-end",
  "scenarios/serving/served-project",
  "scenarios/bodies/http-bodies",
  "scenarios/command/faults",
  "conformance",
  "scenarios/dev/",
  "scenarios/page/page",
  "evolution.test",
  "directory-bodies",
  "exec-bodies",
  "former-bodies",
  "scenarios/import/import.test",
  "schema/comparison/compare-schemas",
  "5-emit/injection",
  "7-apply/crashes",
  "start/start.test",
];

/** Returns the rank of a file: the longest first, then the others by their paths. */
function rankOf(path: string): number {
  const index = LONGEST.findIndex((part) => path.includes(part));
  return index < 0 ? LONGEST.length : index;
}

/** Whether a file has tests, of this length. */
function isTried(name: string): boolean {
  return name.endsWith(".test.ts") && (isLongRun || !name.endsWith(".long.test.ts"));
}

async function findTestFiles(wanted: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    sourceFolders.map(async (folder) => {
      const entries = await readdir(join(projectRoot, folder), { recursive: true });
      return entries.filter(isTried).map((name) => join(folder, name));
    }),
  );
  const all = found.flat().sort();
  all.sort((one, other) => rankOf(one) - rankOf(other));
  return wanted.length === 0
    ? all
    : all.filter((path) => wanted.some((part) => path.includes(part)));
}

/** How many files share a process at most, of the longest and of the others. */
const GROUP_SIZES = { longest: 8, others: 45 };

/**
 * Returns groups of files that are run by one process each, in the order in which they begin. To load the compiler and
 * to have V8 compile its code takes longer than most of the tests.
 */
function groupsOf(paths: readonly string[]): string[][] {
  const isAlone = (path: string): boolean => ALONE.some((part) => path.includes(part));
  const isLong = (path: string): boolean => rankOf(path) < LONGEST.length;
  const longest = paths.filter((path) => isLong(path) && !isAlone(path));
  const others = paths.filter((path) => !isLong(path));
  return [
    ...paths.filter(isAlone).map((path) => [path]),
    ...divided(longest, GROUP_SIZES.longest),
    ...divided(others, GROUP_SIZES.others),
  ];
}

/** Divides files into groups of a size at most, and into as many as can run at once where there are few. */
function divided(paths: readonly string[], most: number): string[][] {
  const size = Math.max(1, Math.min(most, Math.ceil(paths.length / WORKERS)));
  return Array.from({ length: Math.ceil(paths.length / size) }, (_, index) =>
    paths.slice(index * size, (index + 1) * size),
  );
}

async function runGroup(paths: readonly string[]): Promise<TestFileResult[]> {
  if (paths.length === 1) return Promise.all(paths.map(runTestFile));
  const program = fileURLToPath(new URL("./harness/runner/run-test-group.js", import.meta.url));
  const parameters = ["--enable-source-maps", program, ...paths.map(compiledOf)];
  const { output } = await runNode(parameters, paths.length * testTimeLimit);
  const ended = outputsOf(output);
  return Promise.all(
    paths.map(async (path, index) => {
      const own = ended[index];
      // The process ended early: those that it did not come to are run alone.
      return own === undefined ? runTestFile(path) : judged(path, own);
    }),
  );
}

async function runTestFile(path: string): Promise<TestFileResult> {
  const started = process.hrtime.bigint();
  const report = new URL("./harness/runner/report-processor-time.js", import.meta.url).href;
  const parameters = ["--enable-source-maps", "--import", report, compiledOf(path)];
  const run = await runNode(parameters, testTimeLimit);
  const processorSeconds = outputsOf(run.output)[0]?.processorSeconds ?? 0;
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  return judged(path, { ...run, seconds, processorSeconds });
}

function compiledOf(path: string): string {
  return join(compiledRoot, path.replace(/\.ts$/, ".js"));
}

async function judged(
  path: string,
  run: Omit<TestRun, "path" | "source">,
): Promise<TestFileResult> {
  return judgeTestRun({ path, source: await readFile(join(projectRoot, path), "utf8"), ...run });
}

function runNode(
  parameters: string[],
  timeout: number,
): Promise<{ output: string; exitCode: number | null }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, parameters, {
      cwd: projectRoot,
      env,
      timeout,
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("close", (exitCode) => resolve({ output, exitCode }));
  });
}

function report(result: TestFileResult): void {
  const verdict = result.problem === undefined ? "ok  " : "FAIL";
  const skipped = result.skipped > 0 ? `, ${result.skipped} skipped` : "";
  console.log(
    `${verdict} ${relative("", result.path)} (${result.passed} passed${skipped}, ${result.seconds.toFixed(1)} s, ${result.processorSeconds.toFixed(1)} s CPU)`,
  );
  for (const note of result.notes) console.log(`     ${note}`);
  if (result.problem !== undefined) console.log(`${result.problem}\n${result.output}`);
}

async function main(): Promise<void> {
  const queue = groupsOf(await findTestFiles(process.argv.slice(2)));
  const results: TestFileResult[] = [];
  const worker = async (): Promise<void> => {
    for (let group = queue.shift(); group !== undefined; group = queue.shift()) {
      for (const result of await runGroup(group)) {
        results.push(result);
        report(result);
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));

  const sum = (count: (result: TestFileResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  if (results.length === 0) {
    console.log("no file is meant; those that end in .long.test.ts need TEST_LENGTH=long");
  }
  const failed = sum((result) => result.failed);
  const skipped = sum((result) => result.skipped);
  console.log(`${sum((result) => result.passed)} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed > 0 || results.length === 0 ? 1 : 0;
}

await main();
