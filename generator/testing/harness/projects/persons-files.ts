import { isRuntimeFile } from "../../../5-emit/project/runtime-package.js";
import { hashContent } from "../../../6-reconcile/content-hash.js";
import { LOCK_PATH, type Lock, type LockedFile } from "../../../6-reconcile/lock.js";
import { isJsonObject } from "../../../model/json.js";

const NOT_WHOLLY_THEIRS = new Set([LOCK_PATH, "package.json", ".env.example"]);

/**
 * Paths of all that is a person's alone: neither as it was generated, nor merged, nor the lock.
 *
 * @param tree text of each file by its path
 */
export function personsFiles(
  tree: Readonly<Record<string, string>>,
  locked: Lock | undefined,
): string[] {
  return Object.keys(tree).filter((path) => {
    if (NOT_WHOLLY_THEIRS.has(path) || isRuntimeFile(path)) return false;
    const entry = locked?.files.get(path);
    if (baseLinesOf(entry).length > 0) return false;
    return (
      entry === undefined || !entry.hashes.includes(hashContent(Buffer.from(tree[path] ?? "")))
    );
  });
}

/** The lines that were generated of a file that is merged by lines; empty for all others, and if it is its owner's. */
export function baseLinesOf(entry: LockedFile | undefined): readonly string[] {
  const lines = isJsonObject(entry?.base) ? entry.base["lines"] : undefined;
  return Array.isArray(lines) ? lines.map(String) : [];
}
