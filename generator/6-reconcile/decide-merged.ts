import {
  conflictMarkersResolved,
  keyNotAdded,
  mergeConflict,
  mergedFileNotParsable,
} from "../model/catalogue/project.js";
import { wholeFile } from "../model/place.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { MergedFile, ScaffoldFile } from "../model/output-file.js";
import { decodeText, type DecodedText } from "../text/line-ends.js";
import { placeOf } from "../text/text-place.js";
import { hasConflictMarkers, withBothSides } from "./conflict-markers.js";
import {
  create,
  inTheWay,
  leave,
  lockEntry,
  update,
  type Decision,
  type Situation,
} from "./decision.js";
import { fitPackage, type LeftKey } from "./existing-package.js";
import { JsonDocument } from "./json-document.js";
import type { LockedFile } from "./lock.js";
import { generatedBlocks, mergeEnv, type VariableBlocks } from "./merge-env.js";
import { mergeJson, type KeyConflict } from "./merge-json.js";
import { isLaterVersion } from "./version-order.js";

/** Class S: a scaffold is written once, and not again after a person has deleted it. */
export function decideScaffold(file: ScaffoldFile, { tree, locked }: Situation): Decision {
  // A link at this path belongs to the user. Nothing is read or written through it.
  if (tree.isLink(file.path)) return leave(file.path, lockEntry(file));
  const entry = tree.entry(file.path);
  if (entry.kind === "absent" && !locked.has(file.path)) return create(file);
  if (entry.kind === "obstructed") return inTheWay(file.path, "file", locked.get(file.path));
  return leave(file.path, lockEntry(file));
}

/** Class M: changes since the last generation are merged into the user's text. */
export function decideMerged(file: MergedFile, situation: Situation): Decision {
  const { tree } = situation;
  const lockedFile = situation.locked.get(file.path);
  const locked = { ...lockEntry(file), base: baseOf(file) };
  const entry = tree.entry(file.path);
  if (entry.kind === "absent") return create(file, locked);
  if (entry.kind !== "file") return inTheWay(file.path, "folder", lockedFile);
  const current = tree.read(file.path);
  const decoded = decodeText(current);
  const merged = decoded && mergedText(file, lockedFile?.base, decoded);
  if (merged === undefined) return notParsable(file, lockedFile, decoded?.text ?? "");
  const decision =
    merged.text === decoded?.text
      ? leave(file.path, locked)
      : update(file, current, Buffer.from((decoded?.mark ?? "") + merged.text), locked);
  if (file.format === "env" && decoded !== undefined && hasConflictMarkers(decoded.text)) {
    return { ...decision, diagnostics: [conflictMarkersResolved(wholeFile(file.path), {})] };
  }
  return withConflicts(decision, file, {
    ...merged,
    conflicts: merged.conflicts.filter((conflict) => !isAhead(conflict)),
  });
}

function baseOf(file: MergedFile): JsonValue {
  return file.format === "env"
    ? { ...generatedBlocks(file.content) }
    : (JSON.parse(file.content) as JsonValue);
}

interface MergedText {
  readonly text: string;
  readonly conflicts: readonly KeyConflict[];
  readonly left: readonly LeftKey[];
}

function mergedText(
  file: MergedFile,
  base: JsonValue | undefined,
  { text }: DecodedText,
): MergedText | undefined {
  if (file.format === "env") {
    const theirs = hasConflictMarkers(text) ? withBothSides(text) : text;
    return { text: mergeEnv(blocksOf(base), file.content, theirs), conflicts: [], left: [] };
  }
  const former = isJsonObject(base) ? base : undefined;
  const generated = JSON.parse(file.content) as JsonObject;
  const theirs = file.path === "package.json" ? JsonDocument.parse(text)?.value() : undefined;
  const {
    base: fittedBase,
    ours,
    left,
  } = theirs === undefined
    ? { base: former, ours: generated, left: [] }
    : fitPackage(former, generated, theirs);
  const merged = mergeJson(fittedBase ?? {}, ours, text, file.usersKeys);
  return merged && { ...merged, left };
}

/** The blocks of a base. That of an older lock has the names of the variables alone: their blocks then stay. */
function blocksOf(base: JsonValue | undefined): VariableBlocks {
  if (Array.isArray(base)) return Object.fromEntries(base.map((name) => [String(name), ""]));
  return isJsonObject(base) ? (base as VariableBlocks) : {};
}

/** True for a dependency that the user updated to a later version than mcpwright's, which is no conflict. */
function isAhead({ key, theirs, ours }: KeyConflict): boolean {
  if (!/^(dev)?[dD]ependencies\./.test(key)) return false;
  if (typeof theirs !== "string" || typeof ours !== "string") return false;
  return isLaterVersion(theirs.replace(/^[~^]/, ""), ours);
}

function withConflicts(
  decision: Decision,
  { path }: MergedFile,
  { text, conflicts, left }: MergedText,
): Decision {
  if (conflicts.length + left.length === 0) return decision;
  const reason = [
    ...(conflicts.length > 0 ? [`your values stay: ${keysOf(conflicts)}`] : []),
    ...(left.length > 0 ? [`not added: ${keysOf(left)}`] : []),
  ].join("; ");
  return {
    ...decision,
    changes: [...decision.changes, { op: "conflict", path, owner: "merged", reason }],
    shownText: text,
    diagnostics: [
      ...conflicts.map(({ key, at, theirs, ours }) =>
        mergeConflict(at === undefined ? wholeFile(path) : placeOf(path, text, at), {
          key,
          ours: ours === undefined ? "absent" : JSON.stringify(ours),
          isRemoved: theirs === undefined,
        }),
      ),
      ...left.map(({ key, reason: why, ours }) =>
        keyNotAdded(wholeFile(path), { key, reason: why, ours: JSON.stringify(ours) }),
      ),
    ],
  };
}

const keysOf = (list: readonly { readonly key: string }[]): string =>
  list.map(({ key }) => key).join(", ");

/** Keeps a file that cannot be parsed. The lock keeps the old base, so that no change is lost after a repair. */
function notParsable(file: MergedFile, locked: LockedFile | undefined, text: string): Decision {
  const path = file.path;
  const problem = hasConflictMarkers(text) ? "it has conflict markers" : "it cannot be parsed";
  const at = JsonDocument.problemIn(text);
  const place = at === undefined ? wholeFile(path) : placeOf(path, text, at);
  return {
    ...leave(path, locked),
    ...(at !== undefined && { shownText: text }),
    changes: [{ op: "keep", path, owner: "merged", reason: problem }],
    diagnostics: [mergedFileNotParsable(place, { problem })],
  };
}
