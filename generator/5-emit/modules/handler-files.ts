import type { ItemKind, ItemModel } from "../../model/server-model.js";

/** The folder of an item's handler under `src/`, and of its test under `test/`. */
const folders: Readonly<Record<ItemKind, string>> = {
  tool: "tools",
  resource: "resources",
  resourceTemplate: "resources",
  prompt: "prompts",
};

/** Path of an item's handler without extension, from `src/`: `tools/get-forecast`. */
export function handlerModule(item: ItemModel): string {
  return `${folders[item.kind]}/${item.fileName}`;
}

export function handlerPath(item: ItemModel): string {
  return `src/${handlerModule(item)}.ts`;
}

export function starterTestPath(item: ItemModel): string {
  return `test/${handlerModule(item)}.test.ts`;
}

/** The items of a list that a person writes a handler for. */
export function handled<Item extends ItemModel>(items: readonly Item[]): Item[] {
  return items.filter((item) => item.behaviour.kind === "handler");
}
