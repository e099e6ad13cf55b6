import type { AnyHandler, CompletionSource, ServerDefinition } from "../engine/definition.js";

/** What a person writes code for. */
export interface HandledItem {
  readonly kind:
    | "tool"
    | "resource"
    | "resourceTemplate"
    | "prompt"
    | "promptCompletion"
    | "resourceTemplateCompletion"
    | "resourceTemplateList";
  readonly name: string;
  /** Of a completion: the argument or variable that it is for. */
  readonly argument?: string;
}

/** Gives another handler for an item; undefined leaves the item's own. */
export type ReplaceHandler = (item: HandledItem) => AnyHandler<unknown> | undefined;

/** The same server with other code behind its items. */
export function withReplacedHandlers(
  definition: ServerDefinition,
  replace: ReplaceHandler | undefined,
): ServerDefinition {
  if (replace === undefined) return definition;
  const { tools, resources, resourceTemplates, prompts } = definition;
  return {
    ...definition,
    tools: replacedIn("tool", tools, replace),
    resources: replacedIn("resource", resources, replace),
    resourceTemplates: replacedIn("resourceTemplate", resourceTemplates, replace).map((entry) => {
      const { name } = entry.definition;
      const item = { kind: "resourceTemplateCompletion", name } as const;
      const list = entry.list && replace({ kind: "resourceTemplateList", name });
      return {
        ...entry,
        ...replacedCompletions(item, entry.complete, replace),
        ...(list === undefined
          ? {}
          : { list: (context: never) => list(undefined as never, context) }),
      };
    }),
    prompts: replacedIn("prompt", prompts, replace).map((entry) => {
      const item = { kind: "promptCompletion", name: entry.definition.name } as const;
      return { ...entry, ...replacedCompletions(item, entry.complete, replace) };
    }),
  };
}

interface Handled {
  readonly definition: { readonly name: string };
  readonly behaviour: { readonly kind: string };
}

function replacedIn<Entry extends Handled>(
  kind: HandledItem["kind"],
  entries: readonly Entry[],
  replace: ReplaceHandler,
): Entry[] {
  return entries.map((entry) => {
    if (entry.behaviour.kind !== "handler") return entry;
    const handler = replace({ kind, name: entry.definition.name });
    return handler === undefined ? entry : { ...entry, behaviour: { ...entry.behaviour, handler } };
  });
}

function replacedCompletions(
  item: HandledItem,
  complete: Readonly<Record<string, CompletionSource>> | undefined,
  replace: ReplaceHandler,
): { complete?: Readonly<Record<string, CompletionSource>> } {
  if (complete === undefined) return {};
  const sources = Object.entries(complete).map(([argument, source]) => [
    argument,
    typeof source === "function" ? (replace({ ...item, argument }) ?? source) : source,
  ]);
  return { complete: Object.fromEntries(sources) as Record<string, CompletionSource> };
}
