import type { HandlerFile, ItemId, StarterTestFile } from "../model/output-file.js";
import { removalNumber } from "./decide-removed.js";
import { isPristine, type Situation } from "./decision.js";
import type { LockedFile, RemovedFile } from "./lock.js";
import { isReadableSource } from "./unreadable-source.js";

/** A file that belongs to the user after its first edit. */
export type UserFile = HandlerFile | StarterTestFile;

/** The file that held an item's handler or starter test after the last generation. */
export interface Origin {
  readonly path: string;
  readonly item: ItemId;
  readonly exportName: string | undefined;
  /** The path to which its relative imports refer. It differs from `path` under `src/removed/`. */
  readonly written: string;
  /** Its entry in the lock; absent under `src/removed/`. */
  readonly locked: LockedFile | undefined;
}

/**
 * Finds the files of an item, under its name or a former one. Files that still exist come first, and edited files
 * among these.
 */
export class HandlerHistory {
  private locked: PathsByItem | undefined;
  private removed: PathsByItem | undefined;
  private readonly origins = new Map<UserFile, Origin | undefined>();

  constructor(private readonly situation: Situation) {}

  /** The locked file that continues as this one. */
  originOf(file: UserFile): Origin | undefined {
    if (this.origins.has(file)) return this.origins.get(file);
    const path = this.isInPlace(file) ? file.path : this.findLocked(file);
    const locked = path === undefined ? undefined : this.situation.locked.get(path);
    const { item = file.item, exportName } = locked ?? {};
    const origin =
      path === undefined ? undefined : { path, item, exportName, written: path, locked };
    this.origins.set(file, origin);
    return origin;
  }

  /** The file under `src/removed/` that continues as this one, since its item was removed and returns. */
  removedOriginOf(file: UserFile): Origin | undefined {
    const [path] = this.removedPathsOf(file);
    if (path === undefined) return undefined;
    const {
      item = file.item,
      exportName,
      path: written = path,
    } = this.situation.removed.get(path) ?? {};
    return { path, item, exportName, written, locked: undefined };
  }

  /** The existing files of the item under `src/removed/`, the last removed one of each name first. */
  removedPathsOf(file: UserFile): readonly string[] {
    this.removed ??= pathsByItem(this.removedFiles());
    const paths = this.removed[file.owner];
    return this.namesOf(file).flatMap((name) => paths.get(name) ?? []);
  }

  /** True if a locked file is not as it was generated. */
  isEdited(path: string): boolean {
    return !isPristine(this.situation.locked.get(path), this.situation.tree.read(path));
  }

  /** True if the lock has this file at its path. This is quick to check, and true for most files. */
  private isInPlace({ path, owner, item }: UserFile): boolean {
    const locked = this.situation.locked.get(path);
    const isOwn = locked?.owner === owner && locked.item === item;
    return isOwn && (this.situation.renames.get(item) ?? []).length === 0;
  }

  private findLocked(file: UserFile): string | undefined {
    this.locked ??= pathsByItem(this.situation.locked);
    const paths = this.locked[file.owner];
    const candidates = this.namesOf(file).flatMap((name) => paths.get(name) ?? []);
    const existing = candidates.filter((path) => this.isFile(path));
    const edited =
      existing.length > 1 ? existing.find((path) => this.isHandWritten(path, file)) : undefined;
    return edited ?? existing[0] ?? candidates[0];
  }

  /** True if a file is edited. If its item had another name, it must also be readable, so that it can follow. */
  private isHandWritten(path: string, { item }: UserFile): boolean {
    const { locked, tree, editor } = this.situation;
    if (!this.isEdited(path)) return false;
    return locked.get(path)?.item === item || isReadableSource(path, tree.read(path), editor);
  }

  /** The existing files under `src/removed/`. Of those of an item, the last removed one comes last. */
  private removedFiles(): [string, RemovedFile][] {
    const files = [...this.situation.removed].filter(([path]) => this.isFile(path));
    return files.sort(([left], [right]) => removalNumber(left) - removalNumber(right));
  }

  private isFile(path: string): boolean {
    return this.situation.tree.entry(path).kind === "file";
  }

  private namesOf({ item }: UserFile): readonly ItemId[] {
    return [item, ...(this.situation.renames.get(item) ?? [])];
  }
}

/** The paths of each item, the last entry first. */
type PathsByItem = Readonly<Record<UserFile["owner"], ReadonlyMap<ItemId, readonly string[]>>>;

function pathsByItem(entries: Iterable<[string, LockedFile | RemovedFile]>): PathsByItem {
  const paths = {
    handler: new Map<ItemId, string[]>(),
    "starter-test": new Map<ItemId, string[]>(),
  };
  for (const [path, { owner, item }] of entries) {
    if (item === undefined || (owner !== "handler" && owner !== "starter-test")) continue;
    const others = paths[owner].get(item) ?? [];
    paths[owner].set(item, [path, ...others]);
  }
  return paths;
}
