import { writeSync } from "node:fs";
import { processorSeconds } from "./processor-time.js";
import { endOfFile } from "./test-group.js";

/** Loaded before a test file that has a process of its own: ends its output as `run-test-group.ts` does that of many. */

const started = performance.now();

process.on("exit", (exitCode) => {
  const seconds = (performance.now() - started) / 1_000;
  writeSync(1, `\n${endOfFile({ exitCode, seconds, processorSeconds: processorSeconds() })}\n`);
});
