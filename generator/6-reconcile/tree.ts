import { decodeText } from "../text/line-ends.js";
import { byCodeUnits, folderOf } from "./safe-path.js";

/** The result of `lstat` for a path. */
export interface FileStatus {
  readonly kind: "file" | "folder" | "symbolic link" | "special file";
  /** Bytes. */
  readonly size: number;
  /** Number of names of the file. More than one name means that there are hard links. */
  readonly links: number;
  /** Permission bits. */
  readonly mode: number;
}

/** The reading part of the file layer. Paths are absolute. Throws the errors of the system, except for absent paths. */
export interface ReadableFiles {
  /** The status of a path; undefined if there is nothing. Does not follow links. */
  status(path: string): FileStatus | undefined;
  /** The bytes of a regular file of at most 64 MiB. Anything else is an error. */
  read(path: string): Uint8Array;
  /** Names of the entries of a folder, in any order. */
  list(path: string): readonly string[];
}

/** The entry at a path of the project. */
export type TreeEntry =
  | { readonly kind: "absent" }
  /** `links` as in {@link FileStatus}. */
  | { readonly kind: "file"; readonly size: number; readonly links: number }
  | { readonly kind: "folder" }
  /** A folder above is a file, so nothing can be at this path. */
  | { readonly kind: "obstructed"; readonly by: string }
  /** The path, or a folder above, is a link or a special file, which must not be followed. */
  | { readonly kind: "unsafe"; readonly path: string; readonly found: string };

/** Read-only view of the output folder, which does not change while a plan is made. Paths are relative, with `/`. */
export interface ProjectTree {
  /** Absolute path of the output folder, for messages. */
  readonly root: string;
  entry(path: string): TreeEntry;
  /** True if the path itself is a link and no folder above it is one. */
  isLink(path: string): boolean;
  /** Sorted names in a folder; empty if there is no folder. */
  list(folder: string): readonly string[];
  /** Bytes of a file. The path must have an entry of kind `file`. */
  read(path: string): Uint8Array;
  /** The existing path that differs only in case from this path or from a folder above it; undefined if there is none. */
  differentlyCased(path: string): string | undefined;
}

/** The text of a file without its byte-order mark; undefined if there is no file, or if it is not UTF-8. */
export function textAt(tree: ProjectTree, path: string): string | undefined {
  return tree.entry(path).kind === "file" ? decodeText(tree.read(path))?.text : undefined;
}

/** The project under a root folder of a file layer. Reads each entry when it is first needed, and caches it. */
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

/** The entry at a path below an entry that is not a folder. */
function under(entry: TreeEntry, path: string): TreeEntry {
  return entry.kind === "file" ? { kind: "obstructed", by: path } : entry;
}

function nameIn(folder: string, path: string): string {
  return folder === "" ? path : path.slice(folder.length + 1);
}

/** The names in a folder, which can be searched regardless of case. */
class FolderListing {
  /** Sorted names. */
  readonly names: readonly string[];
  private readonly nameSet: ReadonlySet<string>;
  private byFoldedName: ReadonlyMap<string, string> | undefined;

  constructor(names: readonly string[]) {
    this.names = [...names].sort(byCodeUnits);
    this.nameSet = new Set(names);
  }

  variantOf(name: string): string | undefined {
    if (this.nameSet.has(name)) return undefined;
    this.byFoldedName ??= new Map(this.names.map((listed) => [fold(listed), listed]));
    return this.byFoldedName.get(fold(name));
  }
}

/** The form in which file systems that ignore case compare names. */
function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** A tree that records every unsafe entry and every hard link that was looked up. */
export class WatchfulTree implements ProjectTree {
  /** The kinds of unsafe entries by path. */
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
