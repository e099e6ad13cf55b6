import { handlerNotParsable, projectFile } from "../model/catalogue/project.js";
import type { HandlerFile, ItemId, StarterTestFile } from "../model/output-file.js";
import { hashBytes } from "./content-hash.js";
import { decodeText } from "../text/line-ends.js";
import {
  create,
  inTheWay,
  isPristine,
  leave,
  lockEntry,
  update,
  type Decision,
  type HandlerMove,
  type Situation,
} from "./decision.js";
import type { LockedFile, RemovedFile } from "./lock.js";
import type { ProjectTree } from "./tree.js";

type UserFile = HandlerFile | StarterTestFile;

/** Finds the files of an item by owner and id. */
class ItemFiles<Entry extends LockedFile | RemovedFile> {
  private readonly paths = new Map<string, string>();

  constructor(private readonly entries: ReadonlyMap<string, Entry>) {
    for (const [path, { owner, item }] of entries) {
      if (item !== undefined) this.paths.set(`${owner} ${item}`, path);
    }
  }

  find(owner: UserFile["owner"], item: ItemId): { path: string; entry: Entry } | undefined {
    const path = this.paths.get(`${owner} ${item}`);
    const entry = path === undefined ? undefined : this.entries.get(path);
    return path === undefined || entry === undefined ? undefined : { path, entry };
  }
}

/** Class H: a stub until its first edit, then the user's. */
export class HandlerRule {
  private readonly lockedFiles: ItemFiles<LockedFile>;
  private readonly removedFiles: ItemFiles<RemovedFile>;

  constructor(private readonly situation: Situation) {
    this.lockedFiles = new ItemFiles(situation.locked);
    this.removedFiles = new ItemFiles(situation.removed);
  }

  decide(file: UserFile): Decision {
    const entry = this.situation.tree.entry(file.path);
    const former = this.former(file);
    if (entry.kind === "file") {
      return former?.path === file.path ? this.renameInPlace(file, former.entry) : this.stay(file);
    }
    if (entry.kind !== "absent") return inTheWay(file.path, "folder");
    if (former !== undefined) return this.follow(file, former.path, former.entry);
    return this.bringBack(file) ?? this.make(file);
  }

  /** The file under the item's former name, or at the path that the item had before. */
  private former(file: UserFile): { path: string; entry: LockedFile } | undefined {
    const renamedFrom = this.situation.renames.get(file.item);
    const own = this.lockedFiles.find(file.owner, file.item);
    const found = own ?? (renamedFrom && this.lockedFiles.find(file.owner, renamedFrom));
    if (found === undefined || (found.path === file.path && found === own)) return undefined;
    return this.situation.tree.entry(found.path).kind === "file" ? found : undefined;
  }

  /** An untouched stub follows the generator; anything else is the user's. */
  private stay(file: UserFile): Decision {
    const locked = this.situation.locked.get(file.path);
    const entry = lockEntry(file);
    if (locked === undefined || locked.hashes.includes(entry.hashes[0] ?? "")) {
      return leave(file.path, entry);
    }
    const current = this.situation.tree.read(file.path);
    return isPristine(locked, current) ? update(file, current) : leave(file.path, entry);
  }

  private renameInPlace(file: UserFile, locked: LockedFile): Decision {
    const current = this.situation.tree.read(file.path);
    if (isPristine(locked, current)) return update(file, current);
    const moved = this.moved(file, file.path, locked, current);
    return moved === undefined
      ? unparsable(moveOf(file, file.path, locked), locked)
      : update(file, current, moved);
  }

  /** The file moves with its item: a stub is made again, an edited one is adapted by splices. */
  private follow(file: UserFile, from: string, locked: LockedFile): Decision {
    const current = this.situation.tree.read(from);
    if (isPristine(locked, current)) return create(file);
    const moved = this.moved(file, from, locked, current);
    if (moved === undefined) return unparsable(moveOf(file, from, locked), locked);
    return {
      ...leave(file.path, lockEntry(file)),
      changes: [{ op: "move", from, path: file.path, owner: file.owner }],
      operations: [
        { kind: "write", path: file.path, content: Buffer.from(moved) },
        { kind: "delete", path: from, before: hashBytes(current) },
      ],
      claims: from,
    };
  }

  private moved(
    file: UserFile,
    from: string,
    locked: LockedFile,
    current: Uint8Array,
  ): string | undefined {
    const source = decodeText(current);
    if (source === undefined) return undefined;
    const text = this.situation.moveHandler(source.text, moveOf(file, from, locked));
    return text === undefined ? undefined : source.mark + text;
  }

  /** The item returned: so does its file, from `src/removed/`. */
  private bringBack(file: UserFile): Decision | undefined {
    const removed = this.removedFiles.find(file.owner, file.item);
    if (removed === undefined) return undefined;
    if (this.situation.tree.entry(removed.path).kind !== "file") return undefined;
    return {
      ...leave(file.path, lockEntry(file)),
      changes: [{ op: "move", from: removed.path, path: file.path, owner: file.owner }],
      operations: [{ kind: "move", from: removed.path, path: file.path }],
      claims: removed.path,
    };
  }

  /** A deleted handler is made again, since the project needs one; a deleted starter test is not. */
  private make(file: UserFile): Decision {
    const known = this.situation.locked.has(file.path);
    return known && file.owner === "starter-test"
      ? leave(file.path, lockEntry(file))
      : create(file);
  }
}

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

/** `src/tools/a.ts` → `src/removed/tools/a.ts`, numbered when that is taken. */
function freeRemovedPath(tree: ProjectTree, path: string): string {
  const place = `src/removed/${path.slice(path.indexOf("/") + 1)}`;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? place : place.replace(/(\.[^./]*)?$/, `.${number}$1`);
    if (tree.entry(candidate).kind !== "file") return candidate;
  }
}

function moveOf(file: UserFile, from: string, locked: LockedFile): HandlerMove {
  return {
    from: {
      path: from,
      item: locked.item ?? file.item,
      ...(locked.exportName !== undefined && { exportName: locked.exportName }),
    },
    to: {
      path: file.path,
      item: file.item,
      ...(file.owner === "handler" && { exportName: file.exportName }),
    },
  };
}

/** Left where it is, and looked at again at the next run. */
function unparsable({ from, to }: HandlerMove, locked: LockedFile): Decision {
  const steps = [
    ...(from.path === to.path ? [] : [`move it to ${to.path}`]),
    ...(from.exportName === to.exportName
      ? []
      : [`rename its constant ${from.exportName ?? ""} to ${to.exportName ?? ""}`]),
    ...(from.item === to.item ? [] : [`change its type argument from ${from.item} to ${to.item}`]),
  ];
  return {
    ...leave(from.path, locked),
    changes: [{ op: "keep", path: from.path, owner: "user", reason: "the handler cannot be read" }],
    diagnostics: [handlerNotParsable(projectFile(from.path), { action: steps.join(", ") })],
    claims: from.path,
    pending: true,
  };
}
