import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Makes a folder with a `package.json` under a name that appears only when it is whole. Of several makers at once one
 * makes it.
 */
export async function makeOnce(
  path: string,
  make: (staging: string) => Promise<void>,
): Promise<void> {
  const hasResult = (): boolean => existsSync(join(path, "package.json"));
  const lock = `${path}.lock`;
  await mkdir(dirname(path), { recursive: true });
  while (!hasResult()) {
    if (!(await isTaken(lock))) break;
    await delay(50);
  }
  if (hasResult()) return;
  try {
    const staging = await mkdtemp(`${path}-`);
    await make(staging);
    await rename(staging, path).catch(() => rm(staging, { recursive: true, force: true }));
  } finally {
    await rm(lock, { force: true });
  }
}

/** Takes a lock for this process. @returns whether a process that still runs has it already */
async function isTaken(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: "wx" });
    return false;
  } catch {
    const owner = Number(await readFile(lock, "utf8").catch(() => ""));
    // Between its creation and its content a lock has no owner yet.
    if (owner > 0 && !isRunning(owner)) await rm(lock, { force: true });
    return true;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
