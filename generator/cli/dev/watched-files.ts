import { readdirSync, statSync, type Dirent } from "node:fs";
import { dirname, join } from "node:path";
import { findPackage, neededPackages } from "../type-check/installed-packages.js";

/** The manifest and the project that `dev` watches. */
export interface WatchedPaths {
  /** The path of the manifest. Absolute. */
  readonly manifest: string;
  /** The project's folder. Absolute. It need not exist yet. */
  readonly outDir: string;
}

/** The states of the watched files at one moment. */
export interface Snapshot {
  /** For each file, by its absolute path, a text that differs after each save. */
  readonly files: ReadonlyMap<string, string>;
  /** Absolute paths of the folders that contain watched files. */
  readonly folders: readonly string[];
}

/** Files in the project's folder. The server reads `.env`, and npm rewrites the others. */
const CONFIGURATION = ["package.json", "tsconfig.json", ".env"];

/** Names of files that editors and mcpwright create for a moment. */
const TEMPORARY = /^[.#]|~$|\.(swp|swx|tmp|bak|orig)$|^4913$/;

/** Reads the states of the manifest, the project's configuration and dependencies, and all files under `src/`. */
export function takeSnapshot({ manifest, outDir }: WatchedPaths): Snapshot {
  const source = join(outDir, "src");
  const files = new Map<string, string>();
  const add = (path: string): void => {
    const state = stateOf(path);
    if (state !== undefined) files.set(path, state);
  };
  const folders = [
    dirname(manifest),
    outDir,
    ...sourceFolders(source, join(source, "removed"), add),
  ];
  add(manifest);
  for (const name of CONFIGURATION) add(join(outDir, name));
  for (const name of neededPackages(outDir)) {
    const path = findPackage(name, outDir);
    if (path !== undefined) add(path);
  }
  return { files, folders };
}

/** Calls `add` for every file below a folder. Returns the folder and all folders below it, without `excluded`. */
function sourceFolders(folder: string, excluded: string, add: (path: string) => void): string[] {
  const folders = [folder];
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (TEMPORARY.test(entry.name) || path === excluded) continue;
    if (entry.isDirectory()) folders.push(...sourceFolders(path, excluded, add));
    else add(path);
  }
  return folders;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * The time of the last change, the size and the inode of a file. Each save changes at least one of them, even if
 * the editor replaces the file by a new one. Undefined for pipes and devices, since reading them may never end.
 */
function stateOf(path: string): string | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
}

/** Sorted paths of the files that were created, deleted or changed between two snapshots. */
export function differences(before: Snapshot, after: Snapshot): string[] {
  const paths = new Set([...before.files.keys(), ...after.files.keys()]);
  return [...paths].filter((path) => before.files.get(path) !== after.files.get(path)).sort();
}

/** A copy of a snapshot in which one file has the state that it had in an earlier snapshot. */
export function withFileOf(
  earlier: Snapshot,
  path: string,
  { files, folders }: Snapshot,
): Snapshot {
  const merged = new Map(files);
  const state = earlier.files.get(path);
  if (state === undefined) merged.delete(path);
  else merged.set(path, state);
  return { files: merged, folders };
}
