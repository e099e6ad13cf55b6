import { isRuntimeFile } from "../../../5-emit/project/runtime-package.js";
import { hashContent } from "../../../6-reconcile/content-hash.js";
import { LOCK_PATH, type Lock } from "../../../6-reconcile/lock.js";

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
    return (
      entry === undefined || !entry.hashes.includes(hashContent(Buffer.from(tree[path] ?? "")))
    );
  });
}
