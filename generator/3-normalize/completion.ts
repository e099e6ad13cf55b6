import type { ManifestCompletion } from "../model/manifest.js";
import type { CompletionModel } from "../model/server-model.js";

/** What `complete` says, as a field to spread; nothing where it offers no values. */
export function completion(complete: ManifestCompletion | undefined): {
  complete?: CompletionModel;
} {
  return complete === undefined ? {} : { complete };
}
