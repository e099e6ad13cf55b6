import type {
  AnyHandler,
  CompletionSource,
  Item,
  ItemLists,
  ServerDefinition,
} from "../engine/definition.js";
import type { Late } from "../engine/late.js";

/** What a person writes code for. */
export interface HandledItem {
  readonly kind:
    ItemKind | "promptCompletion" | "resourceTemplateCompletion" | "resourceTemplateList";
  readonly name: string;
  /** Of a completion: the argument or variable that it is for. */
  readonly argument?: string;
}

/** Gives another handler for an item; undefined leaves the item's own. */
export type ReplaceHandler = (item: HandledItem) => AnyHandler<unknown> | undefined;

type ItemKind = "tool" | "resource" | "resourceTemplate" | "prompt";

type Sources = Readonly<Record<string, CompletionSource>>;

/** An item of any kind, with the code that it may have beside its handler. */
interface HandledEntry extends Item {
  readonly complete?: Sources;
  readonly list?: Late<(context: never) => unknown>;
}

/** The lists of items that a server may have, by the kinds of their items. */
const listNames = {
  tool: "tools",
  resource: "resources",
  resourceTemplate: "resourceTemplates",
  prompt: "prompts",
} as const;

/** The same server with other code behind its items. */
export function withReplacedHandlers(
  definition: ServerDefinition,
  replace: ReplaceHandler | undefined,
): ServerDefinition {
  if (replace === undefined) return definition;
  const lists = definition as ItemLists<HandledEntry>;
  const replaced = Object.entries(listNames).flatMap(([kind, list]) => {
    const entries = lists[list]?.map((entry) => replacedEntry(kind as ItemKind, entry, replace));
    return entries === undefined ? [] : [[list, entries] as const];
  });
  return { ...definition, ...Object.fromEntries(replaced) };
}

function replacedEntry(kind: ItemKind, entry: HandledEntry, replace: ReplaceHandler): HandledEntry {
  const { complete, definition } = entry;
  const { name } = definition;
  const handler = entry.handler && replace({ kind, name });
  const list = entry.list && replace({ kind: "resourceTemplateList", name });
  return {
    ...entry,
    ...(handler && { handler: () => handler }),
    ...(complete && { complete: replacedSources(kind, name, complete, replace) }),
    ...(list && { list: () => (context: never) => list(undefined as never, context) }),
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
