import { gatewayTools } from "../../../templates/runtime/search/gateway-tools.js";
import type { JsonValue } from "../../model/json.js";
import type { GeneratedFile } from "../../model/output-file.js";
import type { ItemModel, ServerModel, ToolModel } from "../../model/server-model.js";
import { asksAnything } from "../modules/asking.js";
import { handlerModule } from "../modules/handler-files.js";
import { jsonText, READABLE_WIDTH } from "../project/json-text.js";
import type { FileTexts } from "../reuse.js";
import type { BodilyItem } from "../bodies/body-items.js";
import { bodyContract, playedItems } from "./bodies/body-contracts.js";
import { databaseSources, playedSources } from "./bodies/source-contracts.js";
import {
  databaseContracts,
  databaseItemContract,
  databaseItems,
} from "./bodies/database-contracts.js";
import { directoryContract, directoryTemplates } from "./bodies/directory-contracts.js";
import { programContract, programTools } from "./bodies/program-contracts.js";
import { remoteContract, remoteItems } from "./bodies/remote-contracts.js";
import { promptsContract } from "./prompt-contracts.js";
import { askedItems, questionsContract } from "./question-contracts.js";
import { resourcesContract } from "./resource-contracts.js";
import { listSettings, serverContract } from "./server-contract.js";
import { toolContract } from "./tool-contracts.js";

/** The folder of the contracts, from the project's. */
const FOLDER = "test/generated/contracts";

/**
 * What the manifest promises, as JSON: a file for each item, and for each kind of item one that names them in
 * the manifest's order. The suites put them together again (`templates/runtime/suite/contract.ts`).
 */
export async function contractFiles(
  model: ServerModel,
  texts: FileTexts,
): Promise<GeneratedFile[]> {
  const { tools, resources, resourceTemplates, prompts } = model;
  return [
    contractFile("server", serverContract(model)),
    ...(tools.length > 0 ? await toolFiles(model, texts) : []),
    ...(resources.length + resourceTemplates.length > 0 ? resourceFiles(model) : []),
    ...(prompts.length > 0 ? promptFiles(model) : []),
    ...(asksAnything(model) ? questionFiles(model) : []),
    ...(await bodyFiles(model, texts)),
    ...databaseFiles(model),
    ...programFiles(model),
    ...directoryFiles(model),
    ...remoteFiles(model),
  ];
}

async function toolFiles(model: ServerModel, texts: FileTexts): Promise<GeneratedFile[]> {
  const { exposure } = model;
  const index = {
    settings: listSettings(model),
    ...(exposure !== undefined && { exposure: { gateway: gatewayTools, listed: exposure.listed } }),
    files: { tools: model.tools.map(handlerModule) },
  };
  return [
    indexFile("tools", index),
    ...(await Promise.all(model.tools.map((tool) => toolFile(tool, model, texts)))),
  ];
}

/** The values in a tool's contract take long to make, but they depend on the tool and the limits alone. */
async function toolFile(
  tool: ToolModel,
  model: ServerModel,
  texts: FileTexts,
): Promise<GeneratedFile> {
  const path = contractPath(handlerModule(tool));
  const make = (): string =>
    contractText({ definition: tool.wire, ...toolContract(tool, model) }, READABLE_WIDTH);
  return {
    owner: "generated",
    path,
    content: await texts.textOf(path, { tool, limits: model.limits }, make),
  };
}

function resourceFiles(model: ServerModel): GeneratedFile[] {
  const { list, templateList, resources, templates, ...common } = resourcesContract(model);
  const index = {
    ...common,
    files: {
      resources: model.resources.map(handlerModule),
      templates: model.resourceTemplates.map(handlerModule),
    },
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
    indexFile("prompts", { ...common, files: { prompts: model.prompts.map(handlerModule) } }),
    ...itemFiles(model.prompts, prompts, list),
  ];
}

function questionFiles(model: ServerModel): GeneratedFile[] {
  const names = askedItems(model).map((item) => `questions/${handlerModule(item)}`);
  const { items } = questionsContract(model);
  return [
    indexFile("questions", { files: { items: names } }),
    ...items.map((contract, index) => contractFile(names[index] ?? "", contract)),
  ];
}

async function bodyFiles(model: ServerModel, texts: FileTexts): Promise<GeneratedFile[]> {
  const played = playedItems(model);
  const sources = playedSources(model);
  if (played.length + sources.length === 0) return [];
  const nameOf = (item: ItemModel): string => `bodies/${handlerModule(item)}`;
  const fileOf = async (item: BodilyItem): Promise<GeneratedFile> => {
    const path = contractPath(nameOf(item));
    const make = (): string => contractText(bodyContract(item, model), READABLE_WIDTH);
    const source = bodySource(item, model);
    return { owner: "generated", path, content: await texts.textOf(path, source, make) };
  };
  return [
    indexFile("bodies", {
      files: { items: [...played.map(nameOf), ...sources.map(({ name }) => name)] },
    }),
    ...(await Promise.all(played.map(fileOf))),
    ...sources.map(({ name, contract }) => contractFile(name, contract)),
  ];
}

/** What the contract of a body depends on. Which URIs a template has to itself, the others decide. */
function bodySource(item: BodilyItem, model: ServerModel): object {
  const { upstreams, env, limits, resources, resourceTemplates } = model;
  const uris = resources.map(({ uri }) => uri);
  const others = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
  return {
    item,
    upstreams,
    env,
    ...(item.kind === "resourceTemplate" && { limits, uris, others }),
  };
}

function databaseFiles(model: ServerModel): GeneratedFile[] {
  const items = databaseItems(model);
  const sources = databaseSources(model);
  if (items.length + sources.length === 0) return [];
  const nameOf = (item: BodilyItem): string => `databases/${handlerModule(item)}`;
  const databases = databaseContracts(model);
  const names = [...items.map(nameOf), ...sources.map(({ name }) => name)];
  return [
    indexFile("databases", { databases: databases as object, files: { items: names } }),
    ...items.map((item) => contractFile(nameOf(item), databaseItemContract(item, model))),
    ...sources.map(({ name, contract }) => contractFile(name, contract)),
  ];
}

function directoryFiles(model: ServerModel): GeneratedFile[] {
  const templates = directoryTemplates(model);
  if (templates.length === 0) return [];
  const nameOf = (template: ItemModel): string => `directories/${handlerModule(template)}`;
  return [
    indexFile("directories", { files: { items: templates.map(nameOf) } }),
    ...templates.map((template) =>
      contractFile(nameOf(template), directoryContract(template, model)),
    ),
  ];
}

function remoteFiles(model: ServerModel): GeneratedFile[] {
  const items = remoteItems(model);
  if (items.length === 0) return [];
  const nameOf = (item: ItemModel): string => `remote-servers/${handlerModule(item)}`;
  return [
    indexFile("remote-servers", { files: { items: items.map(nameOf) } }),
    ...items.map((item) => contractFile(nameOf(item), remoteContract(item, model))),
  ];
}

function programFiles(model: ServerModel): GeneratedFile[] {
  const tools = programTools(model);
  if (tools.length === 0) return [];
  const nameOf = (tool: ToolModel): string => `programs/${handlerModule(tool)}`;
  return [
    indexFile("programs", { files: { items: tools.map(nameOf) } }),
    ...tools.map((tool) => contractFile(nameOf(tool), programContract(tool, model))),
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
  const content = contractText(contract, width);
  return { owner: "generated", path: contractPath(name), content };
}

const contractPath = (name: string): string => `${FOLDER}/${name}.json`;

function contractText(contract: object, width: number): string {
  // The types of contracts are interfaces, which TypeScript does not take for JSON by themselves.
  return `${jsonText(contract as JsonValue, width)}\n`;
}
