import type { ChildProcess } from "node:child_process";

/**
 * Sends a signal to a process that leads a process group, and to the processes that it started. Does nothing if it
 * has ended. On Windows, only the process itself gets the signal.
 */
export function endGroup({ pid }: Pick<ChildProcess, "pid">, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
