import { foreignFile } from "../model/catalogue/project.js";
import { wholeFile } from "../model/place.js";
import { isCustomTransport } from "../model/output-file.js";
import { hashBytes } from "./content-hash.js";
import { isPristine, keep, leave, remove, type Decision, type Situation } from "./decision.js";
import type { LockedFile } from "./lock.js";
import type { ProjectTree } from "./tree.js";

/** Class H, a file that no item needs: an untouched stub is deleted, and an edited file moves to `src/removed/`. */
export function decideRemovedHandler(
  path: string,
  locked: LockedFile,
  situation: Situation,
): Decision {
  const { tree } = situation;
  if (tree.entry(path).kind !== "file") return leave(path);
  const reason = reasonOf(locked, situation);
  const current = tree.read(path);
  const { owner } = locked;
  if (isPristine(locked, current)) {
    return remove(path, owner, current, `nobody edited it, and ${reason}`);
  }
  const removedTo = freeRemovedPath(tree, path);
  if (removedTo === undefined) return stay(path, locked, tree);
  return {
    ...leave(path),
    changes: [{ op: "move", from: path, path: removedTo, owner, reason }],
    operations: [{ kind: "move", from: path, path: removedTo }],
    removedTo,
  };
}

/** Why no item needs the file: the manifest says what it did, or its item or transport is gone. */
function reasonOf({ owner, item }: LockedFile, { manifestCode }: Situation): string {
  if (isCustomTransport(item)) return "its transport left the manifest";
  const subject = owner === "handler" ? "it" : "the handler";
  switch (item && manifestCode.get(item)) {
    case "body":
      return `the body of its item now says what ${subject} did`;
    case "answer":
      return "the manifest now has the answer of its item";
    default:
      return "no item needs it any more";
  }
}

/** The same decision, but it may replace `occupant`, the file at its path. */
export function replaceOccupant(decision: Decision, occupant: Uint8Array): Decision {
  const { path } = decision;
  const write = decision.operations.find(
    (operation) => operation.kind === "write" && operation.path === path,
  );
  if (write?.kind !== "write") return decision;
  const others = decision.operations.filter((operation) => operation !== write);
  const replaces = Buffer.compare(write.content, occupant) !== 0;
  const replacement = { ...write, before: hashBytes(occupant), replaced: occupant };
  return {
    ...decision,
    changes: decision.changes.flatMap((change) =>
      change.op !== "create" ? [change] : replaces ? [{ ...change, op: "update" as const }] : [],
    ),
    operations: replaces ? [replacement, ...others] : others,
  };
}

/** The same decision, but `occupant`, the file at its path, belongs to a removed item and moves elsewhere. */
export function moveOccupantAway(
  decision: Decision,
  occupant: Uint8Array,
  situation: Situation,
): Decision {
  const { tree, locked } = situation;
  const { path } = decision;
  const lockedFile = locked.get(path);
  if (lockedFile === undefined || isPristine(lockedFile, occupant)) return decision;
  const removedTo = freeRemovedPath(tree, path);
  if (removedTo === undefined) return stay(path, lockedFile, tree);
  const { owner } = lockedFile;
  const reason = reasonOf(lockedFile, situation);
  return {
    ...decision,
    changes: [{ op: "move", from: path, path: removedTo, owner, reason }, ...decision.changes],
    operations: [{ kind: "write", path: removedTo, content: occupant }, ...decision.operations],
    removedTo,
  };
}

/** The file stays, since another file has the path of the folder of removed handlers. */
function stay(path: string, locked: LockedFile, tree: ProjectTree): Decision {
  const entry = tree.entry(removedPath(path));
  const obstacle = entry.kind === "obstructed" ? entry.by : path;
  const kept = keep(path, "user", `${obstacle} is in the way of moving it`, locked);
  return { ...kept, diagnostics: [foreignFile(wholeFile(obstacle), { found: "file" })] };
}

/** The number in a path of `freeRemovedPath`. A file that is removed later has a higher one. */
export function removalNumber(removed: string): number {
  return Number(/\.(\d+)(?:\.[^./]*)?$/.exec(removed)?.[1] ?? 1);
}

function removedPath(path: string): string {
  return `src/removed/${path.slice(path.indexOf("/") + 1)}`;
}

/**
 * `src/tools/a.ts` → `src/removed/tools/a.ts`, or the next numbered path that is free. Undefined if a file has the
 * path of the folder.
 */
function freeRemovedPath(tree: ProjectTree, path: string): string | undefined {
  const preferred = removedPath(path);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? preferred : preferred.replace(/(\.[^./]*)?$/, `.${number}$1`);
    const { kind } = tree.entry(candidate);
    if (kind === "absent") return candidate;
    if (kind === "obstructed" || kind === "unsafe") return undefined;
  }
}
