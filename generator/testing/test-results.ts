/** What one test file's process left behind. */
export interface TestRun {
  readonly path: string;
  readonly source: string;
  readonly output: string;
  /** `null` when the process was ended by the time limit. */
  readonly exitCode: number | null;
  readonly seconds: number;
}

export interface TestFileResult {
  readonly path: string;
  readonly passed: number;
  /** At least 1 when there is a problem, so that a broken file can never count as green. */
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
  readonly output: string;
  /** Lines that a test printed with the prefix `note: `, shown also when it passed. */
  readonly notes: readonly string[];
  readonly problem?: string;
}

/** Reads uvu's summary; anything but a clean run with at least one test is a failure. */
export function judgeTestRun(run: TestRun): TestFileResult {
  const plain = run.output.replace(/\x1b\[[0-9;]*m/g, "");
  const count = (label: string): number | undefined => {
    const match = new RegExp(`^\\s*${label}:\\s+(\\d+)$`, "m").exec(plain);
    return match === null ? undefined : Number(match[1]);
  };
  const total = count("Total");
  const passed = count("Passed") ?? 0;
  const problem = problemOf(run, total, passed);
  return {
    path: run.path,
    passed,
    failed: problem === undefined ? 0 : Math.max(1, (total ?? 0) - passed),
    skipped: count("Skipped") ?? 0,
    seconds: run.seconds,
    output: run.output,
    notes: plain.split("\n").filter((line) => line.startsWith("note: ")),
    ...(problem !== undefined && { problem }),
  };
}

function problemOf(run: TestRun, total: number | undefined, passed: number): string | undefined {
  if (/\.only\(\s*["'`]/.test(run.source)) return "holds `.only`, which hides its other tests";
  if (run.exitCode === null) return "did not end in time";
  if (total === undefined)
    return `ran no test (exit status ${run.exitCode}); is test.run() missing?`;
  if (total === 0) return "ran no test";
  if (passed < total) return `${total - passed} of ${total} failed`;
  if (run.exitCode !== 0) return `passed, but ended with status ${run.exitCode}`;
  return undefined;
}
