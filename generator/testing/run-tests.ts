import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { judgeTestRun, type TestFileResult } from "./test-results.js";

/**
 * Runs every `*.test.ts` of the project from its compiled form, one process a file, and fails
 * where uvu alone would pass: a file that ran no test, holds `.only`, or was never compiled.
 *
 *   node dist/generator/testing/run-tests.js [part of a path …]
 */
const projectRoot = fileURLToPath(new URL("../../../", import.meta.url));
const compiledRoot = fileURLToPath(new URL("../../", import.meta.url));
const sourceFolders = ["generator", "templates/runtime"];
/** What has not ended by then hangs, on any machine. */
const testTimeLimit = 60 * 60_000;

/** Files that take longest, parts of whose paths these are: they begin first, so that all end together. */
const LONGEST = [
  "schema/comparison/compare-schemas",
  "hostile-requests.test",
  "served-project",
  "5-emit/injection",
  "testing/readme",
  "end-to-end",
  "guarantees-on-disk",
  "conformance.test",
  "testing/dev.test",
  "testing/faults",
  "soak-server.test",
  "regeneration.test",
  "fast-path/fast-path",
  "handler-check",
  "dev-stdio",
  "7-apply/crashes",
  "testing/package",
  "random-manifests",
  "evolution.test",
  "hostile-project",
];

/** Where a file stands among all: the longest first, then the others by their paths. */
function rankOf(path: string): number {
  const index = LONGEST.findIndex((part) => path.includes(part));
  return index < 0 ? LONGEST.length : index;
}

async function findTestFiles(wanted: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    sourceFolders.map(async (folder) => {
      const entries = await readdir(join(projectRoot, folder), { recursive: true });
      return entries.filter((name) => name.endsWith(".test.ts")).map((name) => join(folder, name));
    }),
  );
  const all = found.flat().sort();
  all.sort((one, other) => rankOf(one) - rankOf(other));
  return wanted.length === 0
    ? all
    : all.filter((path) => wanted.some((part) => path.includes(part)));
}

async function runTestFile(sourcePath: string): Promise<TestFileResult> {
  const source = await readFile(join(projectRoot, sourcePath), "utf8");
  const compiled = join(compiledRoot, sourcePath.replace(/\.ts$/, ".js"));
  const started = process.hrtime.bigint();
  const { output, exitCode } = await runNode(["--enable-source-maps", compiled]);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  return judgeTestRun({ path: sourcePath, source, output, exitCode, seconds });
}

function runNode(parameters: string[]): Promise<{ output: string; exitCode: number | null }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, parameters, { cwd: projectRoot, timeout: testTimeLimit });
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
    `${verdict} ${relative("", result.path)} (${result.passed} passed${skipped}, ${result.seconds.toFixed(1)} s)`,
  );
  for (const note of result.notes) console.log(`     ${note}`);
  if (result.problem !== undefined) console.log(`${result.problem}\n${result.output}`);
}

async function main(): Promise<void> {
  const queue = await findTestFiles(process.argv.slice(2));
  const results: TestFileResult[] = [];
  const worker = async (): Promise<void> => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const result = await runTestFile(path);
      results.push(result);
      report(result);
    }
  };
  // One more than there are processors: some files wait, for limits of time or for what they started.
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker));

  const sum = (count: (result: TestFileResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  const failed = sum((result) => result.failed);
  const skipped = sum((result) => result.skipped);
  console.log(`${sum((result) => result.passed)} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed > 0 || results.length === 0 ? 1 : 0;
}

await main();
