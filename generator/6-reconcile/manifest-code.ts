import { isBody, isSource } from "../bodies/index.js";
import { itemsOf } from "../model/items.js";
import type { CodeKind, ItemId } from "../model/output-file.js";
import type { CompletionModel, ItemKind, ItemModel, ServerModel } from "../model/server-model.js";

/** How the manifest itself says what an item does: with a body, or with the answer. */
export type ManifestCode = "body" | "answer";

/**
 * The items, and the code in addition to their handlers, that need no code of people, since the manifest says
 * what they do. They are found under their names and their former names.
 */
export function manifestCodeOf(model: ServerModel): ReadonlyMap<ItemId, ManifestCode> {
  return new Map(
    itemsOf(model).flatMap((item) => {
      const names = [item.name, ...(item.formerNames ?? [])];
      return codeOf(item).flatMap(([kind, code]) =>
        names.map((name): [ItemId, ManifestCode] => [`${kind}:${name}`, code]),
      );
    }),
  );
}

type CodeEntry = readonly [kind: ItemKind | CodeKind, code: ManifestCode];

function codeOf(item: ItemModel): CodeEntry[] {
  const { kind, behaviour } = item;
  const own: CodeEntry[] =
    behaviour.kind === "handler" ? [] : [[kind, isBody(behaviour) ? "body" : "answer"]];
  if (item.kind === "prompt") {
    return [...own, ...completionOf("promptCompletion", item.arguments)];
  }
  if (item.kind !== "resourceTemplate") return own;
  return [
    ...own,
    ...completionOf("resourceTemplateCompletion", item.variables),
    ...(isSource(item.list) ? [["resourceTemplateList", "body"] as const] : []),
  ];
}

/** The completion of an item, if the manifest completes some of its parameters, and no code of people does. */
function completionOf(
  kind: CodeKind,
  parameters: readonly { readonly complete?: CompletionModel }[],
): CodeEntry[] {
  const completions = parameters.map(({ complete }) => complete).filter(Boolean);
  if (completions.length === 0 || completions.includes("code")) return [];
  return [[kind, completions.some(isSource) ? "body" : "answer"]];
}
