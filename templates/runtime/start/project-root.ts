import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
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

/**
 * True if what a server writes to this path would be lost: the path is relative, so it leads into the project's folder,
 * and the package that installs the server replaces that folder with each version. It stands in `node_modules`, as for
 * `npx` and all package managers, or was unpacked from a bundle for desktop clients, which has `manifest.json`.
 *
 * @param root the project's folder
 */
export function isReplacedByUpdates(root: string, path: string): boolean {
  if (isAbsolute(path)) return false;
  const parent = dirname(root);
  const holder = basename(parent).startsWith("@") ? dirname(parent) : parent;
  const isUnpacked = existsSync(join(root, "manifest.json")) && !existsSync(join(root, "src"));
  return basename(holder) === "node_modules" || isUnpacked;
}

/**
 * The version in the project's `package.json`, which `npm version` changes.
 *
 * @param module `import.meta.url` of a module of the project
 * @throws Error if the file cannot be read or has no version
 */
export function packageVersion(module: string): string {
  return versionIn(join(projectRootOf(module), "package.json"));
}

/** @throws Error if the file cannot be read or has no version */
export function versionIn(path: string): string {
  // Some editors begin the file with a byte-order mark. npm ignores it too.
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  const { version } = JSON.parse(text) as { version?: unknown };
  if (typeof version === "string" && version !== "") return version;
  throw new Error(`${path} has no "version", and the server takes its version from there`);
}
