import {
  conflictMarkersResolved,
  linesConflict,
  textWithMarkers,
} from "../model/catalogue/project.js";
import { wholeFile } from "../model/place.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { MergedFile } from "../model/output-file.js";
import { isJsonObject } from "../model/json.js";
import { decodeText, lineEndOf } from "../text/line-ends.js";
import { placeOf } from "../text/text-place.js";
import { conflictSides, hasConflictMarkers } from "./conflict-markers.js";
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
import { linesOf, mergeLines, type LineConflict } from "./merge-lines.js";

/** A file that is merged line by line. */
type TextFile = MergedFile & { readonly format: "text" };

export function isText(file: MergedFile): file is TextFile {
  return file.format === "text";
}

/** Class M, text: made anew until a person edits it; then changes since the last generation are merged, line by line. */
export function decideText(file: TextFile, situation: Situation): Decision {
  const { tree, locked } = situation;
  const { path } = file;
  const former = locked.get(path);
  // A link at this path belongs to the user. Nothing is read or written through it.
  if (tree.isLink(path)) return leave(path, ownersEntry(file));
  const entry = tree.entry(path);
  if (entry.kind === "absent") {
    return former === undefined ? create(file, textEntry(file)) : leave(path, textEntry(file));
  }
  if (entry.kind !== "file") {
    return inTheWay(path, entry.kind === "folder" ? "folder" : "file", former);
  }
  const current = tree.read(path);
  if (isPristine(lockEntry(file), current)) return leave(path, textEntry(file));
  if (isPristine(former, current)) return madeAnew(file, current);
  return decideEdited(file, former, current, situation);
}

/** The lock entry of a file that is merged: the lines as generated are the base of the next merge. */
function textEntry(file: TextFile): LockedFile {
  return { ...lockEntry(file), base: { lines: linesOf(file.content) } };
}

/** The lock entry of a file that is its owner's alone. */
function ownersEntry(file: TextFile): LockedFile {
  return { ...lockEntry(file), base: { lines: [] } };
}

/** The lines that were generated; undefined if the lock does not have them. */
function baseIn(locked: LockedFile | undefined): readonly string[] | undefined {
  const lines = isJsonObject(locked?.base) ? locked.base["lines"] : undefined;
  return Array.isArray(lines) ? lines.map(String) : undefined;
}

function madeAnew(file: TextFile, current: Uint8Array): Decision {
  const lineEnd = lineEndOf(decodeText(current)?.text ?? "");
  const content = Buffer.from(file.content.replaceAll("\n", lineEnd));
  return update(file, current, content, textEntry(file));
}

function decideEdited(
  file: TextFile,
  former: LockedFile | undefined,
  current: Uint8Array,
  situation: Situation,
): Decision {
  const { path } = file;
  const decoded = decodeText(current);
  const base = baseIn(former);
  if (base?.length === 0) return leave(path, ownersEntry(file));
  if (decoded === undefined) return replacedByOwner(file);
  if (hasConflictMarkers(decoded.text)) return decideMarked(file, former, current, situation);
  const ours = linesOf(file.content);
  const { text, conflicts, isReplaced } = mergeLines(base ?? ours, ours, decoded.text);
  if (isReplaced && (base === undefined || conflicts.length > 0)) {
    return base === undefined && file.mayPrecede === true
      ? leave(path, ownersEntry(file))
      : replacedByOwner(file);
  }
  const isChanged = text !== decoded.text;
  const decision = isChanged
    ? update(file, current, Buffer.from(decoded.mark + text), textEntry(file))
    : leave(path, textEntry(file));
  return withLineConflicts(decision, file, text, conflicts);
}

/** A file that has nothing of what was generated: it is said once, and then the file is its owner's. */
function replacedByOwner(file: TextFile): Decision {
  const { path } = file;
  const reason = "yours, with nothing of what is generated";
  return {
    ...leave(path, ownersEntry(file)),
    changes: [{ op: "conflict", path, owner: "merged", reason }],
    diagnostics: [linesConflict(wholeFile(path), { ours: linesOf(file.content), isWhole: true })],
  };
}

/** Conflict markers between two generated texts are resolved by generating; others are the user's to resolve. */
function decideMarked(
  file: TextFile,
  former: LockedFile | undefined,
  current: Uint8Array,
  { tree }: Situation,
): Decision {
  const { path } = file;
  const sides = conflictSides(decodeText(current)?.text ?? "");
  const isGenerated = sides.every((side) => isPristine(former, Buffer.from(side)));
  if (isGenerated) {
    const copy = copyPath(tree, path, current);
    const decision = withCopy(madeAnew(file, current), copy, current, tree);
    return { ...decision, diagnostics: [conflictMarkersResolved(wholeFile(path), { copy })] };
  }
  const kept = keep(path, "merged", "it has conflict markers", former);
  return { ...kept, diagnostics: [textWithMarkers(wholeFile(path), {})] };
}

function withLineConflicts(
  decision: Decision,
  { path }: TextFile,
  text: string,
  conflicts: readonly LineConflict[],
): Decision {
  if (conflicts.length === 0) return decision;
  const reason = `your lines stay: ${conflicts.map(inWords).join(", ")}`;
  return {
    ...decision,
    changes: [...decision.changes, { op: "conflict", path, owner: "merged", reason }],
    shownText: text,
    diagnostics: conflicts.map(({ at, ours }): Diagnostic =>
      linesConflict(placeOf(path, text, at), { ours, isWhole: false }),
    ),
  };
}

function inWords({ lines: [first, last] }: LineConflict): string {
  if (last < first) return `what you removed before ${first}`;
  return last === first ? String(first) : `${first}–${last}`;
}

/** A file that is no longer generated: deleted, unless a person has edited it; then it is theirs. */
export function decideStaleText(path: string, locked: LockedFile, { tree }: Situation): Decision {
  if (tree.isLink(path) || tree.entry(path).kind !== "file") return leave(path);
  const current = tree.read(path);
  if (baseIn(locked)?.length === 0) return leave(path);
  return isPristine(locked, current)
    ? remove(path, "merged", current)
    : keep(path, "merged", "edited, and no longer generated: yours");
}

/** True for the lock entry of a file that is merged line by line. */
export function isLockedText(locked: LockedFile): boolean {
  return locked.owner === "merged" && baseIn(locked) !== undefined;
}
