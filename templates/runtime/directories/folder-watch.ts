import { statSync, watch, type FSWatcher, type Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, sep } from "node:path";

/** Whether `watch` of Node.js itself watches folders below a folder. Elsewhere it watches each file, at a high cost. */
const IS_NATIVELY_RECURSIVE = ["darwin", "win32"].includes(process.platform);

/** The maximum depth and number of watched folders. */
const MAX_DEPTH = 32;
const MAX_FOLDERS = 10_000;

/** What a watch of a folder calls. */
export interface FolderListener {
  /** Whether clients see a file or folder, by its path from the watched folder, with slashes. */
  isServed(path: string): boolean;
  /** A file or folder was changed, or (if `isRenamed`) created, renamed or removed. */
  changed(path: string, isRenamed: boolean): void;
  /** Folders may have been created or removed: {@link FolderWatch.scan} should be called, but not for each such call. */
  outdated(): void;
  /** Some folder is not watched any more. */
  failed(): void;
}

/** The part of `watch` of Node.js that is used here. */
export type WatchFolder = (
  folder: string,
  options: { readonly recursive: boolean; readonly persistent: false },
  listener: (event: string, name: string | null) => void,
) => Pick<FSWatcher, "close" | "on">;

interface WatchedFolder {
  /** The path from the root, with slashes; empty for the root. */
  readonly path: string;
  readonly depth: number;
  readonly watcher: Pick<FSWatcher, "close">;
  /** Tells whether another folder has its path now. */
  readonly inode: number;
  /** The folders in it, by their names. */
  readonly folders: Map<string, WatchedFolder>;
}

/** Watches a folder and the folders below it. */
export class FolderWatch {
  readonly #root: string;
  readonly #listener: FolderListener;
  readonly #watchFolder: WatchFolder;
  #top: WatchedFolder | undefined;
  #count = 0;
  /** The folders whose entries were created, renamed or removed since they were read. */
  readonly #outdated = new Set<WatchedFolder>();
  #scanning: Promise<void> | undefined;

  /** @param watchFolder replaces `watch` of Node.js in tests */
  constructor(root: string, listener: FolderListener, watchFolder: WatchFolder = watch) {
    this.#root = root;
    this.#listener = listener;
    this.#watchFolder = watchFolder;
  }

  /** Starts to watch the root, and soon the folders below it. @throws Error if the root cannot be watched */
  start(): void {
    // In Node.js 24, `watch` does not fail for an absent folder, and never reports a change in it.
    this.#top = this.#watch("", 0, statSync(this.#root));
    if (!IS_NATIVELY_RECURSIVE) this.#scanning = this.#scanFolder(this.#top, false).then(this.#end);
  }

  close(): void {
    if (this.#top !== undefined) this.#forget(this.#top);
    this.#top = undefined;
  }

  /** Watches new folders and forgets removed ones. Reads each folder at most once, however many changes it had. */
  scan(): void {
    this.#scanning ??= this.#scanOutdated().then(this.#end);
  }

  readonly #end = (): void => {
    this.#scanning = undefined;
    if (this.#outdated.size > 0) this.#listener.outdated();
  };

  async #scanOutdated(): Promise<void> {
    const folders = [...this.#outdated];
    this.#outdated.clear();
    for (const folder of folders) await this.#scanFolder(folder, true);
  }

  /**
   * Reads a folder.
   *
   * @param isLater whether the scan of all folders at the start is over, so that the files of a new folder are new
   * @param isNew whether the folder was not watched before
   */
  async #scanFolder(folder: WatchedFolder, isLater: boolean, isNew = false): Promise<void> {
    const systemPath = join(this.#root, folder.path);
    const entries = await readdir(systemPath, { withFileTypes: true }).catch(() => []);
    const names = new Set<string>();
    for (const entry of entries) {
      const path = below(folder.path, entry.name);
      if (!this.#listener.isServed(path)) continue;
      if (entry.isDirectory()) names.add(entry.name);
      else if (isNew && isLater) this.#listener.changed(path, true);
    }
    for (const name of folder.folders.keys()) if (!names.has(name)) this.#forgetIn(folder, name);
    for (const name of names) await this.#watchNew(folder, name, isLater);
  }

  async #watchNew(parent: WatchedFolder, name: string, isLater: boolean): Promise<void> {
    const path = below(parent.path, name);
    const status = await lstat(join(this.#root, path)).catch(() => undefined);
    if (status === undefined || !status.isDirectory() || this.#top === undefined) return;
    if (parent.folders.get(name)?.inode === status.ino) return;
    this.#forgetIn(parent, name);
    const depth = parent.depth + 1;
    if (depth > MAX_DEPTH) return;
    if (this.#count >= MAX_FOLDERS) return this.#listener.failed();
    try {
      const folder = this.#watch(path, depth, status);
      parent.folders.set(name, folder);
      await this.#scanFolder(folder, isLater, true);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.#listener.failed();
    }
  }

  /** Watches one folder, without those below it. @throws Error if it cannot be watched */
  #watch(path: string, depth: number, { ino: inode }: Stats): WatchedFolder {
    const options = { recursive: IS_NATIVELY_RECURSIVE, persistent: false } as const;
    const watcher = this.#watchFolder(join(this.#root, path), options, (event, name) =>
      this.#receive(folder, event, name ?? ""),
    );
    const folder: WatchedFolder = { path, depth, watcher, inode, folders: new Map() };
    watcher.on("error", () => this.#listener.failed());
    this.#count += 1;
    return folder;
  }

  #receive(folder: WatchedFolder, event: string, name: string): void {
    const isRenamed = event === "rename";
    if (isRenamed && !IS_NATIVELY_RECURSIVE) {
      if (this.#outdated.size === 0 && this.#scanning === undefined) this.#listener.outdated();
      this.#outdated.add(folder);
    }
    const path = below(folder.path, name.split(sep).join("/"));
    if (this.#listener.isServed(path)) this.#listener.changed(path, isRenamed);
  }

  #forgetIn(parent: WatchedFolder, name: string): void {
    const folder = parent.folders.get(name);
    parent.folders.delete(name);
    if (folder !== undefined) this.#forget(folder);
  }

  #forget(folder: WatchedFolder): void {
    folder.watcher.close();
    this.#count -= 1;
    this.#outdated.delete(folder);
    for (const inner of folder.folders.values()) this.#forget(inner);
  }
}

function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
