import type { OutputFile } from "../model/output-file.js";
import type { Situation } from "./decision.js";
import type { UserFile } from "./handler-history.js";
import { isUnchanged } from "./is-current.js";
import type { LockedFile } from "./lock.js";

/**
 * The handlers and starter tests, by path with their entries in the lock, on which there is nothing to
 * decide, found out without asking how they came to be where they are: they would be generated as they
 * were, and are in their places, ready for use. That holds while no other file of a person moves.
 */
export function settledFiles(
  files: readonly OutputFile[],
  situation: Situation,
): ReadonlyMap<string, LockedFile> {
  const settled = new Map<string, LockedFile>();
  if (situation.merging || situation.renames.size > 0) return settled;
  for (const file of files) {
    const locked = situation.locked.get(file.path);
    if (locked === undefined || !isAsLocked(file, locked)) continue;
    if (situation.tree.differentlyCased(file.path) !== undefined) continue;
    if (isUnchanged(file.path, locked, situation.tree)) settled.set(file.path, locked);
  }
  return settled;
}

function isAsLocked(file: OutputFile, locked: LockedFile): file is UserFile {
  if (file.owner !== "handler" && file.owner !== "starter-test") return false;
  const exportName = file.owner === "handler" ? file.exportName : undefined;
  return (
    file.owner === locked.owner &&
    file.item === locked.item &&
    exportName === locked.exportName &&
    locked.hashes.length === 1 &&
    locked.hashes[0] === file.hash
  );
}
