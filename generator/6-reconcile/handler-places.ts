import type { HandlerFile, ItemId } from "../model/output-file.js";
import { isPristine, lockEntry, type Situation } from "./decision.js";
import { HandlerHistory, type Origin, type UserFile } from "./handler-history.js";
import { isReadableSource } from "./unreadable-source.js";

/** The place of a handler or starter test before this run. */
export type HandlerPlace =
  /** A folder has its path, or a file has the path of one of its folders. */
  | { readonly kind: "obstructed" }
  | { readonly kind: "nowhere"; readonly occupant?: Occupant }
  | { readonly kind: "here"; readonly origin: Origin | undefined }
  /** The file moves with its item. */
  | {
      readonly kind: "elsewhere";
      readonly current: Uint8Array;
      readonly origin: Origin;
      readonly occupant?: Occupant;
      /** The untouched file under a former name that an edited one under `src/removed/` replaces. */
      readonly stub?: Origin;
      /** Paths of other files of the item under `src/removed/`, which stay there. */
      readonly leftRemoved: readonly string[];
    };

/** A file of another item at the path of this one. */
export interface Occupant {
  readonly current: Uint8Array;
  /** True if it moves with its own item in this run. Otherwise its item was removed. */
  readonly leaves: boolean;
}

/** The places of these files before this run, by their new paths. */
export function handlerPlacesOf(
  files: readonly UserFile[],
  situation: Situation,
): ReadonlyMap<string, HandlerPlace> {
  const finder = new PlaceFinder(situation, files);
  return new Map(files.map((file) => [file.path, finder.placeOf(file)]));
}

class PlaceFinder {
  private readonly history: HandlerHistory;
  private readonly handlers: ReadonlyMap<ItemId, HandlerFile>;
  /** Paths of files whose items now have another path. */
  private readonly leftPaths: ReadonlySet<string>;

  constructor(
    private readonly situation: Situation,
    files: readonly UserFile[],
  ) {
    this.history = new HandlerHistory(situation);
    const handlers = files.filter((file) => file.owner === "handler");
    this.handlers = new Map(handlers.map((file) => [file.item, file]));
    const paths = files.map((file) => this.pathLeftBy(file));
    this.leftPaths = new Set(paths.filter((path) => path !== undefined));
  }

  placeOf(file: UserFile): HandlerPlace {
    const { tree } = this.situation;
    const { kind } = tree.entry(file.path);
    if (kind !== "file" && kind !== "absent") return { kind: "obstructed" };
    if (kind === "absent") return this.follows(file);
    const leaves = this.leftPaths.has(file.path);
    if (leaves || this.isOfAnotherItem(file)) {
      return this.follows(file, { current: tree.read(file.path), leaves });
    }
    const returning = this.returningTo(file);
    if (returning === undefined) return { kind: "here", origin: this.history.originOf(file) };
    return this.comesFrom(returning, file, { current: tree.read(file.path), leaves: true });
  }

  /**
   * The file under `src/removed/` that replaces the untouched stub at the path of this one. The item had another name
   * when it left, and the manifest has said only since then that this is the same item.
   */
  private returningTo(file: UserFile): Origin | undefined {
    const { renames, tree, editor } = this.situation;
    if (!renames.has(file.item) || this.history.isEdited(file.path)) return undefined;
    const origin = this.removedPlace(file);
    if (origin === undefined || origin.item === file.item) return undefined;
    const handler = file.owner === "starter-test" ? this.handlers.get(file.item) : undefined;
    if (handler !== undefined && this.returningTo(handler) === undefined) return undefined;
    return isReadableSource(origin.path, tree.read(origin.path), editor) ? origin : undefined;
  }

  private follows(file: UserFile, occupant?: Occupant): HandlerPlace {
    const origin = this.sourceOf(file);
    if (origin === undefined) return { kind: "nowhere", ...(occupant && { occupant }) };
    return this.comesFrom(origin, file, occupant);
  }

  private comesFrom(origin: Origin, file: UserFile, occupant?: Occupant): HandlerPlace {
    const occupied = occupant && { occupant };
    const current = this.situation.tree.read(origin.path);
    const stub = origin.locked === undefined ? this.formerPlace(file) : undefined;
    const leftRemoved = this.history.removedPathsOf(file).filter((path) => path !== origin.path);
    return { kind: "elsewhere", current, origin, leftRemoved, ...occupied, ...(stub && { stub }) };
  }

  /** The file at another path that continues as this one: an edited one before an untouched one. */
  private sourceOf(file: UserFile): Origin | undefined {
    const former = this.formerPlace(file);
    const removed = this.removedPlace(file);
    if (former === undefined || removed === undefined) return former ?? removed;
    return this.isFormerPreferred(file, former) ? former : removed;
  }

  /** True if the file under a former name comes before the removed one. A starter test goes with its handler. */
  private isFormerPreferred(file: UserFile, former: Origin): boolean {
    const handler = file.owner === "starter-test" ? this.handlers.get(file.item) : undefined;
    if (handler !== undefined && this.hasCome(handler)) return true;
    const source = handler && this.sourceOf(handler);
    return source === undefined ? this.history.isEdited(former.path) : source.locked !== undefined;
  }

  /** True if a former run has brought the file to its path, and it stays there. Its starter test may have had to wait. */
  private hasCome(file: UserFile): boolean {
    const origin = this.history.originOf(file);
    const isHere = origin !== undefined && origin.path === file.path && this.isFile(origin);
    return isHere && this.returningTo(file) === undefined;
  }

  /** The former path of a file that moves with its item; undefined if an unknown file has the new path. */
  private pathLeftBy(file: UserFile): string | undefined {
    if (this.history.originOf(file)?.path === file.path) return undefined;
    const { kind } = this.situation.tree.entry(file.path);
    const isKnown = this.situation.locked.has(file.path) || this.isUnknownStub(file);
    const isOpen = kind === "absent" || (kind === "file" && isKnown);
    const source = isOpen ? this.sourceOf(file) : undefined;
    return source?.locked === undefined ? undefined : source.path;
  }

  /** The locked file of the item, if it has another path. */
  private formerPlace(file: UserFile): Origin | undefined {
    const origin = this.history.originOf(file);
    return origin !== undefined && origin.path !== file.path && this.isFile(origin)
      ? origin
      : undefined;
  }

  private removedPlace(file: UserFile): Origin | undefined {
    const origin = this.history.removedOriginOf(file);
    return origin !== undefined && this.isFile(origin) ? origin : undefined;
  }

  private isFile({ path }: Origin): boolean {
    return this.situation.tree.entry(path).kind === "file";
  }

  private isOfAnotherItem(file: UserFile): boolean {
    const locked = this.situation.locked.get(file.path);
    const isOwn = this.history.originOf(file)?.path === file.path;
    return (locked !== undefined && !isOwn) || this.isUnknownStub(file);
  }

  /**
   * True if the lock does not know the file at the path, which is as it would be generated, or empty and would become
   * so, and an edited file under a former name replaces it. A starter test goes with its handler.
   */
  private isUnknownStub(file: UserFile): boolean {
    const { renames, locked, tree, editor } = this.situation;
    if (!renames.has(file.item) || locked.has(file.path)) return false;
    if (tree.entry(file.path).kind !== "file") return false;
    const current = tree.read(file.path);
    if (current.length > 0 && !isPristine(lockEntry(file), current)) return false;
    const former = this.formerPlace(file)?.path;
    if (former === undefined || !this.history.isEdited(former)) return false;
    const handler = file.owner === "starter-test" ? this.handlers.get(file.item) : undefined;
    if (handler !== undefined && !this.isUnknownStub(handler)) return false;
    return isReadableSource(former, tree.read(former), editor);
  }
}
