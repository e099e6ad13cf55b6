import type {
  Implementation,
  Prompt,
  Resource,
  ResourceTemplateType,
  Tool,
} from "@modelcontextprotocol/client";

import type { Skill } from "./skills.js";
import { valueOf, type ItemMarks, type OfItems } from "./item-marks.js";

/** The contents of all lists of a server. */
export interface Catalogue {
  readonly server: Implementation;
  readonly instructions?: string | undefined;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplateType[];
  readonly prompts: readonly Prompt[];
  /** Absent if the server does not know skills. */
  readonly skills?: readonly Skill[];
  /** What the page shows of items beside the lists. */
  readonly marks?: OfItems<ItemMarks>;
}

/** An item with its kind and its key, which is unique among the items of that kind. */
export type Item =
  | { readonly kind: "tool"; readonly key: string; readonly item: Tool }
  | { readonly kind: "resource"; readonly key: string; readonly item: Resource }
  | { readonly kind: "template"; readonly key: string; readonly item: ResourceTemplateType }
  | { readonly kind: "prompt"; readonly key: string; readonly item: Prompt }
  | { readonly kind: "skill"; readonly key: string; readonly item: Skill };

export type ItemKind = Item["kind"];

export const ITEM_KINDS: readonly ItemKind[] = ["tool", "resource", "template", "prompt", "skill"];

/** All items, in the order of the server's lists. The text of a skill, which is a resource too, is listed as a skill only. */
export function itemsOf(catalogue: Catalogue): readonly Item[] {
  const { tools, resources, resourceTemplates, prompts, skills = [] } = catalogue;
  const skillUris = new Set(skills.map(({ uri }) => uri));
  return [
    ...tools.map((item) => ({ kind: "tool" as const, key: item.name, item })),
    ...resources
      .filter(({ uri }) => !skillUris.has(uri))
      .map((item) => ({ kind: "resource" as const, key: item.uri, item })),
    ...resourceTemplates.map((item) => ({
      kind: "template" as const,
      key: item.uriTemplate,
      item,
    })),
    ...prompts.map((item) => ({ kind: "prompt" as const, key: item.name, item })),
    ...skills.map((item) => ({ kind: "skill" as const, key: item.uri, item })),
  ];
}

/** What the page shows of an item beside its definition. */
export function marksOf({ marks }: Catalogue, item: Item): ItemMarks {
  return valueOf(marks, item) ?? {};
}

/** The name of an item for people. */
export function titleOf({ kind, item }: Item): string {
  // In older revisions, the title of a tool is an annotation.
  return item.title ?? (kind === "tool" ? item.annotations?.title : undefined) ?? item.name;
}

/** The items whose names or descriptions have every word of a search. */
export function searchItems(items: readonly Item[], search: string): readonly Item[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter((listed) => {
    const { key, item } = listed;
    const text = `${key} ${item.name} ${titleOf(listed)} ${item.description ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
