import { onceForEach } from "../../model/once-for-each.js";
import { completionIdentifier, listIdentifier } from "../../text/names.js";
import type { CodeKind, ItemId } from "../../model/output-file.js";
import type {
  ItemKind,
  ItemModel,
  PromptModel,
  ResourceTemplateModel,
  ServerModel,
} from "../../model/server-model.js";

/** The folder of handlers under `src/`, and of their tests under `test/`, by kind of item. */
const folders: Readonly<Record<ItemKind, string>> = {
  tool: "tools",
  resource: "resources",
  resourceTemplate: "resources",
  prompt: "prompts",
};

/** The generated generic type of handlers of each kind. Its argument is the item's name. */
export const HANDLER_TYPES: Readonly<Record<ItemKind, string>> = {
  tool: "ToolHandler",
  resource: "ResourceHandler",
  resourceTemplate: "ResourceTemplateHandler",
  prompt: "PromptHandler",
};

/** The name of the first parameter of handlers of each kind. */
export const HANDLER_PARAMETERS: Readonly<Record<ItemKind, string>> = {
  tool: "input",
  resource: "uri",
  resourceTemplate: "variables",
  prompt: "args",
};

/** Path of an item's handler relative to `src/`, without extension: `tools/get-forecast`. */
export function handlerModule(item: ItemModel): string {
  return `${folders[item.kind]}/${item.fileName}`;
}

/** Path of an item's handler, relative to the project. */
export function handlerPath(item: ItemModel): string {
  return `src/${handlerModule(item)}.ts`;
}

/** Path of the starter test of an item's handler, relative to the project. */
export function starterTestPath(item: ItemModel): string {
  return `test/${handlerModule(item)}.test.ts`;
}

/** The items that have a handler. */
export function withHandler<Item extends ItemModel>(items: readonly Item[]): readonly Item[] {
  return cachedWithHandler(items) as readonly Item[];
}

const cachedWithHandler = onceForEach((items: readonly ItemModel[]): readonly ItemModel[] =>
  items.filter((item) => item.behaviour.kind === "handler"),
);

/** People's code for an item in addition to its handler: it completes arguments, or lists instances. */
export interface ItemCode {
  readonly kind: CodeKind;
  readonly item: PromptModel | ResourceTemplateModel;
  readonly id: ItemId;
  /** Path of the module relative to `src/`, without extension: `resources/current.complete`. */
  readonly module: string;
  readonly exportName: string;
  /** Its generated generic type. The argument is the item's name. */
  readonly type: string;
  /** The arguments or variables that the code completes; empty for a list of instances. */
  readonly completed: readonly string[];
}

/** All code of a server that completes arguments or lists instances. */
export function itemCode({ prompts, resourceTemplates }: ServerModel): ItemCode[] {
  return [...prompts, ...resourceTemplates].flatMap((item) => {
    const completion = completionOf(item);
    const hasList = item.kind === "resourceTemplate" && item.list === "code";
    return [
      ...(completion === undefined ? [] : [completion]),
      ...(hasList ? [listCode(item)] : []),
    ];
  });
}

/** The arguments of a prompt, or the variables of a template. */
export function parametersOf(
  item: PromptModel | ResourceTemplateModel,
): PromptModel["arguments"] | ResourceTemplateModel["variables"] {
  return item.kind === "prompt" ? item.arguments : item.variables;
}

/** People's code that completes an item; undefined if there is none. */
export function completionOf(item: PromptModel | ResourceTemplateModel): ItemCode | undefined {
  const completed = parametersOf(item)
    .filter(({ complete }) => complete === "code")
    .map(({ name }) => name);
  if (completed.length === 0) return undefined;
  const kind = `${item.kind}Completion` as const;
  return {
    kind,
    item,
    id: `${kind}:${item.name}`,
    module: `${handlerModule(item)}.complete`,
    exportName: completionIdentifier(item),
    type: item.kind === "prompt" ? "PromptCompletion" : "ResourceTemplateCompletion",
    completed,
  };
}

/** The code that lists the instances of a template. */
export function listCode(item: ResourceTemplateModel): ItemCode {
  return {
    kind: "resourceTemplateList",
    item,
    id: `resourceTemplateList:${item.name}`,
    module: `${handlerModule(item)}.list`,
    exportName: listIdentifier(item),
    type: "ResourceTemplateList",
    completed: [],
  };
}
