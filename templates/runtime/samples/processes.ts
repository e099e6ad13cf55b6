import { readFile } from "node:fs/promises";

/** Whether a process runs; one that nobody has asked for its status yet does not. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return !/\) [ZX]/.test(state);
}
