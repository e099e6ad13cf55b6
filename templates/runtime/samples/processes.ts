import { readFile } from "node:fs/promises";

/** Whether a process runs. A zombie, whose parent has not read its exit status yet, does not. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return !/\) [ZX]/.test(state);
}
