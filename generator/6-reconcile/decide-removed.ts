import { foreignFile, projectFile } from "../model/catalogue/project.js";
import { hashBytes } from "./content-hash.js";
import { isPristine, leave, type Decision, type Situation } from "./decision.js";
import type { LockedFile } from "./lock.js";
import type { ProjectTree } from "./tree.js";

/** Class H, the item has no handler any more: an untouched stub is deleted, an edited file kept in `src/removed/`. */
export function decideRemovedHandler(
  path: string,
  locked: LockedFile,
  { tree }: Situation,
): Decision {
  if (tree.entry(path).kind !== "file") return leave(path);
  const current = tree.read(path);
  const { owner } = locked;
  if (isPristine(locked, current)) {
    return {
      ...leave(path),
      changes: [
        {
          op: "delete",
          path,
          owner,
          reason: "nobody edited it, and no item needs it any more",
        },
      ],
      operations: [{ kind: "delete", path, before: hashBytes(current) }],
    };
  }
  const removedTo = freeRemovedPath(tree, path);
  if (removedTo === undefined) return stay(path, locked, tree);
  return {
    ...leave(path),
    changes: [
      { op: "move", from: path, path: removedTo, owner, reason: "no item needs it any more" },
    ],
    operations: [{ kind: "move", from: path, path: removedTo }],
    removedTo,
  };
}

/** The same decision where `occupant` is at its path and may be replaced. */
export function replacing(decision: Decision, occupant: Uint8Array): Decision {
  const { path } = decision;
  const written = decision.operations.find(
    (operation) => operation.kind === "write" && operation.path === path,
  );
  if (written?.kind !== "write") return decision;
  const others = decision.operations.filter((operation) => operation !== written);
  const replaces = Buffer.compare(written.content, occupant) !== 0;
  const replaced = { ...written, before: hashBytes(occupant), replaced: occupant };
  return {
    ...decision,
    changes: decision.changes.flatMap((change) =>
      change.op !== "create" ? [change] : replaces ? [{ ...change, op: "update" as const }] : [],
    ),
    operations: replaces ? [replaced, ...others] : others,
  };
}

/** The same decision, where the file at its path belongs to a removed item and is kept elsewhere. */
export function displacing(
  decision: Decision,
  occupant: Uint8Array,
  { tree, locked }: Situation,
): Decision {
  const { path } = decision;
  const lockedFile = locked.get(path);
  if (lockedFile === undefined || isPristine(lockedFile, occupant)) return decision;
  const removedTo = freeRemovedPath(tree, path);
  if (removedTo === undefined) return stay(path, lockedFile, tree);
  const { owner } = lockedFile;
  const reason = "no item needs it any more";
  return {
    ...decision,
    changes: [{ op: "move", from: path, path: removedTo, owner, reason }, ...decision.changes],
    operations: [{ kind: "write", path: removedTo, content: occupant }, ...decision.operations],
    removedTo,
  };
}

/** The file stays, since another file is in the place of the folder of removed handlers. */
function stay(path: string, locked: LockedFile, tree: ProjectTree): Decision {
  const entry = tree.entry(removedPath(path));
  const obstacle = entry.kind === "obstructed" ? entry.by : path;
  return {
    ...leave(path, locked),
    changes: [
      { op: "keep", path, owner: "user", reason: `${obstacle} is in the way of moving it` },
    ],
    diagnostics: [foreignFile(projectFile(obstacle), { found: "file" })],
  };
}

function removedPath(path: string): string {
  return `src/removed/${path.slice(path.indexOf("/") + 1)}`;
}

/** `src/tools/a.ts` → `src/removed/tools/a.ts`, numbered when that is taken; none where a file is in the way of the folder. */
function freeRemovedPath(tree: ProjectTree, path: string): string | undefined {
  const place = removedPath(path);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? place : place.replace(/(\.[^./]*)?$/, `.${number}$1`);
    const { kind } = tree.entry(candidate);
    if (kind === "absent") return candidate;
    if (kind === "obstructed" || kind === "unsafe") return undefined;
  }
}
