import { readFileSync } from "node:fs";
import type { GeneratedFile } from "../../model/output-file.js";
import type { ItemModel, ServerModel } from "../../model/server-model.js";
import { packageRoot } from "../../text/package-root.js";
import { itemsOf } from "../modules/asking.js";
import type { FileTexts } from "../reuse.js";
import { generatedHeader } from "../typescript-printer.js";
import { ValidatorEmitter, type ValidatorModule } from "./emit-validators.js";
import { sharedModules } from "./shared-modules.js";
import { validatorModule, validatorRequests } from "./validator-requests.js";

const FOLDER = "src/generated/validators";

/** The modules of validators, one for each item that has any, and what they share. */
export async function validatorFiles(
  model: ServerModel,
  texts: FileTexts,
): Promise<GeneratedFile[]> {
  const items = itemsOf(model).filter((item) => validatorRequests(item).length > 0);
  const schemas = items.flatMap((item) => validatorRequests(item).map(({ schema }) => schema));
  const emitter = new ValidatorEmitter();
  const modules = await Promise.all(items.map((item) => itemFiles(item, emitter, texts)));
  return [...modules.flat(), ...sharedModules(schemas).map(sharedFile)];
}

/** The module of an item's validators, with its declaration. */
async function itemFiles(
  item: ItemModel,
  emitter: ValidatorEmitter,
  texts: FileTexts,
): Promise<GeneratedFile[]> {
  const requests = validatorRequests(item);
  const module = (): ValidatorModule =>
    emitter.module(requests, {
      header: generatedHeader,
      shared: "../shared",
      definition: "../../runtime/engine/definition.js",
    });
  const file = async (ending: string, make: () => string): Promise<GeneratedFile> => {
    const path = `${FOLDER}/${validatorModule(item)}.${ending}`;
    return { owner: "generated", path, content: await texts.textOf(path, requests, make) };
  };
  return [
    await file("js", () => module().javascript),
    await file("d.ts", () => module().declaration),
  ];
}

function sharedFile(module: string): GeneratedFile {
  const text = readFileSync(new URL(`templates/validators/${module}.js`, packageRoot), "utf8");
  const path = `${FOLDER}/shared/${module}.js`;
  return { owner: "generated", path, content: `${generatedHeader}\n\n${text}` };
}
