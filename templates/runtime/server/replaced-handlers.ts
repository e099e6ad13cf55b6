import type { ServerDefinition } from "../engine/definition.js";
import type { AnyHandler, CompletionSource, Item, ItemLists } from "../engine/item.js";
import type { Late } from "../engine/awaitable.js";

/** Names a function that a developer writes, such as a handler or a completion. */
export interface HandledItem {
  readonly kind: ItemKind | OtherCodeKind;
  readonly name: string;
  /** For a completion: the name of the argument or variable that it completes. */
  readonly argument?: string;
}

/** Returns the function that replaces the named one. Undefined keeps the original. */
export type ReplaceHandler = (item: HandledItem) => AnyHandler<unknown> | undefined;

type ItemKind = "tool" | "resource" | "resourceTemplate" | "prompt";
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
  replace: ReplaceHandler,
): ServerDefinition {
  const replaced = Object.entries(listNames).map(([kind, list]) => {
    const entries = (definition as ItemLists)[list] ?? [];
    const changed = entries.map((entry) => {
      const handler =
        entry.handler && replace({ kind: kind as ItemKind, name: entry.definition.name });
      return {
        ...entry,
        ...(handler && { handler: () => handler }),
        ...otherCode(kind as ItemKind, entry, replace),
      };
    });
    return [list, changed] as const;
  });
  return { ...definition, ...Object.fromEntries(replaced) };
}

type Sources = Readonly<Record<string, CompletionSource>>;

/** An item of any kind. Beside its handler it may have completions and a list of instances. */
interface CodedEntry extends Item {
  readonly complete?: Sources;
  readonly list?: Late<(context: never) => unknown>;
}

/** Returns the replaced functions that complete an item's arguments, and the one that lists its instances. */
function otherCode(
  kind: ItemKind,
  { definition, complete, list }: CodedEntry,
  replace: ReplaceHandler,
): object {
  const { name } = definition;
  const replacedList = list && replace({ kind: "resourceTemplateList", name });
  return {
    ...(complete && { complete: replacedSources(kind, name, complete, replace) }),
    ...(replacedList && {
      list: () => (context: never) => replacedList(undefined as never, context),
    }),
  };
}

function replacedSources(
  kind: ItemKind,
  name: string,
  complete: Sources,
  replace: ReplaceHandler,
): Sources {
  const item = {
    kind: kind === "prompt" ? "promptCompletion" : "resourceTemplateCompletion",
    name,
  } as const;
  const sources = Object.entries(complete).map(([argument, source]) => {
    const code = typeof source === "function" ? replace({ ...item, argument }) : undefined;
    return [argument, code === undefined ? source : () => code];
  });
  return Object.fromEntries(sources) as Sources;
}
