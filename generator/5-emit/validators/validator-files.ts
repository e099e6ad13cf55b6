import { readFileSync } from "node:fs";
import type { GeneratedFile } from "../../model/output-file.js";
import type { ItemModel, ServerModel } from "../../model/server-model.js";
import { packageRoot } from "../../text/package-root.js";
import { itemsOf } from "../modules/asking.js";
import { generatedHeader } from "../typescript-printer.js";
import { ValidatorEmitter } from "./emit-validators.js";
import { sharedModules } from "./shared-modules.js";
import { validatorModule, validatorRequests } from "./validator-requests.js";

const FOLDER = "src/generated/validators";

/** The modules of validators, one for each item that has any, and what they share. */
export function validatorFiles(model: ServerModel): GeneratedFile[] {
  const items = itemsOf(model).filter((item) => validatorRequests(item).length > 0);
  const schemas = items.flatMap((item) => validatorRequests(item).map(({ schema }) => schema));
  const emitter = new ValidatorEmitter();
  const modules = items.flatMap((item) => itemFiles(item, emitter));
  return [...modules, ...sharedModules(schemas).map(sharedFile)];
}

/** The module of an item's validators, with its declaration. */
function itemFiles(item: ItemModel, emitter: ValidatorEmitter): GeneratedFile[] {
  const path = `${FOLDER}/${validatorModule(item)}`;
  const { javascript, declaration } = emitter.module(validatorRequests(item), {
    header: generatedHeader,
    shared: "../shared",
    definition: "../../runtime/engine/definition.js",
  });
  return [
    { owner: "generated", path: `${path}.js`, content: javascript },
    { owner: "generated", path: `${path}.d.ts`, content: declaration },
  ];
}

function sharedFile(module: string): GeneratedFile {
  const text = readFileSync(new URL(`templates/validators/${module}.js`, packageRoot), "utf8");
  const path = `${FOLDER}/shared/${module}.js`;
  return { owner: "generated", path, content: `${generatedHeader}\n\n${text}` };
}
