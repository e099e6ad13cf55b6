import { decodeText } from "../text/line-ends.js";
import { byCodeUnits, folderOf } from "./safe-path.js";

/** What `lstat` says of a path. */
export interface FileStatus {
  readonly kind: "file" | "folder" | "symbolic link" | "special file";
  /** Bytes. */
  readonly size: number;
  /** Names that the file has; above 1, a hard link. */
  readonly links: number;
  /** Permission bits. */
  readonly mode: number;
}

/** The reading half of the file layer. Paths are absolute. Errors other than absence are thrown as the system gives them. */
export interface ReadableFiles {
  /** Never follows a link; `undefined` where there is nothing. */
  status(path: string): FileStatus | undefined;
  read(path: string): Uint8Array;
  /** Names of the entries of a folder, in any order. */
  list(path: string): readonly string[];
}

/** What stands at a path of the project. */
export type TreeEntry =
  | { readonly kind: "absent" }
  /** `links` as in {@link FileStatus}. */
  | { readonly kind: "file"; readonly size: number; readonly links: number }
  | { readonly kind: "folder" }
  /** An ancestor is a file, so that nothing can be at this path. */
  | { readonly kind: "obstructed"; readonly by: string }
  /** The path or an ancestor is something that must not be followed. */
  | { readonly kind: "unsafe"; readonly path: string; readonly found: string };

/** Read-only view of the output folder, the same for one planning. Paths are relative, with `/`. */
export interface ProjectTree {
  /** Absolute path of the output folder, for messages. */
  readonly root: string;
  entry(path: string): TreeEntry;
  /** True where a link stands at the path itself, in folders that are none. */
  isLink(path: string): boolean;
  /** Names in a folder, sorted; none where there is no folder. */
  list(folder: string): readonly string[];
  /** Bytes of a file that `entry` has called one. */
  read(path: string): Uint8Array;
  /** The path's first ancestor, or the path itself, under a name that differs only in case; `undefined` when there is none. */
  differentlyCased(path: string): string | undefined;
}

/** The text of a file without its byte-order mark; undefined where there is no file, or none in UTF-8. */
export function textAt(tree: ProjectTree, path: string): string | undefined {
  return tree.entry(path).kind === "file" ? decodeText(tree.read(path))?.text : undefined;
}

/** The project under a root folder of a file layer. Looks only at what it is asked for, once, and remembers what it saw. */
export class FolderTree implements ProjectTree {
  private readonly entries = new Map<string, TreeEntry>();
  private readonly listings = new Map<string, FolderListing>();
  /** The results of `differentlyCased`, by folder. */
  private readonly folderVariants = new Map<string, string | undefined>([["", undefined]]);

  /** @param root absolute path of the output folder, which may be absent */
  constructor(
    readonly root: string,
    private readonly files: ReadableFiles,
  ) {}

  entry(path: string): TreeEntry {
    const cached = this.entries.get(path);
    if (cached !== undefined) return cached;
    const folder = folderOf(path);
    const above = folder === "" ? undefined : this.entry(folder);
    const entry =
      above === undefined || above.kind === "folder" ? this.entryAt(path) : under(above, folder);
    this.entries.set(path, entry);
    return entry;
  }

  isLink(path: string): boolean {
    const entry = this.entry(path);
    return entry.kind === "unsafe" && entry.path === path && entry.found === "symbolic link";
  }

  list(folder: string): readonly string[] {
    return this.listing(folder).names;
  }

  read(path: string): Uint8Array {
    return this.files.read(this.absolute(path));
  }

  differentlyCased(path: string): string | undefined {
    const folder = folderOf(path);
    if (!this.folderVariants.has(folder)) {
      this.folderVariants.set(folder, this.differentlyCased(folder));
    }
    const above = this.folderVariants.get(folder);
    if (above !== undefined) return above;
    const variant = this.listing(folder).variantOf(nameIn(folder, path));
    if (variant === undefined) return undefined;
    return folder === "" ? variant : `${folder}/${variant}`;
  }

  private entryAt(path: string): TreeEntry {
    const status = this.files.status(this.absolute(path));
    if (status === undefined) return { kind: "absent" };
    if (status.kind === "folder") return { kind: "folder" };
    if (status.kind !== "file") return { kind: "unsafe", path, found: status.kind };
    return { kind: "file", size: status.size, links: status.links };
  }

  private listing(folder: string): FolderListing {
    const cached = this.listings.get(folder);
    if (cached !== undefined) return cached;
    const isFolder =
      this.files.status(this.absolute(folder))?.kind === "folder" &&
      (folder === "" || this.entry(folder).kind === "folder");
    const listing = new FolderListing(isFolder ? this.files.list(this.absolute(folder)) : []);
    this.listings.set(folder, listing);
    return listing;
  }

  private absolute(path: string): string {
    return path === "" ? this.root : `${this.root}/${path}`;
  }
}

/** The entry at a path below something that is no folder. */
function under(entry: TreeEntry, path: string): TreeEntry {
  return entry.kind === "file" ? { kind: "obstructed", by: path } : entry;
}

function nameIn(folder: string, path: string): string {
  return folder === "" ? path : path.slice(folder.length + 1);
}

/** Names of one folder, findable without regard to case. */
class FolderListing {
  /** Sorted. */
  readonly names: readonly string[];
  private readonly nameSet: ReadonlySet<string>;
  private byFoldedName: ReadonlyMap<string, string> | undefined;

  constructor(names: readonly string[]) {
    this.names = [...names].sort(byCodeUnits);
    this.nameSet = new Set(names);
  }

  variantOf(name: string): string | undefined {
    if (this.nameSet.has(name)) return undefined;
    this.byFoldedName ??= new Map(this.names.map((own) => [fold(own), own]));
    return this.byFoldedName.get(fold(name));
  }
}

/** The form under which file systems that ignore case compare names. */
function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** A tree that remembers every unsafe entry, and every hard link, that it was asked about. */
export class WatchfulTree implements ProjectTree {
  /** Path → what was found there. */
  readonly unsafe = new Map<string, string>();
  readonly hardLinks = new Set<string>();

  readonly root: string;

  constructor(private readonly tree: ProjectTree) {
    this.root = tree.root;
  }

  entry(path: string): TreeEntry {
    const entry = this.tree.entry(path);
    if (entry.kind === "unsafe") this.unsafe.set(entry.path, entry.found);
    if (entry.kind === "file" && entry.links > 1) this.hardLinks.add(path);
    return entry;
  }

  isLink(path: string): boolean {
    return this.tree.isLink(path);
  }

  list(folder: string): readonly string[] {
    return this.tree.list(folder);
  }

  read(path: string): Uint8Array {
    return this.tree.read(path);
  }

  differentlyCased(path: string): string | undefined {
    return this.tree.differentlyCased(path);
  }
}
