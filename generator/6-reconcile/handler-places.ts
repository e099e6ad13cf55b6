import type { Situation } from "./decision.js";
import { HandlerHistory, type Origin, type UserFile } from "./handler-history.js";

/** The place of a handler or starter test before this run. */
export type HandlerPlace =
  /** A folder has its path, or a file has the path of one of its folders. */
  | { readonly kind: "obstructed" }
  | { readonly kind: "nowhere"; readonly occupant?: Occupant }
  | { readonly kind: "here"; readonly origin: Origin | undefined }
  /** It moves with its item. */
  | {
      readonly kind: "elsewhere";
      readonly current: Uint8Array;
      readonly origin: Origin;
      readonly occupant?: Occupant;
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
  /** Paths of files whose items now have another path. */
  private readonly leftPaths: ReadonlySet<string>;

  constructor(
    private readonly situation: Situation,
    files: readonly UserFile[],
  ) {
    this.history = new HandlerHistory(situation);
    const paths = files.map((file) => this.pathLeftBy(file));
    this.leftPaths = new Set(paths.filter((path) => path !== undefined));
  }

  placeOf(file: UserFile): HandlerPlace {
    const { tree } = this.situation;
    const { kind } = tree.entry(file.path);
    if (kind !== "file" && kind !== "absent") return { kind: "obstructed" };
    const from = this.formerPlace(file) ?? this.removedPlace(file);
    if (kind === "absent") return this.follows(from);
    const leaves = this.leftPaths.has(file.path);
    if (leaves || this.isOfAnotherItem(file)) {
      return this.follows(from, { current: tree.read(file.path), leaves });
    }
    return { kind: "here", origin: this.history.originOf(file) };
  }

  private follows(origin: Origin | undefined, occupant?: Occupant): HandlerPlace {
    const occupied = occupant && { occupant };
    if (origin === undefined) return { kind: "nowhere", ...occupied };
    const current = this.situation.tree.read(origin.path);
    return { kind: "elsewhere", current, origin, ...occupied };
  }

  /** The former path of a file that moves with its item; undefined if an unknown file has the new path. */
  private pathLeftBy(file: UserFile): string | undefined {
    if (this.history.originOf(file)?.path === file.path) return undefined;
    const { kind } = this.situation.tree.entry(file.path);
    const isOpen = kind === "absent" || (kind === "file" && this.situation.locked.has(file.path));
    return isOpen ? this.formerPlace(file)?.path : undefined;
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
    return locked !== undefined && !isOwn;
  }
}
