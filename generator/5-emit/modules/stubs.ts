import type { StatementStructures } from "ts-morph";
import type { HandlerFile, ItemId } from "../../model/output-file.js";
import type { ItemModel, ServerModel } from "../../model/server-model.js";
import { writeString } from "../../text/literal.js";
import type { TypeScriptPrinter } from "../typescript-printer.js";
import { handled, handlerPath } from "./handler-files.js";
import { constant, importOf } from "./structures.js";

/** The type that a handler of each kind has, and what its first parameter is called. */
const signatures = {
  tool: { type: "ToolHandler", parameter: "input" },
  resource: { type: "ResourceHandler", parameter: "uri" },
  resourceTemplate: { type: "ResourceTemplateHandler", parameter: "variables" },
  prompt: { type: "PromptHandler", parameter: "args" },
} as const;

/** A handler file for every item that needs one: theirs from the first edit on, a stub until then. */
export async function handlerFiles(
  model: ServerModel,
  printer: TypeScriptPrinter,
): Promise<HandlerFile[]> {
  const items: ItemModel[] = [
    ...handled(model.tools),
    ...handled(model.resources),
    ...handled(model.resourceTemplates),
    ...handled(model.prompts),
  ];
  return Promise.all(
    items.map(async (item) => ({
      owner: "handler",
      path: handlerPath(item),
      content: await printer.print(stubModule(item)),
      item: itemId(item),
      exportName: item.identifier,
    })),
  );
}

export function itemId(item: ItemModel): ItemId {
  return `${item.kind}:${item.name}`;
}

function stubModule(item: ItemModel): StatementStructures[] {
  const { type, parameter } = signatures[item.kind];
  const description = item.wire["description"];
  return [
    importOf("../generated/index.js", ["NotImplementedError", `type ${type}`]),
    constant({
      name: item.identifier,
      type: `${type}<${writeString(item.name)}>`,
      initializer: `async (${parameter}, ctx) => { throw new NotImplementedError(${writeString(handlerPath(item))}); }`,
      ...(typeof description === "string" && { docs: description }),
    }),
  ];
}
