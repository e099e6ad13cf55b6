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
      changes: [{ op: "delete", path, owner }],
      operations: [{ kind: "delete", path, before: hashBytes(current) }],
    };
  }
  const removedTo = freeRemovedPath(tree, path);
  return {
    ...leave(path),
    changes: [{ op: "move", from: path, path: removedTo, owner, reason: "its item was removed" }],
    operations: [{ kind: "move", from: path, path: removedTo }],
    removedTo,
  };
}

/** A renamed item's file takes the place at `path` of a file whose item was removed. */
export function displacing(
  decision: Decision,
  path: string,
  occupant: Uint8Array,
  { tree, locked }: Situation,
): Decision {
  const before = hashBytes(occupant);
  const operations = decision.operations.map((operation) =>
    operation.kind === "write" && operation.path === path ? { ...operation, before } : operation,
  );
  const known = locked.get(path);
  if (known === undefined || isPristine(known, occupant)) return { ...decision, operations };
  const removedTo = freeRemovedPath(tree, path);
  const { owner } = known;
  const reason = "its item was removed";
  return {
    ...decision,
    changes: [{ op: "move", from: path, path: removedTo, owner, reason }, ...decision.changes],
    operations: [{ kind: "write", path: removedTo, content: occupant }, ...operations],
    removedTo,
  };
}

/** `src/tools/a.ts` → `src/removed/tools/a.ts`, numbered when that is taken. */
function freeRemovedPath(tree: ProjectTree, path: string): string {
  const place = `src/removed/${path.slice(path.indexOf("/") + 1)}`;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? place : place.replace(/(\.[^./]*)?$/, `.${number}$1`);
    if (tree.entry(candidate).kind !== "file") return candidate;
  }
}
