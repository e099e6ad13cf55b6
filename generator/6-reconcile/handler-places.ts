import type { Situation } from "./decision.js";
import { HandlerHistory, type Origin, type UserFile } from "./handler-history.js";

/** Where the text of a handler or starter test is before this run. */
export type HandlerPlace =
  /** A folder is in its place, or a file is in the place of one of its folders. */
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

/** The file of another item, in the place of this one. */
export interface Occupant {
  readonly current: Uint8Array;
  /** Whether it moves with its own item in this run; otherwise its item was removed. */
  readonly leaves: boolean;
}

/** The place of each of these files, by its path. */
export function handlerPlacesOf(
  files: readonly UserFile[],
  situation: Situation,
): ReadonlyMap<string, HandlerPlace> {
  const finder = new PlaceFinder(situation, files);
  return new Map(files.map((file) => [file.path, finder.placeOf(file)]));
}

class PlaceFinder {
  private readonly history: HandlerHistory;
  /** Paths whose file belongs to an item that has another path now. */
  private readonly left: ReadonlySet<string>;

  constructor(
    private readonly situation: Situation,
    files: readonly UserFile[],
  ) {
    this.history = new HandlerHistory(situation);
    const left = files.map((file) => this.placeLeftBy(file));
    this.left = new Set(left.filter((path) => path !== undefined));
  }

  placeOf(file: UserFile): HandlerPlace {
    const { tree } = this.situation;
    const { kind } = tree.entry(file.path);
    if (kind !== "file" && kind !== "absent") return { kind: "obstructed" };
    const from = this.formerPlace(file) ?? this.removedPlace(file);
    if (kind === "absent") return this.follows(from);
    const leaves = this.left.has(file.path);
    if (leaves || this.isOfAnotherItem(file)) {
      return this.follows(from, { current: tree.read(file.path), leaves });
    }
    return { kind: "here", origin: this.history.originOf(file) };
  }

  private follows(origin: Origin | undefined, occupant?: Occupant): HandlerPlace {
    const rest = occupant && { occupant };
    if (origin === undefined) return { kind: "nowhere", ...rest };
    const current = this.situation.tree.read(origin.path);
    return { kind: "elsewhere", current, origin, ...rest };
  }

  /** The former path of a file that moves with its item; none where another file has the new path already. */
  private placeLeftBy(file: UserFile): string | undefined {
    if (this.history.originOf(file)?.path === file.path) return undefined;
    const { kind } = this.situation.tree.entry(file.path);
    const isOpen = kind === "absent" || (kind === "file" && this.situation.locked.has(file.path));
    return isOpen ? this.formerPlace(file)?.path : undefined;
  }

  /** A file under another path than the item has now. */
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
