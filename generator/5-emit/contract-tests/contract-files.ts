import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { GeneratedFile } from "../../model/output-file.js";
import type { ItemModel, ServerModel } from "../../model/server-model.js";
import { accountUpstreams } from "../../model/linked-accounts.js";
import { asksAnything } from "../modules/asking.js";
import { contractsOfBodies } from "../bodies/body-kinds.js";
import { handlerModule } from "../modules/handler-files.js";
import { jsonText, READABLE_WIDTH } from "../project/json-text.js";
import { schemaDefinitions, withNamedDefinitions } from "../schema-definitions.js";
import type { BodyContracts } from "./bodies/body-contracts.js";
import { promptsContract } from "./prompt-contracts.js";
import { writtenTool } from "./changed-values.js";
import { askedItems, questionsContract } from "./question-contracts.js";
import { resourcesContract } from "./resource-contracts.js";
import { schemaContracts } from "./schema-contracts.js";
import { serverContract } from "./server-contract.js";
import { toolContract } from "./tool-contracts.js";

/** The folder of the contracts, relative to the project. */
const FOLDER = "test/generated/contracts";

/** A contract: what all of its items have in common, with the names of their files, and these files. */
interface Contract {
  readonly name: string;
  readonly index: object;
  readonly files: readonly GeneratedFile[];
}

/**
 * The contracts of the manifest as JSON: a file for each item, and `server.json`, which names the others in the
 * manifest's order. The suites join them (`templates/runtime/suite/contract.ts`).
 */
export function contractFiles(model: ServerModel): GeneratedFile[] {
  const { tools, resources, resourceTemplates, prompts } = model;
  const contracts = [
    ...(tools.length > 0 || model.resourceTools || accountUpstreams(model).length > 0
      ? [toolFiles(model)]
      : []),
    ...schemaFiles(model),
    ...(resources.length + resourceTemplates.length > 0 ? [resourceFiles(model)] : []),
    ...(prompts.length > 0 ? [promptFiles(model)] : []),
    ...(asksAnything(model) ? [questionFiles(model)] : []),
    ...contractsOfBodies.flatMap((contracts) => bodyFiles(contracts, model)),
  ];
  const indexes = Object.fromEntries(contracts.map(({ name, index }) => [name, index]));
  const server: GeneratedFile = {
    ...{ owner: "generated", path: contractPath("server") },
    content: serverText({ ...serverContract(model), contracts: indexes }),
  };
  return [server, ...contracts.flatMap(({ files }) => files)];
}

function toolFiles(model: ServerModel): Contract {
  const { exposure, resourceTools } = model;
  const accounts = accountUpstreams(model);
  const definitions = schemaDefinitions(model);
  const index = {
    ...(exposure !== undefined && { exposure: { listed: exposure.listed } }),
    ...(resourceTools === true && { resourceTools }),
    ...(accounts.length > 0 && { accounts }),
    ...(definitions.size > 0 && { definitions: DEFINITIONS_FILE }),
    files: { tools: model.tools.map(handlerModule) },
  };
  const entries = [...definitions.values()].map(({ name, schema }) => [name, schema] as const);
  const files = model.tools.map((tool) => {
    const written = writtenTool(toolContract(tool, model), tool.wire);
    const definition = withNamedDefinitions(tool.wire, definitions, `${DEFINITIONS_FILE}.json`);
    return contractFile(handlerModule(tool), { ...written, definition });
  });
  return {
    name: "tools",
    index,
    files: definitions.size > 0 ? [entriesFile(DEFINITIONS_FILE, entries), ...files] : files,
  };
}

/** The file of the definitions that schemas of tools have, where the file of a tool has its name. */
const DEFINITIONS_FILE = "schema-definitions";

/** A file with an entry for each shared schema. Lines of two entries are never adjacent, so that branches merge. */
function entriesFile(
  name: string,
  entries: readonly (readonly [name: string, entry: object])[],
): GeneratedFile {
  const members = entries.map(([key, entry]) => {
    const json = entry as JsonValue;
    return `${jsonText(key)}: ${jsonText(json, READABLE_WIDTH, "  ")}`;
  });
  const content = `${apart("{", "}", "", members)}\n`;
  return { owner: "generated", path: contractPath(name), content };
}

/** The contract of the shared schemas that have functions of their own: one file, with an entry for each. */
function schemaFiles(model: ServerModel): Contract[] {
  const contracts = schemaContracts(model);
  if (contracts.length === 0) return [];
  const entries = contracts.map(({ name, ...contract }) => [name, contract] as const);
  return [
    {
      name: SCHEMAS_FILE,
      index: { entries: SCHEMAS_FILE },
      files: [entriesFile(SCHEMAS_FILE, entries)],
    },
  ];
}

const SCHEMAS_FILE = "schemas";

function resourceFiles(model: ServerModel): Contract {
  const { list, templateList, resources, templates, ...common } = resourcesContract(model);
  const index = {
    ...common,
    ...(model.skills !== undefined && { skills: model.skills }),
    files: {
      resources: model.resources.map(handlerModule),
      templates: model.resourceTemplates.map(handlerModule),
    },
  };
  const files = [
    ...itemFiles(model.resources, resources, list),
    ...itemFiles(model.resourceTemplates, templates, templateList),
  ];
  return { name: "resources", index, files };
}

function promptFiles(model: ServerModel): Contract {
  const { list, prompts, ...common } = promptsContract(model);
  const index = { ...common, files: { prompts: model.prompts.map(handlerModule) } };
  return { name: "prompts", index, files: itemFiles(model.prompts, prompts, list) };
}

function questionFiles(model: ServerModel): Contract {
  const names = askedItems(model).map((item) => `questions/${handlerModule(item)}`);
  const { items } = questionsContract(model);
  const files = items.map((contract, index) => contractFile(names[index] ?? "", contract));
  return { name: "questions", index: { files: { items: names } }, files };
}

/** The contract of the items that tests call with stand-ins of one kind. */
function bodyFiles(
  { name, items, contract, sources, index }: BodyContracts,
  model: ServerModel,
): Contract[] {
  const tested = items(model);
  const found = sources?.(model) ?? [];
  if (tested.length + found.length === 0) return [];
  const nameOf = (item: ItemModel): string => `${name}/${handlerModule(item)}`;
  const names = [...tested.map(nameOf), ...found.map((source) => source.name)];
  const files = [
    ...tested.map((item) => contractFile(nameOf(item), contract(item, model))),
    ...found.map((source) => contractFile(source.name, source.contract)),
  ];
  return [{ name, index: { ...index?.(model), files: { items: names } }, files }];
}

/** @param list the entry of each item in list results */
function itemFiles(
  items: readonly ItemModel[],
  contracts: readonly object[],
  list: readonly object[],
): GeneratedFile[] {
  return items.map((item, index) =>
    contractFile(handlerModule(item), { definition: list[index], ...contracts[index] }),
  );
}

function contractFile(name: string, contract: object): GeneratedFile {
  // The types of contracts are interfaces, which TypeScript does not assign to `JsonValue`.
  const content = `${jsonText(contract as JsonValue, READABLE_WIDTH)}\n`;
  return { owner: "generated", path: contractPath(name), content };
}

/** The members of `server.json` that grow with the items. */
const OF_ITEMS: readonly string[] = [
  ...["env", "timeouts", "scopes", "groups", "environment"],
  ...["lists", "contracts"],
];

/** In members of items, each value has its line, so that branches that add items at different positions merge. */
function serverText(contract: object): string {
  const members = Object.entries(contract).map(([name, value]) => {
    const json = value as JsonValue;
    const text = OF_ITEMS.includes(name)
      ? apartText(json, "  ")
      : jsonText(json, READABLE_WIDTH, "  ");
    return `  "${name}": ${text}`;
  });
  return `{\n${members.join(",\n")}\n}\n`;
}

/** JSON in which the comma after an entry has its own line, so that lines of two entries are never adjacent. */
function apartText(value: JsonValue, indentation: string): string {
  const inner = `${indentation}  `;
  if (Array.isArray(value)) {
    return apart(
      "[",
      "]",
      indentation,
      value.map((item) => jsonText(item, Infinity)),
    );
  }
  if (!isJsonObject(value)) return jsonText(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${jsonText(key)}: ${apartText(member, inner)}`,
  );
  return apart("{", "}", indentation, members);
}

function apart(open: string, close: string, indentation: string, members: string[]): string {
  if (members.length === 0) return open + close;
  const inner = `\n${indentation}  `;
  return `${open}${inner}${members.join(`${inner},${inner}`)}\n${indentation}${close}`;
}

const contractPath = (name: string): string => `${FOLDER}/${name}.json`;
