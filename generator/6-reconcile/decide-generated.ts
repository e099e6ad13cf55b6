import { conflictMarkersResolved, editedGeneratedFile } from "../model/catalogue/project.js";
import { wholeFile } from "../model/place.js";
import { bytesOf, type GeneratedFile } from "../model/output-file.js";
import { decodeText } from "../text/line-ends.js";
import { conflictSides, hasConflictMarkers } from "./conflict-markers.js";
import { hashContent, haveSameContents } from "./content-hash.js";
import {
  copyPath,
  create,
  inTheWay,
  isPristine,
  keep,
  leave,
  lockEntry,
  remove,
  update,
  withCopy,
  type Decision,
  type Situation,
} from "./decision.js";
import type { LockedFile } from "./lock.js";

/** Class G: a generated file is rewritten at each run, unless a person has edited it. */
export function decideGenerated(file: GeneratedFile, situation: Situation): Decision {
  const { tree, options } = situation;
  const entry = tree.entry(file.path);
  if (entry.kind === "absent") return create(file);
  if (entry.kind !== "file") return inTheWay(file.path, "folder");
  const current = tree.read(file.path);
  const entryNow = lockEntry(file);
  if (file.encoding !== undefined && haveSameContents(current, bytesOf(file))) {
    return leave(file.path, { ...entryNow, hashes: [hashContent(current)] });
  }
  if (isPristine(entryNow, current)) return leave(file.path, entryNow);
  const locked = situation.locked.get(file.path);
  if (isPristine(locked, current)) return update(file, current);
  if (locked === undefined && !options.adopt) return inTheWay(file.path, "file");
  const text = decodeText(current)?.text ?? "";
  const isConflicted = hasConflictMarkers(text);
  const isMerged = isConflicted
    ? conflictSides(text).every((side) => isPristine(locked, Buffer.from(side)))
    : situation.merging && hasOnlyLinesOf(file, current);
  if (isMerged) {
    const diagnostics = [conflictMarkersResolved(wholeFile(file.path), {})];
    return { ...update(file, current), diagnostics };
  }
  const copy = copyPath(tree, file.path, current);
  const replaced = withCopy(update(file, current), copy, current, tree);
  if (situation.merging || isConflicted) {
    const diagnostic = conflictMarkersResolved(wholeFile(file.path), { copy });
    return { ...replaced, diagnostics: [diagnostic] };
  }
  if (options.overwriteEdited) return replaced;
  // Without a lock, an edited file looks the same as one of another version.
  return locked === undefined
    ? keepEdited(file.path, lockEntry(file), "not what would be generated")
    : keepEdited(file.path, locked, "edited by hand");
}

/**
 * True if each line of a file is one that is generated now. After a merge of files whose lines list the items of both sides,
 * that is so in whatever order they stand, and nothing in it is a person's.
 */
function hasOnlyLinesOf(file: GeneratedFile, current: Uint8Array): boolean {
  const text = decodeText(current)?.text;
  const lines = (of: string): string[] =>
    of.split("\n").map((line) => line.trimEnd().replace(/,$/, ""));
  const generated = new Set(lines(file.content));
  return text !== undefined && lines(text).every((line) => generated.has(line));
}

/** Class G: a file that is no longer generated is deleted, unless a person has edited it. */
export function decideStaleGenerated(
  path: string,
  locked: LockedFile,
  { tree, options, merging }: Situation,
): Decision {
  if (tree.entry(path).kind !== "file") return leave(path);
  const current = tree.read(path);
  const deletion = remove(path, "generated", current);
  if (isPristine(locked, current)) return deletion;
  const copy = copyPath(tree, path, current);
  const deleted = withCopy(deletion, copy, current, tree);
  if (merging || hasConflictMarkers(decodeText(current)?.text ?? "")) {
    return { ...deleted, diagnostics: [conflictMarkersResolved(wholeFile(path), { copy })] };
  }
  if (options.overwriteEdited) return deleted;
  return keepEdited(path, locked, "edited, and no longer generated");
}

/** Keeps an edited file. The lock keeps the old hash, so that the file is pristine again if the edit is undone. */
function keepEdited(path: string, locked: LockedFile, reason: string): Decision {
  const kept = keep(path, "generated", reason, locked);
  return { ...kept, diagnostics: [editedGeneratedFile(wholeFile(path), {})] };
}
