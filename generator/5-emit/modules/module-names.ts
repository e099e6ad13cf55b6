import type { ItemKind, ItemModel } from "../../model/server-model.js";

/** Folders of the modules of items, relative to `src/generated/`. */
const FOLDERS: Readonly<Record<ItemKind, string>> = {
  tool: "tools",
  resource: "resources",
  resourceTemplate: "resource-templates",
  prompt: "prompts",
};

/** Path of an item's module relative to `src/generated/`, without extension. */
export function itemModulePath(item: Pick<ItemModel, "kind" | "fileName">): string {
  return `${FOLDERS[item.kind]}/${moduleName(item)}`;
}

/** The name of an item's module, without extension. Never `index`, which is the list of the kind. */
export function moduleName({ fileName }: Pick<ItemModel, "fileName">): string {
  return fileName === "index" ? "index_" : fileName;
}

/** The specifier of an item's module of validators in the item's own module, which stands beside it. */
export function validatorsSpecifier(item: ItemModel): string {
  return `./${moduleName(item)}.validators.ts`;
}
