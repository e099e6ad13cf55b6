import type { ItemKind, ItemModel, ServerModel } from "../../model/server-model.js";
import { listInLines } from "../../text/code.js";
import type { FileStatements } from "../typescript-printer.js";
import { FEATURES } from "../features.js";
import { ITEM_MODULES, itemModulePath } from "./item-module.js";
import { constant, importDefault, importTypes } from "./structures.js";

/** The list of all items of one kind. */
export interface ItemList {
  /** Path of its module relative to `src/generated/`, without extension. */
  readonly module: string;
  /** Name of its export, and of the member of the server's definition. */
  readonly name: "tools" | "resources" | "resourceTemplates" | "prompts";
  readonly items: readonly ItemModel[];
  readonly statements: FileStatements;
}

/** The lists that the definition of a server has; some may be empty. */
export function itemLists(model: ServerModel): ItemList[] {
  const { tools, resources, resourceTemplates, prompts } = model;
  const inOrder = (method: string): string => `In the order of \`${method}\`.`;
  const resourceLists = [
    list("resource", "resources", resources, inOrder("resources/list")),
    list(
      "resourceTemplate",
      "resourceTemplates",
      resourceTemplates,
      "In the order of `resources/templates/list`. The first template that matches a URI reads it.",
    ),
  ];
  const promptList = list("prompt", "prompts", prompts, inOrder("prompts/list"));
  return [
    list("tool", "tools", tools, inOrder("tools/list")),
    ...(FEATURES.resources(model) ? resourceLists : []),
    ...(FEATURES.prompts(model) ? [promptList] : []),
  ];
}

function list(
  kind: ItemKind,
  name: ItemList["name"],
  items: readonly ItemModel[],
  docs: string,
): ItemList {
  const { folder, room, entryType } = ITEM_MODULES[kind];
  const imports = items.map((item) =>
    importDefault(`.${itemModulePath(item).slice(folder.length)}.ts`, item.identifier),
  );
  const value = listInLines(items.map(({ identifier }) => identifier));
  return {
    module: `${folder}/index`,
    name,
    items,
    statements: [
      importTypes(`../runtime/${room}/definition.ts`, [entryType]),
      ...imports,
      constant({ name, type: `readonly ${entryType}[]`, value, docs }),
    ],
  };
}
