import { constants, type Dirent, type Stats } from "node:fs";
import { access, lstat, readdir, realpath, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { openedPath, openReal } from "../resources/file.js";
import { isAbsence } from "./absence.js";

/** The part of a call that reading a directory needs. */
export interface DirectoryCall {
  readonly signal: AbortSignal;
  readonly log?: { warning(message: string, data?: object): void };
}

/** A file that is there for clients. */
export interface FoundFile {
  /** From the directory, with slashes. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** What of a directory is listed. */
interface Listing extends DirectoryCall {
  readonly maxBytes: number;
  /** Whether a path from the directory is one that clients may ask for. */
  isServed(path: string): boolean;
  /** Whether what lies at a real path may be opened. */
  mayOpen(realPath: string): boolean;
}

/** Most files in a list; what is over can still be read. */
const MOST_FILES = 10_000;

/** Folders within folders; files deeper down can still be read. */
const MOST_DEPTH = 32;

/**
 * The files in a folder and below it, in the order of their paths. Links to files inside are there; linked folders
 * are not gone into.
 *
 * @param root a real path
 */
export async function filesBelow(root: string, listing: Listing): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  await addFolder(root, "", 0, listing, found);
  if (found.length > MOST_FILES) {
    listing.log?.warning("a directory has more files than are listed", { listed: MOST_FILES });
  }
  return found.slice(0, MOST_FILES).sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** @param place where to open it */
async function addFolder(
  place: string,
  path: string,
  depth: number,
  listing: Listing,
  found: FoundFile[],
): Promise<void> {
  const folder = await opened(place, listing);
  if (folder === undefined) return;
  try {
    const entries = await entriesOf(folder);
    for (const entry of entries) {
      if (found.length > MOST_FILES) return;
      listing.signal.throwIfAborted();
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (!listing.isServed(below)) continue;
      if (!entry.isDirectory()) await addFile(folder, entry, below, listing, found);
      else if (depth < MOST_DEPTH) {
        await addFolder(join(folder.anchor, entry.name), below, depth + 1, listing, found);
      }
    }
  } finally {
    await folder.handle.close();
  }
}

/** An opened folder. */
interface OpenFolder {
  readonly handle: FileHandle;
  readonly realPath: string;
  /** A path that leads to this very folder, whatever becomes of its name. Only Linux has one. */
  readonly anchor: string;
}

/** Opens a folder; undefined where none is there for clients. */
async function opened(place: string, { mayOpen }: Listing): Promise<OpenFolder | undefined> {
  try {
    const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);
    const realPath = await realpath(place);
    const handle = await openReal(realPath, flags, mayOpen);
    const anchor = `/proc/self/fd/${handle.fd}`;
    const isAnchored = await access(anchor).then(
      () => true,
      () => false,
    );
    return { handle, realPath, anchor: isAnchored ? anchor : realPath };
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** What is in a folder; nothing where another one has its name now. */
async function entriesOf({ handle, anchor, realPath }: OpenFolder): Promise<Dirent[]> {
  try {
    const entries = await readdir(anchor, { withFileTypes: true });
    // Where nothing leads to the opened folder itself, its name must still do so.
    await openedPath(handle, realPath);
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

async function addFile(
  folder: OpenFolder,
  entry: Dirent,
  path: string,
  { maxBytes, mayOpen }: Listing,
  found: FoundFile[],
): Promise<void> {
  try {
    const place = join(folder.anchor, entry.name);
    const status = entry.isSymbolicLink() ? await linkedStatus(place, mayOpen) : await lstat(place);
    if (status.isFile() && status.size <= maxBytes) found.push({ path, size: status.size });
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

/** What a link leads to, unless it leads out. */
async function linkedStatus(place: string, mayOpen: Listing["mayOpen"]): Promise<Stats> {
  const handle = await openReal(await realpath(place), constants.O_RDONLY, mayOpen);
  try {
    return await handle.stat();
  } finally {
    await handle.close();
  }
}
