import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";

/** The real path of the folder outside of which this process reads and writes no files of people. */
let boundary: string | undefined;

/**
 * Confines this process to a folder: what a command line or a manifest names is not there for it if its real path is outside.
 * mcpwright's own files are not concerned. `mcpwright mcp` has its commands confined by the variable `MCPWRIGHT_ROOT`.
 *
 * @param folder undefined for a process that may read and write what its user may
 */
export function confineTo(folder: string | undefined): void {
  boundary = folder === undefined ? undefined : realPathOf(resolve(folder));
}

/** Whether the process is confined to a folder. */
export const isConfined = (): boolean => boundary !== undefined;

/** Whether a path leads out of the folder that the process is confined to, by itself or through links. */
export function isOutside(path: string): boolean {
  if (boundary === undefined) return false;
  const real = realPathOf(resolve(path));
  return real !== boundary && !real.startsWith(boundary.endsWith(sep) ? boundary : boundary + sep);
}

/** The real path of what is there; of what is not, that of the nearest folder that is there, with the rest. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path));
  }
}
