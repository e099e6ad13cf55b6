import type { HandlerFile, ItemId, StarterTestFile } from "../model/output-file.js";
import type { Situation } from "./decision.js";
import type { LockedFile, RemovedFile } from "./lock.js";

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

/** Finds the locked files of an item, under its name or a former one. Files that still exist come first. */
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
    this.removed ??= pathsByItem(this.situation.removed);
    const path = this.find(this.removed[file.owner], file);
    if (path === undefined) return undefined;
    const {
      item = file.item,
      exportName,
      path: written = path,
    } = this.situation.removed.get(path) ?? {};
    return { path, item, exportName, written, locked: undefined };
  }

  /** True if the lock has this file at its path. This is quick to check, and true for most files. */
  private isInPlace({ path, owner, item }: UserFile): boolean {
    const locked = this.situation.locked.get(path);
    const isOwn = locked?.owner === owner && locked.item === item;
    return isOwn && (this.situation.renames.get(item) ?? []).length === 0;
  }

  private findLocked(file: UserFile): string | undefined {
    this.locked ??= pathsByItem(this.situation.locked);
    return this.find(this.locked[file.owner], file);
  }

  private find(paths: ReadonlyMap<ItemId, string>, { item }: UserFile): string | undefined {
    const formerNames = this.situation.renames.get(item) ?? [];
    if (formerNames.length === 0) return paths.get(item);
    const candidates = [item, ...formerNames].flatMap((name) => paths.get(name) ?? []);
    const isThere = (path: string): boolean => this.situation.tree.entry(path).kind === "file";
    return candidates.find(isThere) ?? candidates[0];
  }
}

type PathsByItem = Readonly<Record<UserFile["owner"], ReadonlyMap<ItemId, string>>>;

function pathsByItem(entries: ReadonlyMap<string, LockedFile | RemovedFile>): PathsByItem {
  const paths = { handler: new Map<ItemId, string>(), "starter-test": new Map<ItemId, string>() };
  for (const [path, { owner, item }] of entries) {
    if (item === undefined || (owner !== "handler" && owner !== "starter-test")) continue;
    paths[owner].set(item, path);
  }
  return paths;
}
