import type { Place } from "./place.js";
import type { JsonObject } from "./json.js";
import type { Manifest } from "./manifest.js";

/** A path into the manifest's value: `["tools", 0, "inputSchema"]`. */
export type ManifestPath = readonly (string | number)[];

/** The value of a manifest in which 2-validate has found no error. TypeScript does not see what a schema has checked. */
export function validManifest(value: JsonObject): Manifest {
  return value as unknown as Manifest;
}

/** A manifest that is one YAML document with a mapping at its root. Nothing else has been checked yet. */
export interface LoadedManifest {
  /** Path as the user gave it. */
  readonly file: string;
  /** The texts of its files as read, without a byte-order mark, by the paths that places have. */
  readonly texts: ReadonlyMap<string, string>;
  /** The document's value. Aliases are deep copies. No object has a key that would change its prototype. */
  readonly value: JsonObject;
  /**
   * The position of a node. If the path does not exist, the position of its nearest existing ancestor.
   * With `key`, the position of the key of a mapping entry; list items and the root have no key, so that
   * they give the position of the value.
   */
  locate(path: ManifestPath, target: "key" | "value"): Place;
}
