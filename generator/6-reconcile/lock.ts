import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { FileOwner, ItemId } from "../model/output-file.js";

/** Path of the lock in the output folder. */
export const LOCK_PATH = "mcpwright.lock.json";
export const LOCK_VERSION = 2;

/** What the last generation did to one file. */
export interface LockedFile {
  readonly owner: FileOwner;
  /**
   * Hashes (line ends normalised) of the content as generated. One, but for a lock that a merge left with
   * conflict markers: there, one of each side. Of a page in Markdown, those of its sections, joined with spaces.
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
  /** Version of the mcpwright that last changed it; an older one refuses the project. */
  readonly generator: string;
  /** The manifest, canonical: the old side of the semantic comparison. */
  readonly manifest: JsonObject;
  /** By path. */
  readonly files: ReadonlyMap<string, LockedFile>;
  /** By path under `src/removed/`. */
  readonly removed: ReadonlyMap<string, RemovedFile>;
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
