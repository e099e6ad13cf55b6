import { resourceTools } from "../../templates/runtime/resource-tools/definitions.js";
import { accountTools } from "../../templates/runtime/linked-accounts/definitions.js";
import { gatewayTools } from "../../templates/runtime/search/gateway-tools.js";
import { tokenBudget } from "../model/catalogue/rules-items.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject } from "../model/json.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import type { ServerModel } from "../model/server-model.js";
import { quoted } from "../text/value-words.js";
import { costliestItems, listCost } from "./list-cost.js";

/** How many items a warning names. */
const NAMED_ITEMS = 3;

/** The names of the tools that the server adds, which nobody can make smaller. */
const ADDED_NAMES: ReadonlySet<string> = new Set(
  [...gatewayTools, ...resourceTools, ...accountTools([])].map(({ name }) => name),
);

/** Whether the manifest sets a budget. The model of others need not be made to know. */
export function hasTokenBudget({ value }: LoadedManifest): boolean {
  const { diagnostics } = value;
  return isJsonObject(diagnostics) && typeof diagnostics["tokenBudget"] === "number";
}

/** Warns of lists that take more tokens than the manifest's `diagnostics.tokenBudget`. */
export async function checkTokenBudget(
  manifest: LoadedManifest,
  model: ServerModel,
): Promise<readonly Diagnostic[]> {
  const { tokenBudget: budget } = model;
  if (budget === undefined) return [];
  const cost = await listCost(model);
  if (cost.tokens <= budget) return [];
  const place = manifest.locate(["diagnostics", "tokenBudget"], "value");
  const declared = cost.items.filter(({ name }) => !ADDED_NAMES.has(name));
  const costliest = costliestItems(declared, NAMED_ITEMS).map((item) => ({
    ...item,
    name: quoted(item.name),
  }));
  return [tokenBudget(place, { found: cost.tokens, budget, costliest })];
}
