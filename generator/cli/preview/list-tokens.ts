import { listCost } from "../../listing/list-cost.js";
import type { ItemModel, ServerModel } from "../../model/server-model.js";

/** How many tokens the lists take, as the page shows it. */
export interface ListTokens {
  readonly all: number;
  /** The tokens of each listed item, by the kinds of the page and the keys of its items. */
  readonly items: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Counts the tokens of the lists. Items that are only found by search have none. */
export async function listTokens(model: ServerModel): Promise<ListTokens> {
  const { tokens: all, items } = await listCost(model);
  const counted = new Map(items.map(({ kind, name, tokens }) => [`${kind} ${name}`, tokens]));
  const keyed = <Listed extends ItemModel>(
    listed: readonly Listed[],
    keyOf: (item: Listed) => string,
  ): Record<string, number> =>
    Object.fromEntries(
      listed.flatMap((item) => {
        const tokens = counted.get(`${item.kind} ${item.name}`);
        return tokens === undefined ? [] : [[keyOf(item), tokens]];
      }),
    );
  return {
    all,
    items: {
      tool: keyed(model.tools, ({ name }) => name),
      resource: keyed(model.resources, ({ uri }) => uri),
      template: keyed(model.resourceTemplates, ({ uriTemplate }) => uriTemplate),
      prompt: keyed(model.prompts, ({ name }) => name),
    },
  };
}
