import type { ItemModel } from "../../model/server-model.js";

/** The name of an item's module, without extension. Never `index`, which is the list of the kind. */
export function moduleName({ fileName }: ItemModel): string {
  return fileName === "index" ? "index_" : fileName;
}

/** The specifier of an item's module of validators in the item's own module, which stands beside it. */
export function validatorsSpecifier(item: ItemModel): string {
  return `./${moduleName(item)}.validators.ts`;
}
