import type { JsonValue } from "../../model/json.js";
import type { GeneratedFile } from "../../model/output-file.js";
import type { ItemModel, ServerModel } from "../../model/server-model.js";
import { asksAnything } from "../modules/asking.js";
import { handlerModule } from "../modules/handler-files.js";
import { jsonText, READABLE_WIDTH } from "../project/json-text.js";
import { promptsContract } from "./prompt-contracts.js";
import { askedItems, questionsContract } from "./question-contracts.js";
import { resourcesContract } from "./resource-contracts.js";
import { serverContract } from "./server-contract.js";
import { toolsContract } from "./tool-contracts.js";

/** The folder of the contracts, from the project's. */
const FOLDER = "test/generated/contracts";

/**
 * What the manifest promises, as JSON: a file for each item, and for each kind of item one that names them in
 * the manifest's order. The suites put them together again (`templates/runtime/suite/contract.ts`).
 */
export function contractFiles(model: ServerModel): GeneratedFile[] {
  const { tools, resources, resourceTemplates, prompts } = model;
  return [
    contractFile("server", serverContract(model)),
    ...(tools.length > 0 ? toolFiles(model) : []),
    ...(resources.length + resourceTemplates.length > 0 ? resourceFiles(model) : []),
    ...(prompts.length > 0 ? promptFiles(model) : []),
    ...(asksAnything(model) ? questionFiles(model) : []),
  ];
}

function toolFiles(model: ServerModel): GeneratedFile[] {
  const { list, tools, ...common } = toolsContract(model);
  return [
    indexFile("tools", { ...common, tools: model.tools.map(handlerModule) }),
    ...itemFiles(model.tools, tools, list),
  ];
}

function resourceFiles(model: ServerModel): GeneratedFile[] {
  const { list, templateList, resources, templates, ...common } = resourcesContract(model);
  const index = {
    ...common,
    resources: model.resources.map(handlerModule),
    templates: model.resourceTemplates.map(handlerModule),
  };
  return [
    indexFile("resources", index),
    ...itemFiles(model.resources, resources, list),
    ...itemFiles(model.resourceTemplates, templates, templateList),
  ];
}

function promptFiles(model: ServerModel): GeneratedFile[] {
  const { list, prompts, ...common } = promptsContract(model);
  return [
    indexFile("prompts", { ...common, prompts: model.prompts.map(handlerModule) }),
    ...itemFiles(model.prompts, prompts, list),
  ];
}

function questionFiles(model: ServerModel): GeneratedFile[] {
  const names = askedItems(model).map((item) => `questions/${handlerModule(item)}`);
  const { items } = questionsContract(model);
  return [
    indexFile("questions", { items: names }),
    ...items.map((contract, index) => contractFile(names[index] ?? "", contract)),
  ];
}

/** @param list what clients are told of each item */
function itemFiles(
  items: readonly ItemModel[],
  contracts: readonly object[],
  list: readonly object[],
): GeneratedFile[] {
  return items.map((item, index) =>
    contractFile(handlerModule(item), { definition: list[index], ...contracts[index] }),
  );
}

/** Names one item a line, so that branches that add items at different places merge. */
const indexFile = (name: string, index: object): GeneratedFile => contractFile(name, index, 0);

function contractFile(name: string, contract: object, width = READABLE_WIDTH): GeneratedFile {
  // The types of contracts are interfaces, which TypeScript does not take for JSON by themselves.
  const content = `${jsonText(contract as JsonValue, width)}\n`;
  return { owner: "generated", path: `${FOLDER}/${name}.json`, content };
}
