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

/** The folder of an item's handler under `src/`, and of its test under `test/`. */
const folders: Readonly<Record<ItemKind, string>> = {
  tool: "tools",
  resource: "resources",
  resourceTemplate: "resources",
  prompt: "prompts",
};

/** The generated type of handlers of each kind. Its argument is the item's name. */
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
export function handled<Item extends ItemModel>(items: readonly Item[]): readonly Item[] {
  return handledOf(items) as readonly Item[];
}

const handledOf = onceForEach((items: readonly ItemModel[]): readonly ItemModel[] =>
  items.filter((item) => item.behaviour.kind === "handler"),
);

/** Code that a person writes for an item beside its handler: it completes arguments, or lists instances. */
export interface ItemCode {
  readonly kind: CodeKind;
  readonly item: PromptModel | ResourceTemplateModel;
  readonly id: ItemId;
  /** Path of the module without extension, from `src/`: `resources/current.complete`. */
  readonly module: string;
  readonly exportName: string;
  /** Its generated type. The argument is the item's name. */
  readonly type: string;
  /** The arguments or variables that a completion completes. */
  readonly completed: readonly string[];
}

/** All such code of a server. */
export function itemCode({ prompts, resourceTemplates }: ServerModel): ItemCode[] {
  return [
    ...prompts.flatMap((prompt) => completionCode(prompt, completedByCode(prompt.arguments))),
    ...resourceTemplates.flatMap((template) => [
      ...completionCode(template, completedByCode(template.variables)),
      ...(template.list === "code" ? [listCode(template)] : []),
    ]),
  ];
}

/** The code that completes an item; none where only lists of the manifest complete it. */
export function completionOf(item: PromptModel | ResourceTemplateModel): ItemCode | undefined {
  const arguable = item.kind === "prompt" ? item.arguments : item.variables;
  return completionCode(item, completedByCode(arguable))[0];
}

function completionCode(
  item: PromptModel | ResourceTemplateModel,
  completed: readonly string[],
): ItemCode[] {
  if (completed.length === 0) return [];
  const kind = `${item.kind}Completion` as const;
  return [
    {
      kind,
      item,
      id: `${kind}:${item.name}`,
      module: `${handlerModule(item)}.complete`,
      exportName: completionIdentifier(item),
      type: item.kind === "prompt" ? "PromptCompletion" : "ResourceTemplateCompletion",
      completed,
    },
  ];
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

function completedByCode(
  arguable: readonly { readonly name: string; readonly complete?: unknown }[],
): string[] {
  return arguable.filter(({ complete }) => complete === "code").map(({ name }) => name);
}
