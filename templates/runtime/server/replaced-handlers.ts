import type { ServerDefinition } from "../engine/definition.js";
import type { AnyHandler, Item, ItemLists } from "../engine/item.js";

/** A piece of code that a person writes: a handler, say. */
export interface HandledItem {
  readonly kind: ItemKind | OtherCodeKind;
  readonly name: string;
  /** The argument or variable of a completion. */
  readonly argument?: string;
}

/** Returns another handler for an item; undefined keeps the item's own. */
export type ReplaceHandler = (item: HandledItem) => AnyHandler<unknown> | undefined;

export type ItemKind = "tool" | "resource" | "resourceTemplate" | "prompt";
type OtherCodeKind = "promptCompletion" | "resourceTemplateCompletion" | "resourceTemplateList";

declare module "../engine/definition.js" {
  interface RuntimeParts {
    /** Replaces the code that an item has beside its handler. */
    readonly replaceOtherCode?: (kind: ItemKind, entry: Item, replace: ReplaceHandler) => object;
  }
}

/** The lists of items that a server may have, by the kinds of their items. */
const listNames = {
  tool: "tools",
  resource: "resources",
  resourceTemplate: "resourceTemplates",
  prompt: "prompts",
} as const;

/** The same definition, with replaced code behind its items. */
export function withReplacedHandlers(
  definition: ServerDefinition,
  replace: ReplaceHandler | undefined,
): ServerDefinition {
  if (replace === undefined) return definition;
  const { replaceOtherCode } = definition;
  const replaced = Object.entries(listNames).map(([kind, list]) => {
    const entries = (definition as ItemLists)[list] ?? [];
    const changed = entries.map((entry) => {
      const handler =
        entry.handler && replace({ kind: kind as ItemKind, name: entry.definition.name });
      return {
        ...entry,
        ...(handler && { handler: () => handler }),
        ...replaceOtherCode?.(kind as ItemKind, entry, replace),
      };
    });
    return [list, changed] as const;
  });
  return { ...definition, ...Object.fromEntries(replaced) };
}
