import { pathToFileURL } from "node:url";
import { processorSeconds } from "./processor-time.js";
import { endOfFile } from "./test-group.js";

/** Runs some compiled test files one after the other in this process, and ends the output of each with a line of its own. */

declare global {
  /** The list in which uvu keeps the tests of each file. With `UVU_DEFER`, it runs them only when it is called. */
  var UVU_QUEUE: unknown[][];
  var UVU_DEFER: number;
}

globalThis.UVU_DEFER = 1;
const { exec, test } = await import("uvu");

for (const file of process.argv.slice(2)) {
  const started = performance.now();
  const before = processorSeconds();
  globalThis.UVU_QUEUE.splice(0, Infinity, [null]);
  process.exitCode = 0;
  try {
    await import(pathToFileURL(file).href);
    await exec();
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  // What the file declared and did not run, such as a skipped test beside a suite of its own, is no part of the next.
  test.run();
  const seconds = (performance.now() - started) / 1_000;
  const end = {
    exitCode: process.exitCode,
    seconds,
    processorSeconds: processorSeconds() - before,
  };
  console.log(`\n${endOfFile(end)}`);
}
process.exitCode = 0;
// All results are out. What a test left open does not keep the process.
setTimeout(() => process.exit(), 10_000).unref();
