import { readdirSync, statSync, type Dirent } from "node:fs";
import { dirname, join } from "node:path";
import { findPackage, neededPackages } from "../type-check/installed-packages.js";

/** What of a project `dev` looks at. */
export interface WatchedPlaces {
  /** Absolute. */
  readonly manifest: string;
  /** Absolute; need not exist yet. */
  readonly outDir: string;
}

/** How the watched files are at one moment. */
export interface Snapshot {
  /** Absolute path → what differs after each save. */
  readonly files: ReadonlyMap<string, string>;
  /** Absolute paths of the folders whose entries matter. */
  readonly folders: readonly string[];
}

/** In the project's folder; `.env` is read by the server, and npm rewrites the others. */
const CONFIGURATION = ["package.json", "tsconfig.json", ".env"];

/** What editors and mcpwright itself put beside a file for a moment. */
const PASSING = /^[.#]|~$|\.(swp|swx|tmp|bak|orig)$|^4913$/;

/** Looks at the manifest, the project's configuration and dependencies, and everything under `src/`. */
export function takeSnapshot({ manifest, outDir }: WatchedPlaces): Snapshot {
  const source = join(outDir, "src");
  const files = new Map<string, string>();
  const look = (path: string): void => {
    const state = stateOf(path);
    if (state !== undefined) files.set(path, state);
  };
  const folders = [
    dirname(manifest),
    outDir,
    ...sourceFolders(source, join(source, "removed"), look),
  ];
  look(manifest);
  for (const name of CONFIGURATION) look(join(outDir, name));
  for (const name of neededPackages(outDir)) {
    const path = findPackage(name, outDir);
    if (path !== undefined) look(path);
  }
  return { files, folders };
}

/** Shows every file below a folder to `look`, and returns the folders. */
function sourceFolders(folder: string, leftOut: string, look: (path: string) => void): string[] {
  const folders = [folder];
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (PASSING.test(entry.name) || path === leftOut) continue;
    if (entry.isDirectory()) folders.push(...sourceFolders(path, leftOut, look));
    else look(path);
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
 * A save changes at least one of the three, also one that renames a new file over the old. A pipe or a device is no
 * source: reading one may never end.
 */
function stateOf(path: string): string | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
}

/** Paths of files that came, went or changed between two moments. */
export function differences(before: Snapshot, after: Snapshot): string[] {
  const paths = new Set([...before.files.keys(), ...after.files.keys()]);
  return [...paths].filter((path) => before.files.get(path) !== after.files.get(path)).sort();
}

/** A snapshot in which one file is as it was in an earlier one. */
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
