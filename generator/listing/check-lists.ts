import type { Diagnostic } from "../model/diagnostic.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import type { ServerModel } from "../model/server-model.js";
import { checkIntents, hasIntents } from "./intents.js";
import { checkTokenBudget, hasTokenBudget } from "./token-budget.js";

/**
 * Checks the lists that models read, as far as the manifest asks for it.
 * @param model Makes the model of the manifest, in which no rule has found an error. It is made only if it is needed.
 */
export async function checkLists(
  manifest: LoadedManifest,
  model: () => ServerModel,
): Promise<readonly Diagnostic[]> {
  return [
    ...(hasIntents(manifest) ? checkIntents(manifest, model()) : []),
    ...(hasTokenBudget(manifest) ? await checkTokenBudget(manifest, model()) : []),
  ];
}
