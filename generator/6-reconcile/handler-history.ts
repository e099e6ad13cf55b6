import { onceForEach } from "../model/once-for-each.js";
import type { HandlerFile, ItemId, StarterTestFile } from "../model/output-file.js";
import type { Situation } from "./decision.js";
import type { LockedFile, RemovedFile } from "./lock.js";

export type UserFile = HandlerFile | StarterTestFile;

/** The file that held an item's handler or starter test after the last generation. */
export interface Origin {
  readonly path: string;
  readonly item: ItemId;
  readonly exportName?: string;
  /** Where it was when its relative imports were right; differs from `path` under `src/removed/`. */
  readonly written: string;
  /** Its entry in the lock; absent under `src/removed/`. */
  readonly locked?: LockedFile;
}

/** Finds what the lock knows of an item, under its name or a former one; first what is still there. */
export class HandlerHistory {
  private readonly locked: ReadonlyMap<string, Origin>;
  private readonly removed: ReadonlyMap<string, Origin>;

  constructor(private readonly situation: Situation) {
    this.locked = byItem(situation.locked, (path, entry) => ({ written: path, locked: entry }));
    this.removed = byItem(situation.removed, (path, entry) => ({ written: entry.path ?? path }));
  }

  /** The file that goes on as this one. */
  readonly originOf = onceForEach((file: UserFile) => this.find(this.locked, file));

  /** The same among the files of items that had left the manifest. */
  readonly removedOriginOf = onceForEach((file: UserFile) => this.find(this.removed, file));

  private find(
    origins: ReadonlyMap<string, Origin>,
    { owner, item }: UserFile,
  ): Origin | undefined {
    const names = [item, ...(this.situation.renames.get(item) ?? [])];
    const known = names.flatMap((name) => origins.get(`${owner} ${name}`) ?? []);
    const isThere = ({ path }: Origin) => this.situation.tree.entry(path).kind === "file";
    return known.find(isThere) ?? known[0];
  }
}

function byItem<Entry extends LockedFile | RemovedFile>(
  entries: ReadonlyMap<string, Entry>,
  rest: (path: string, entry: Entry) => Pick<Origin, "written" | "locked">,
): Map<string, Origin> {
  const origins = new Map<string, Origin>();
  for (const [path, entry] of entries) {
    const { owner, item, exportName } = entry;
    if (item === undefined) continue;
    const origin = { path, item, ...(exportName !== undefined && { exportName }) };
    origins.set(`${owner} ${item}`, { ...origin, ...rest(path, entry) });
  }
  return origins;
}
