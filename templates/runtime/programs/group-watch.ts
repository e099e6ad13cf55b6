import { spawn, type ChildProcess } from "node:child_process";

/** Reads which groups run, a line each, and ends them when there is nothing more to read. */
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

let watch: ChildProcess | undefined;

/**
 * Has a process group end when this process is killed, and can do nothing about it itself: a process that outlives
 * it by a moment does it.
 */
export function watchGroup(group: number): void {
  watch ??= startWatch();
  watch.stdin?.write(`+${group}\n`);
}

/** The group has ended: its number may soon be another's. */
export function forgetGroup(group: number): void {
  watch?.stdin?.write(`-${group}\n`);
}

function startWatch(): ChildProcess {
  const started = spawn(process.execPath, ["-e", SCRIPT], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    env: {},
  });
  const end = (): void => {
    if (watch === started) watch = undefined;
  };
  started.once("error", end);
  started.once("exit", end);
  started.stdin.on("error", end);
  // The server may end while it runs.
  started.unref();
  (started.stdin as unknown as { unref(): void }).unref();
  return started;
}
