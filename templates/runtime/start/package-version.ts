import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRootOf } from "./project-root.js";

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
