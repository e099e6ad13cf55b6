import { readdirSync, statSync, type Dirent } from "node:fs";
import { dirname, join } from "node:path";
import { patternsOf } from "../../1-load/load-parts.js";
import { loadManifest } from "../../1-load/load.js";
import { findParts, problemOfPattern } from "../../1-load/part-files.js";
import { readManifest } from "../../1-load/read.js";
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
  /** Those of `files` that are the manifest or included by it. */
  readonly manifest: readonly string[];
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
  const included = includedFiles(manifest);
  const folders = [
    dirname(manifest),
    ...included.folders,
    outDir,
    ...sourceFolders(source, join(source, "removed"), add),
  ];
  const ofManifest = [manifest, ...included.files];
  for (const path of ofManifest) add(path);
  for (const name of CONFIGURATION) add(join(outDir, name));
  for (const name of neededPackages(outDir)) {
    const path = findPackage(name, outDir);
    if (path !== undefined) add(path);
  }
  return { files, folders, manifest: ofManifest };
}

/** The patterns of `include` by the path of the manifest, and its state when they were read. */
const patterns = new Map<string, { readonly state: string; readonly found: readonly string[] }>();

/** The files that a manifest includes, and the folders in which others could appear. Absolute. */
function includedFiles(manifest: string): { files: string[]; folders: string[] } {
  const state = stateOf(manifest) ?? "";
  const former = patterns.get(manifest);
  if (former?.state !== state) {
    // While the manifest cannot be read, its former patterns stay.
    const found = patternsOfFile(manifest) ?? former?.found ?? [];
    patterns.set(manifest, { state, found });
  }
  const parts = (patterns.get(manifest)?.found ?? []).map((one) => findParts(manifest, one));
  return {
    files: parts.flatMap(({ files }) => files.map((path) => join(dirname(manifest), path))),
    folders: parts.flatMap(({ folders }) => folders),
  };
}

function patternsOfFile(path: string): readonly string[] | undefined {
  const { bytes } = readManifest(path);
  const loaded = bytes && loadManifest(path, bytes).manifest;
  return loaded && patternsOf(loaded).filter((text) => problemOfPattern(text) === undefined);
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

/** A copy of a snapshot in which the files of the manifest have the states that they had in an earlier snapshot. */
export function withManifestOf(earlier: Snapshot, later: Snapshot): Snapshot {
  const files = new Map(later.files);
  for (const path of new Set([...earlier.manifest, ...later.manifest])) {
    const state = earlier.files.get(path);
    if (state === undefined) files.delete(path);
    else files.set(path, state);
  }
  return { ...later, files };
}
