import { readFileSync } from "node:fs";

/**
 * The folder of mcpwright's own package, with `templates/` and `schemas/`: three levels above this file, and above the
 * bundle that `packaging/bundle.ts` makes of it.
 */
export const packageRoot = new URL("../../../", import.meta.url);

/** The text of a file of the package; `path` is relative to the package's folder. */
export function readPackaged(path: string): string {
  return readFileSync(new URL(path, packageRoot), "utf8");
}
