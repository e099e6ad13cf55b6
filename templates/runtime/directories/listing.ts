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

/** A file that clients see. */
export interface FoundFile {
  /** The path from the directory, with slashes. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** When its content was changed last, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** The call that lists a directory, and which files it lists. */
interface Listing extends DirectoryCall {
  readonly maxBytes: number;
  /** Whether clients may request a path from the directory. */
  isServed(path: string): boolean;
  /** Whether the file or folder at a real path may be opened. */
  mayOpen(realPath: string): boolean;
}

/** The maximum number of files in a list. Files that are not listed can still be read. */
const MAX_FILES = 10_000;

/** The maximum depth of listed folders. Files in deeper folders can still be read. */
const MAX_DEPTH = 32;

/**
 * The files in a folder and its subfolders, sorted by path, at most 10,000. Links to files inside of the folder are
 * listed; linked folders are not searched.
 *
 * @param root the real path of the folder
 */
export async function filesBelow(root: string, listing: Listing): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
  await addFolder(root, "", 0, listing, files);
  if (files.length > MAX_FILES) {
    listing.log?.warning("a directory has more files than are listed", { listed: MAX_FILES });
  }
  return files.slice(0, MAX_FILES).sort((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * Adds the files of a folder to `files`.
 *
 * @param systemPath the path to open the folder with
 * @param path the path from the directory
 */
async function addFolder(
  systemPath: string,
  path: string,
  depth: number,
  listing: Listing,
  files: FoundFile[],
): Promise<void> {
  const folder = await openFolder(systemPath, listing);
  if (folder === undefined) return;
  try {
    const entries = await entriesOf(folder);
    for (const entry of entries) {
      if (files.length > MAX_FILES) return;
      listing.signal.throwIfAborted();
      const entryPath = path === "" ? entry.name : `${path}/${entry.name}`;
      if (!listing.isServed(entryPath)) continue;
      if (!entry.isDirectory()) await addFile(folder, entry, entryPath, listing, files);
      else if (depth < MAX_DEPTH) {
        await addFolder(join(folder.stablePath, entry.name), entryPath, depth + 1, listing, files);
      }
    }
  } finally {
    await folder.handle.close();
  }
}

interface OpenFolder {
  readonly handle: FileHandle;
  readonly realPath: string;
  /** On Linux a path of the open folder that stays valid if the folder is renamed; elsewhere the real path. */
  readonly stablePath: string;
}

/** Opens a folder; undefined if clients see no such folder. */
async function openFolder(path: string, { mayOpen }: Listing): Promise<OpenFolder | undefined> {
  try {
    const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);
    const realPath = await realpath(path);
    const handle = await openReal(realPath, flags, mayOpen);
    const descriptorPath = `/proc/self/fd/${handle.fd}`;
    const hasDescriptorPath = await access(descriptorPath).then(
      () => true,
      () => false,
    );
    return { handle, realPath, stablePath: hasDescriptorPath ? descriptorPath : realPath };
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** The entries of a folder, sorted by name; none if its path now leads to another folder. */
async function entriesOf({ handle, stablePath, realPath }: OpenFolder): Promise<Dirent[]> {
  try {
    const entries = await readdir(stablePath, { withFileTypes: true });
    // Without a descriptor path, the entries are those of the real path, which must still be the open folder.
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
  files: FoundFile[],
): Promise<void> {
  try {
    const systemPath = join(folder.stablePath, entry.name);
    const status = entry.isSymbolicLink()
      ? await targetStatus(systemPath, mayOpen)
      : await lstat(systemPath);
    if (!status.isFile() || status.size > maxBytes) return;
    files.push({ path, size: status.size, modifiedMs: status.mtimeMs });
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

/** The status of a link's target. @throws RefusedFileError if the target must not be opened */
async function targetStatus(link: string, mayOpen: Listing["mayOpen"]): Promise<Stats> {
  const handle = await openReal(await realpath(link), constants.O_RDONLY, mayOpen);
  try {
    return await handle.stat();
  } finally {
    await handle.close();
  }
}
