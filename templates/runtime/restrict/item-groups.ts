import type { Item } from "../engine/item.js";

/** Whether an item is in one of these groups. An item without groups is in none. */
export function isInGroups(
  { groups = [] }: Pick<Item, "groups">,
  chosen: readonly string[],
): boolean {
  return groups.some((group) => chosen.includes(group));
}

/** Whether an item only reads: resources and prompts do, and tools that say so. */
export function onlyReads({ definition }: Item): boolean {
  const { inputSchema, annotations } = definition as {
    readonly inputSchema?: unknown;
    readonly annotations?: { readonly readOnlyHint?: boolean };
  };
  return inputSchema === undefined || annotations?.readOnlyHint === true;
}
