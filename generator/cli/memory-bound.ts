import { Worker } from "node:worker_threads";
import type { Diagnostic } from "../model/diagnostic.js";
import { exitStatus } from "./exit-status.js";
import type { Reporter } from "./report/reporter.js";

/** How much memory a run may need beyond what it has at its start, in bytes. With that, it stays below 1 GB. */
const MAX_GROWTH = 900_000_000;

/**
 * Runs in a thread of its own, since parsing blocks this one. The limits of a document's size, depth and values hold
 * before; this ends the process where they do not suffice.
 */
const watch = `
  const { workerData } = require("node:worker_threads");
  const { writeSync } = require("node:fs");
  const { max, out, err } = workerData;
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (process.memoryUsage.rss() < max) Atomics.wait(never, 0, 0, 20);
  if (err) writeSync(2, err);
  if (out) writeSync(1, out);
  process.kill(process.pid, "SIGKILL");
`;

/**
 * Ends this process by SIGKILL, with a report, if the work needs more memory than it may.
 *
 * @param problem the diagnostic of the report
 * @param growth how much more than now the process may need, in bytes
 */
export async function withinMemory<Result>(
  reporter: Reporter,
  problem: Diagnostic,
  work: () => Promise<Result>,
  growth = MAX_GROWTH,
): Promise<Result> {
  const max = process.memoryUsage.rss() + growth;
  const report = reporter.printed((printer) => {
    printer.diagnostics([problem], new Map());
    printer.document({
      ok: false,
      exitCode: exitStatus.outOfMemory,
      ...printer.counted([problem]),
    });
  });
  const workerData = { max, ...report };
  // Options of this process, such as --input-type, would change what the text of the thread means.
  const thread = new Worker(watch, { eval: true, execArgv: [], workerData });
  thread.unref();
  try {
    return await work();
  } finally {
    await thread.terminate();
  }
}
