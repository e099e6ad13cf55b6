import type { ServerDefinition } from "../engine/definition.js";
import type { AnyHandler, ItemLists } from "../engine/item.js";

/** Names a function that a developer writes, such as a handler or a completion. */
export interface HandledItem {
  readonly kind: ItemKind | OtherCodeKind;
  readonly name: string;
  /** For a completion: the name of the argument or variable that it completes. */
  readonly argument?: string;
}

/** Returns the function that replaces the named one. Undefined keeps the original. */
export type ReplaceHandler = (item: HandledItem) => AnyHandler<unknown> | undefined;

export type ItemKind = "tool" | "resource" | "resourceTemplate" | "prompt";
type OtherCodeKind = "promptCompletion" | "resourceTemplateCompletion" | "resourceTemplateList";
/** For each kind of item, the member of the server definition that lists the items. */
const listNames = {
  tool: "tools",
  resource: "resources",
  resourceTemplate: "resourceTemplates",
  prompt: "prompts",
} as const;

/** Returns a copy of the definition in which `replace` has replaced handlers and other functions. */
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
