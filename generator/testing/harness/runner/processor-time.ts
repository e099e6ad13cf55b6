import { readFileSync } from "node:fs";

/** Clock ticks of Linux in a second, in which `/proc` counts. */
const TICKS = 100;

/** Seconds of processor time that this process and those that it started and that ended have taken; 0 where no `/proc` says so. */
export function processorSeconds(): number {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // The name of the program may hold spaces. The fields `utime`, `stime`, `cutime` and `cstime` are the 12th and on after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / TICKS;
  } catch {
    return 0;
  }
}
