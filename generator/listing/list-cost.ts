import { resourceTools as addedResourceTools } from "../../templates/runtime/resource-tools/definitions.js";
import { gatewayTools } from "../../templates/runtime/search/gateway-tools.js";
import type { ItemCost, ListCost } from "../model/list-cost.js";
import { addedAccountTools } from "../model/linked-accounts.js";
import type { ItemModel, ServerModel } from "../model/server-model.js";
import { loadTokenizer } from "./load-tokenizer.js";

/** An item as the server lists it. */
interface ListedItem {
  readonly kind: ItemModel["kind"];
  readonly name: string;
  readonly wire: object;
}

/** Counts the tokens of everything that a server lists. Items that it lists only at times count, too. */
export async function listCost(model: ServerModel): Promise<ListCost> {
  const { countTokens } = await loadTokenizer();
  const items = listedItems(model).map((item) => itemCost(item, countTokens));
  return { tokens: items.reduce((sum, { tokens }) => sum + tokens, 0), items };
}

function listedItems(model: ServerModel): readonly ListedItem[] {
  const { exposure, resourceTools, tools, resources, resourceTemplates, prompts } = model;
  const listed = exposure && new Set(exposure.listed);
  const added = gatewayTools.map(asListed);
  const ofResources = addedResourceTools.map(asListed);
  return [
    ...tools.filter(({ name }) => listed === undefined || listed.has(name)),
    ...(exposure === undefined ? [] : added),
    ...(resourceTools === true ? ofResources : []),
    ...addedAccountTools(model).map(asListed),
    ...resources,
    ...resourceTemplates,
    ...prompts,
  ];
}

function asListed(wire: { readonly name: string }): ListedItem {
  return { kind: "tool", name: wire.name, wire };
}

function itemCost(
  { kind, name, wire }: ListedItem,
  countTokens: (text: string) => number,
): ItemCost {
  const members = Object.entries(wire).map(([member, value]) => ({
    member,
    tokens: countTokens(JSON.stringify({ [member]: value })),
  }));
  const costliest = members.reduce((one, other) => (other.tokens > one.tokens ? other : one));
  return { kind, name, tokens: countTokens(JSON.stringify(wire)), costliest };
}

/** The costliest items, most tokens first. */
export function costliestItems<Item extends { readonly tokens: number }>(
  items: readonly Item[],
  count: number,
): readonly Item[] {
  return [...items].sort((one, other) => other.tokens - one.tokens).slice(0, count);
}
