import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The project's folder: the nearest one above this module that holds a `package.json`, so the same
 * from `src/`, from `dist/` and from a bundle. Without one, the module's own folder.
 */
export const projectRoot: string = findProjectRoot(dirname(fileURLToPath(import.meta.url)));

function findProjectRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (dirname(folder) === folder) return start;
  }
}
