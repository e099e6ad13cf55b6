import type { ChildProcess } from "node:child_process";

/** Sends a signal to a process that leads a group of its own, and to those that it started; nothing where it has ended. */
export function endGroup({ pid }: Pick<ChildProcess, "pid">, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
