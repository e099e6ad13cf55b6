import type { ManifestCompletion } from "../model/manifest.js";

/** The values that `complete` lists, as a field to spread; nothing where it names none. */
export function completionValues(complete: ManifestCompletion | undefined): {
  complete?: readonly string[];
} {
  return Array.isArray(complete) ? { complete } : {};
}
