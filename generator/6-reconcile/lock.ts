import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { FileOwner, ItemId } from "../model/output-file.js";
import { manifestText } from "./locked-manifest.js";
import { byCodeUnits } from "./safe-path.js";

/** Path of the lock in the output folder. */
export const LOCK_PATH = "mcpwright.lock.json";
export const LOCK_VERSION = 1;

/** What the last generation did to one file. */
export interface LockedFile {
  readonly owner: FileOwner;
  /**
   * Hashes (line ends normalised) of the content as generated. One, but for a lock that a merge left with
   * conflict markers: there, one of each side.
   */
  readonly hashes: readonly string[];
  /** Handlers and starter tests: the item that they belong to. */
  readonly item?: ItemId;
  /** Handlers: the constant that the registry imports. */
  readonly exportName?: string;
  /** Merged files: what was generated, the base of the next merge. */
  readonly base?: JsonValue;
}

/** An edited handler or starter test whose item left the manifest. */
export interface RemovedFile {
  readonly owner: "handler" | "starter-test";
  readonly item: ItemId;
  /** Where it was, so that its relative imports can be read. */
  readonly path?: string;
  /** Handlers: the constant that the registry imported. */
  readonly exportName?: string;
}

/** `mcpwright.lock.json`: what was generated, from what. */
export interface Lock {
  /** Version of the mcpwright that wrote it. */
  readonly generator: string;
  /** Hash of the fixed templates and runtime that went in. */
  readonly templates: string;
  /** Hash of everything that the generation depends on; absent while a file waits for a person. */
  readonly input?: string;
  /** The manifest, canonical: the old side of the semantic comparison. */
  readonly manifest: JsonObject;
  /** By path. */
  readonly files: ReadonlyMap<string, LockedFile>;
  /** By path under `src/removed/`. */
  readonly removed: ReadonlyMap<string, RemovedFile>;
}

/**
 * The text of a lock in UTF-8: sorted, one file and one item of the manifest a line, so that version control
 * merges it line by line.
 */
export function writeLock(lock: Lock): Buffer {
  const head = {
    lockVersion: LOCK_VERSION,
    generator: lock.generator,
    templates: lock.templates,
    ...(lock.input !== undefined && { input: lock.input }),
  };
  const opening = JSON.stringify(head, null, 2).slice(0, -"\n}".length);
  const files = writeEntries(lock.files, writeLockedFile);
  const removed = writeEntries(lock.removed, writeRemovedFile);
  const manifest = manifestText(lock.manifest);
  return Buffer.from(
    `${opening},\n  "manifest": ${manifest},\n  "files": ${files},\n  "removed": ${removed}\n}\n`,
  );
}

function writeEntries<Entry>(
  entries: ReadonlyMap<string, Entry>,
  write: (entry: Entry) => string,
): string {
  const lines = [...entries.keys()].sort(byCodeUnits).map((path) => {
    const entry = entries.get(path);
    return entry === undefined ? "" : `    ${JSON.stringify(path)}: ${write(entry)}`;
  });
  return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n  }`;
}

/** Its members are put together here: making an object of them first takes several times as long. */
function writeLockedFile({ owner, hashes, item, exportName, base }: LockedFile): string {
  let members = `"owner":"${owner}","hash":"${hashes[0] ?? ""}"`;
  if (item !== undefined) members += `,"item":${JSON.stringify(item)}`;
  if (exportName !== undefined) members += `,"exportName":${JSON.stringify(exportName)}`;
  if (base !== undefined) members += `,"base":${JSON.stringify(base)}`;
  return `{${members}}`;
}

function writeRemovedFile({ owner, item, path, exportName }: RemovedFile): string {
  return JSON.stringify({
    owner,
    item,
    ...(path !== undefined && { path }),
    ...(exportName !== undefined && { exportName }),
  });
}

/** The names, former ones included, of the items that a canonical manifest describes, by list. */
export function itemNamesOf(manifest: JsonObject): Set<string> {
  const lists = ["tools", "resources", "resourceTemplates", "prompts"];
  return new Set(
    lists.flatMap((list) => {
      const items = manifest[list];
      if (!Array.isArray(items)) return [];
      return items
        .filter(isJsonObject)
        .flatMap(({ name, renamedFrom = [] }) => [name, renamedFrom].flat())
        .map((name) => `${list} ${String(name)}`);
    }),
  );
}
