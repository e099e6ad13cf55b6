import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/**
 * Loaded before a program (`node --import`), it kills the process with SIGKILL before the call of
 * `node:fs` that writes and has the number in the environment's KILL_AT: what `strace` does better, for
 * machines that have none.
 */
const WRITING = [
  "openSync",
  "writeFileSync",
  "writeSync",
  "fchmodSync",
  "renameSync",
  "unlinkSync",
  "mkdirSync",
  "rmdirSync",
  "fsyncSync",
  "closeSync",
] as const;

let left = Number(process.env["KILL_AT"]);
for (const name of WRITING) {
  const call = fs[name] as (...parameters: unknown[]) => unknown;
  const counting = (...parameters: unknown[]): unknown => {
    if (--left === 0) process.kill(process.pid, "SIGKILL");
    return call(...parameters);
  };
  Object.assign(fs, { [name]: counting });
}
syncBuiltinESMExports();
