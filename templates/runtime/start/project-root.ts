import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The project's folder: the nearest folder above a module that has a `package.json`. It is the same for
 * code in `src/`, in `dist/` and in a bundle. If no folder has one, it is the folder of the module.
 *
 * @param module `import.meta.url` of a module of the project
 */
export function projectRootOf(module: string): string {
  const start = dirname(fileURLToPath(module));
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (dirname(folder) === folder) return start;
  }
}
