import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { FileOwner, ItemId } from "../model/output-file.js";

/** Path of the lock in the output folder. */
export const LOCK_PATH = "mcpwright.lock.json";
export const LOCK_VERSION = 2;

/** The entry of one file in the lock. */
export interface LockedFile {
  readonly owner: FileOwner;
  /**
   * Hashes of the generated content, with normalised line ends. There is one hash, but two if the lock was merged
   * from two sides. The hash of a Markdown page consists of the hashes of its sections, joined with spaces.
   */
  readonly hashes: readonly string[];
  /** Handlers and starter tests: the item, or the project's own transport, that they belong to. */
  readonly item?: ItemId;
  /** Handlers: the constant that the registry imports. */
  readonly exportName?: string;
  /** The runtime: when its sources were committed, in UTC, like `2026-11-28T09:52:58Z`. */
  readonly sourceDate?: string;
  /** Merged files: what was generated, the base of the next merge. */
  readonly base?: JsonValue;
}

/** An edited handler or starter test whose item, or transport, left the manifest. */
export interface RemovedFile {
  readonly owner: "handler" | "starter-test";
  readonly item: ItemId;
  /** Its former path, to which its relative imports refer. */
  readonly path?: string;
  /** Handlers: the constant that the registry imported. */
  readonly exportName?: string;
}

/** `mcpwright.lock.json`: the generated files, and the manifest that they were made from. */
export interface Lock {
  /** Version of the mcpwright that last changed the lock. An older version refuses the project. */
  readonly generator: string;
  /** The canonical manifest: the old side of the semantic comparison. */
  readonly manifest: JsonObject;
  /** By path. */
  readonly files: ReadonlyMap<string, LockedFile>;
  /** By path under `src/removed/`. */
  readonly removed: ReadonlyMap<string, RemovedFile>;
}

/** The names and former names of the items in a canonical manifest, each with its list: `tools get_forecast`. */
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
