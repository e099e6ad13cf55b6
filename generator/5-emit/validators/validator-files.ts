import type { GeneratedFile } from "../../model/output-file.js";
import type { ItemModel, ServerModel } from "../../model/server-model.js";
import { itemsOf } from "../../model/items.js";
import type { FileTexts } from "../reuse.js";
import { generatedHeader } from "../typescript-printer.js";
import { ValidatorEmitter } from "./emit-validators.js";
import { sharedModules, type SharedModule } from "./shared-modules.js";
import { validatorModule, VALIDATOR_MODULES, validatorRequests } from "./validator-requests.js";

const FOLDER = "src/generated/validators";

/** A module of validators for each item that needs one, the modules that they share, and a file of types. */
export async function validatorFiles(
  model: ServerModel,
  texts: FileTexts,
): Promise<GeneratedFile[]> {
  const items = itemsOf(model).filter((item) => validatorRequests(item).length > 0);
  const emitter = new ValidatorEmitter();
  const modules = await Promise.all(items.map((item) => itemFile(item, emitter, texts)));
  return [
    ...(items.length === 0 ? [] : [declarationFile(items)]),
    ...modules,
    ...sharedModules(modules.map(({ content }) => content)).map(sharedFile),
  ];
}

/**
 * One file with the types of all validators. With one declaration file for each item, type-checking a
 * project of 1,000 tools takes a tenth longer.
 */
function declarationFile(items: readonly ItemModel[]): GeneratedFile {
  const requests = items.flatMap((item) => validatorRequests(item));
  const names = [...new Set(requests.map(({ exportName }) => exportName))].sort();
  const content = `${generatedHeader}

/** The validators that modules may export. Each module has only those that its item needs. */
declare module "${VALIDATOR_MODULES}" {
  type Validator = import("./runtime/engine/item.ts").Validator;

${names.map((name) => `  export const ${name}: Validator;\n`).join("")}}
`;
  return { owner: "generated", path: `${FOLDER}.d.ts`, content };
}

async function itemFile(
  item: ItemModel,
  emitter: ValidatorEmitter,
  texts: FileTexts,
): Promise<GeneratedFile> {
  const path = `${FOLDER}/${validatorModule(item)}.js`;
  const requests = validatorRequests(item);
  const make = (): string =>
    emitter.module(requests, { header: generatedHeader, shared: "../shared" });
  return { owner: "generated", path, content: await texts.textOf(path, requests, make) };
}

function sharedFile({ name, text }: SharedModule): GeneratedFile {
  const path = `${FOLDER}/shared/${name}.js`;
  return { owner: "generated", path, content: `${generatedHeader}\n\n${text}` };
}
