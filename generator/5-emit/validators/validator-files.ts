import type { GeneratedFile } from "../../model/output-file.js";
import type { ServerModel } from "../../model/server-model.js";
import { itemsOf } from "../../model/items.js";
import { itemModulePath } from "../modules/module-names.js";
import { generatedHeader } from "../typescript-printer.js";
import { ValidatorEmitter } from "./emit-validators.js";
import { validatorRequests } from "./validator-requests.js";

/** The compiler's output has no types inside, and checking them would only take time. */
const header = `${generatedHeader}\n// @ts-nocheck`;

const sharedModules = "@mcpwright/runtime/validators/*";

/** A module of validators beside the module of each item that needs one, and one for each shared schema that they use. */
export function validatorFiles(model: ServerModel): GeneratedFile[] {
  const emitter = new ValidatorEmitter(model.sharedSchemas);
  const frame = { header, sharedModules, isTyped: true };
  const ofItems = itemsOf(model).flatMap((item) => {
    const requests = validatorRequests(item);
    if (requests.length === 0) return [];
    const schemaModules = "../schemas/*.validators.ts";
    return [fileOf(itemModulePath(item), emitter.module(requests, { ...frame, schemaModules }))];
  });
  const ofSchemas = emitter
    .schemaModules({ ...frame, schemaModules: "./*.validators.ts" })
    .map(([fileName, content]) => fileOf(`schemas/${fileName}`, content));
  return [...ofItems, ...ofSchemas];
}

function fileOf(module: string, content: string): GeneratedFile {
  return { owner: "generated", path: `src/generated/${module}.validators.ts`, content };
}
