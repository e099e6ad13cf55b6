import { spawnSync } from "node:child_process";

/** What one run of a program took. */
export interface Cost {
  /** CPU time of the process, in seconds. This is the measure, since the machine may be shared. */
  readonly cpu: number;
  readonly elapsed: number;
  /** Peak of the resident memory, in megabytes. */
  readonly megabytes: number;
}

/** Runs in the process before the program, and reports its resources at the end. */
const report = `process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  console.error("\\nUSED " + (userCPUTime + systemCPUTime) + " " + maxRSS);
})`;

/**
 * Runs a Node.js program in a folder.
 * @throws Error with its output if it fails
 */
export function measured(folder: string, ...parameters: string[]): Cost {
  const preload = `data:text/javascript,${encodeURIComponent(report)}`;
  const started = performance.now();
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--import", preload, ...parameters],
    { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  const elapsed = (performance.now() - started) / 1_000;
  const [, cpu, peak] = /USED (\d+) (\d+)/.exec(stderr) ?? [];
  if (status !== 0 || cpu === undefined) throw new Error(stdout + stderr);
  return { cpu: Number(cpu) / 1e6, elapsed, megabytes: Number(peak) / 1024 };
}
