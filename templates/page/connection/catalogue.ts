import type {
  Implementation,
  Prompt,
  Resource,
  ResourceTemplateType,
  Tool,
} from "@modelcontextprotocol/client";

/** All that a server lists of itself. */
export interface Catalogue {
  readonly server: Implementation;
  readonly instructions?: string | undefined;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplateType[];
  readonly prompts: readonly Prompt[];
}

/** An item with the list that it is from. */
export type Item =
  | { readonly kind: "tool"; readonly key: string; readonly item: Tool }
  | { readonly kind: "resource"; readonly key: string; readonly item: Resource }
  | { readonly kind: "template"; readonly key: string; readonly item: ResourceTemplateType }
  | { readonly kind: "prompt"; readonly key: string; readonly item: Prompt };

export type ItemKind = Item["kind"];

export const ITEM_KINDS: readonly ItemKind[] = ["tool", "resource", "template", "prompt"];

/** All items, in the order in which the server lists them. Their keys tell those of one kind apart. */
export function itemsOf(catalogue: Catalogue): readonly Item[] {
  const { tools, resources, resourceTemplates, prompts } = catalogue;
  return [
    ...tools.map((item) => ({ kind: "tool" as const, key: item.name, item })),
    ...resources.map((item) => ({ kind: "resource" as const, key: item.uri, item })),
    ...resourceTemplates.map((item) => ({
      kind: "template" as const,
      key: item.uriTemplate,
      item,
    })),
    ...prompts.map((item) => ({ kind: "prompt" as const, key: item.name, item })),
  ];
}

/** What people call an item. */
export function titleOf({ kind, item }: Item): string {
  // Tools had their titles among the annotations before they had one of their own.
  return item.title ?? (kind === "tool" ? item.annotations?.title : undefined) ?? item.name;
}

/** The items that have every word of a search in their names or descriptions. */
export function searchItems(items: readonly Item[], search: string): readonly Item[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter((listed) => {
    const { key, item } = listed;
    const text = `${key} ${item.name} ${titleOf(listed)} ${item.description ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
