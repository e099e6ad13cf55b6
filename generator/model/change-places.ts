import type { ManifestPath } from "./loaded-manifest.js";
import type { ChangePlace } from "./semantic-rule.js";

/** The place to which a path of keys leads in the new manifest. */
export function placeAt(...path: ManifestPath): ChangePlace {
  return { at: path, name: path };
}

/** The place of a setting that the new manifest does not have: diagnostics point at its root. */
export function missingPlace(...name: ManifestPath): ChangePlace {
  return { at: [], name };
}

/** The place to which a path leads from another place. */
export function placeBelow({ at, name }: ChangePlace, ...path: ManifestPath): ChangePlace {
  return { at: [...at, ...path], name: [...name, ...path] };
}
