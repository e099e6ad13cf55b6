import { spawn, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";

/** Reads lines that add or remove running process groups, and kills the remaining groups when stdin ends. */
const SCRIPT = `
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => {});
  process.on("SIGHUP", () => {});
  const groups = new Set();
  const lines = require("node:readline").createInterface({ input: process.stdin });
  lines.on("line", (line) => groups[line[0] === "+" ? "add" : "delete"](Number(line.slice(1))));
  lines.on("close", () => {
    for (const group of groups) try { process.kill(-group, "SIGKILL"); } catch {}
  });
`;

let watcher: ChildProcess | undefined;

/**
 * Ensures that a process group ends even if this process is killed. A separate process kills the group then.
 *
 * @param group the id of the group's leader
 */
export function watchGroup(group: number): void {
  watcher ??= startWatcher();
  watcher.stdin?.write(`+${group}\n`);
}

/** Stops watching a group that has ended: the system may use its id again. */
export function forgetGroup(group: number): void {
  watcher?.stdin?.write(`-${group}\n`);
}

function startWatcher(): ChildProcess {
  const child = spawn(process.execPath, ["-e", SCRIPT], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    env: {},
  });
  const clearWatcher = (): void => {
    if (watcher === child) watcher = undefined;
  };
  child.once("error", clearWatcher);
  child.once("exit", clearWatcher);
  child.stdin.on("error", clearWatcher);
  // The server may end while the watcher runs.
  child.unref();
  // On Bun, the input is no socket, and keeps no process alive.
  (child.stdin as Partial<Socket>).unref?.();
  return child;
}
