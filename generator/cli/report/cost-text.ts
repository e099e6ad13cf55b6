import { costliestItems } from "../../listing/list-cost.js";
import type { ItemCost, ListCost } from "../../model/list-cost.js";
import { printable } from "../../text/printable.js";
import { withThousands } from "../../text/thousands.js";
import type { Paint } from "../terminal.js";

/** How many items a report names. It counts the others together. */
const NAMED_ITEMS = 5;

const KINDS: Readonly<Record<ItemCost["kind"], string>> = {
  tool: "tool",
  resource: "resource",
  resourceTemplate: "resource template",
  prompt: "prompt",
};

/** An item with what it cost before: 0 if it is new. After a removal, `tokens` is 0. */
interface ComparedItem {
  readonly kind: ItemCost["kind"];
  readonly name: string;
  readonly tokens: number;
  readonly before: number;
}

/**
 * What the lists cost, for people: the total, and the items whose cost has changed or, if there are none, the costliest.
 * @param former What they cost before. Undefined if there is nothing to compare with.
 */
export function costText(cost: ListCost, former: ListCost | undefined, paint: Paint): string {
  if (cost.items.length === 0 && former === undefined) return "";
  const total = `${withThousands(cost.tokens)} tokens${differenceText(cost.tokens, former?.tokens)}`;
  const changed = former === undefined ? [] : changedItems(cost, former);
  const named = changed.slice(0, NAMED_ITEMS).map((item) => itemLine(item, item.before));
  const others = changed.length - named.length;
  const lines =
    changed.length > 0
      ? [...named, ...(others > 0 ? [`  and ${others} more`] : [])]
      : costliestItems(cost.items, NAMED_ITEMS).map((item) => itemLine(item, undefined));
  return [`${paint("bold", "What the lists cost a model:")} ${total}`, ...lines, ""].join("\n");
}

/**
 * The costs in the form of the `--json` documents.
 *
 * @param maximum how many items to list, the costliest then; all without it
 */
export function reportedCost(
  cost: ListCost,
  former: ListCost | undefined,
  maximum?: number,
): object {
  const items: readonly (ItemCost | ComparedItem)[] =
    former === undefined ? cost.items : comparedItems(cost, former);
  const isShort = maximum !== undefined && items.length > maximum;
  return {
    lists: cost.tokens,
    ...(former && { before: former.tokens }),
    items: (isShort ? costliestItems(items, maximum) : items).map((item) => ({
      kind: item.kind,
      name: item.name,
      tokens: item.tokens,
      ...("before" in item && { before: item.before }),
    })),
  };
}

function comparedItems(cost: ListCost, former: ListCost): readonly ComparedItem[] {
  const keyOf = ({ kind, name }: ItemCost): string => `${kind} ${name}`;
  const before = new Map(former.items.map((item) => [keyOf(item), item.tokens]));
  const now = new Set(cost.items.map(keyOf));
  const removed = former.items.filter((item) => !now.has(keyOf(item)));
  return [
    ...cost.items.map((item) => ({ ...item, before: before.get(keyOf(item)) ?? 0 })),
    ...removed.map((item) => ({ ...item, tokens: 0, before: item.tokens })),
  ];
}

/** The items whose cost has changed, the greatest change first. */
function changedItems(cost: ListCost, former: ListCost): readonly ComparedItem[] {
  const changeOf = ({ tokens, before }: ComparedItem): number => Math.abs(tokens - before);
  return comparedItems(cost, former)
    .filter((item) => changeOf(item) > 0)
    .sort((one, other) => changeOf(other) - changeOf(one));
}

function itemLine(
  { kind, name, tokens }: Pick<ItemCost, "kind" | "name" | "tokens">,
  before: number | undefined,
): string {
  return `  ${KINDS[kind]} ${printable(name)}: ${withThousands(tokens)}${differenceText(tokens, before)}`;
}

function differenceText(tokens: number, before: number | undefined): string {
  if (before === undefined || tokens === before) return "";
  return ` (${tokens > before ? "+" : "-"}${withThousands(Math.abs(tokens - before))})`;
}
