import type { GeneratedFile } from "../../model/output-file.js";
import type { ServerModel } from "../../model/server-model.js";
import { itemsOf } from "../../model/items.js";
import { itemModulePath } from "../modules/item-module.js";
import { generatedHeader } from "../typescript-printer.js";
import { ValidatorEmitter } from "./emit-validators.js";
import { validatorRequests } from "./validator-requests.js";

/** The compiler's output has no types inside, and checking them would only take time. */
const header = `${generatedHeader}\n// @ts-nocheck`;

/** A module of validators beside the module of each item that needs one. */
export function validatorFiles(model: ServerModel): GeneratedFile[] {
  const emitter = new ValidatorEmitter();
  const sharedModules = "@mcpwright/runtime/validators/*";
  return itemsOf(model).flatMap((item) => {
    const requests = validatorRequests(item);
    if (requests.length === 0) return [];
    const path = `src/generated/${itemModulePath(item)}.validators.ts`;
    const content = emitter.module(requests, { header, sharedModules, isTyped: true });
    return [{ owner: "generated", path, content }];
  });
}
