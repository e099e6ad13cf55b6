/** What one test file's process left behind. */
export interface TestRun {
  readonly path: string;
  readonly source: string;
  readonly output: string;
  /** `null` when the process was ended by the time limit. */
  readonly exitCode: number | null;
  readonly seconds: number;
  /** The processor time of the process and of those that it started. */
  readonly processorSeconds: number;
}

export interface TestFileResult {
  readonly path: string;
  readonly passed: number;
  /** At least 1 when there is a problem, so that a broken file can never count as green. */
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly output: string;
  /** Lines that a test printed with the prefix `note: ` or `skipped: `, shown also when it passed. */
  readonly notes: readonly string[];
  readonly problem?: string;
}

/**
 * Reads uvu's summary. Anything is a failure but a clean run with at least one test, where a
 * skipped test counts if the file printed its reason: `skipped: title (reason)`.
 */
export function judgeTestRun(run: TestRun): TestFileResult {
  const plain = run.output.replace(/\x1b\[[0-9;]*m/g, "");
  const count = (label: string): number | undefined => {
    const match = new RegExp(`^\\s*${label}:\\s+(\\d+)$`, "m").exec(plain);
    return match === null ? undefined : Number(match[1]);
  };
  const total = count("Total");
  const passed = count("Passed") ?? 0;
  const skipped = count("Skipped") ?? 0;
  const notes = plain.split("\n").filter((line) => /^(?:note|skipped): /.test(line));
  const reasons = notes.filter((line) => /^skipped: .+ \(.+\)$/.test(line)).length;
  const problem = problemOf(run, { total, passed, skipped, reasons });
  return {
    path: run.path,
    passed,
    failed: problem === undefined ? 0 : Math.max(1, (total ?? 0) - passed),
    skipped,
    seconds: run.seconds,
    processorSeconds: run.processorSeconds,
    output: run.output,
    notes,
    ...(problem !== undefined && { problem }),
  };
}

/** What a file's tests came to, and how many reasons it gave for those that it skipped. */
interface Counts {
  readonly total: number | undefined;
  readonly passed: number;
  readonly skipped: number;
  readonly reasons: number;
}

function problemOf(run: TestRun, { total, passed, skipped, reasons }: Counts): string | undefined {
  if (/\.only\(\s*["'`]/.test(run.source)) return "holds `.only`, which hides its other tests";
  if (run.exitCode === null) return "did not end in time";
  if (total === undefined)
    return `ran no test (exit status ${run.exitCode}); is test.run() missing?`;
  if (reasons < skipped) return `skipped ${skipped} tests and gave ${reasons} reasons`;
  if (total === 0 && skipped === 0) return "ran no test";
  if (passed < total) return `${total - passed} of ${total} failed`;
  if (run.exitCode !== 0) return `passed, but ended with status ${run.exitCode}`;
  return undefined;
}
