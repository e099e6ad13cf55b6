import type { Place } from "./catalogue-entry.js";
import type { JsonObject } from "./json.js";

/** A path into the manifest's value: `["tools", 0, "inputSchema"]`. */
export type ManifestPath = readonly (string | number)[];

/** A manifest that is one YAML document with a mapping at its root; nothing else is known about it yet. */
export interface LoadedManifest {
  /** Path as the user gave it; diagnostics carry it. */
  readonly file: string;
  /** The text as read, without a byte-order mark. */
  readonly text: string;
  /** The document's value. Aliases are deep copies. Objects have no prototype-changing keys. */
  readonly value: JsonObject;
  /**
   * Where a node stands. For a path that does not exist, the nearest existing ancestor.
   * `key` points at the key of a mapping entry (or at the value, for list items and the root).
   */
  locate(path: ManifestPath, target: "key" | "value"): Place;
}
