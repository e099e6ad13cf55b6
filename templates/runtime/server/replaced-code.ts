import type { CompletionSource, Item } from "../engine/item.js";
import type { Late } from "../engine/late.js";
import type { ItemKind, ReplaceHandler } from "./replaced-handlers.js";

type Sources = Readonly<Record<string, CompletionSource>>;

/** An item of any kind. Beside its handler it may have completions and a list of instances. */
interface CodedEntry extends Item {
  readonly complete?: Sources;
  readonly list?: Late<(context: never) => unknown>;
}

/** Replaces the functions that complete an item's arguments and the function that lists its instances. */
export function replaceOtherCode(
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
