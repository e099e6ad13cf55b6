import type { GeneratedFile } from "../../model/output-file.js";
import type { ItemModel, ServerModel } from "../../model/server-model.js";
import { itemsOf } from "../../model/items.js";
import { itemModulePath } from "../modules/item-module.js";
import type { FileTexts } from "../reuse.js";
import { generatedHeader } from "../typescript-printer.js";
import { ValidatorEmitter } from "./emit-validators.js";
import { validatorRequests } from "./validator-requests.js";

/** The compiler's output has no types inside, and checking them would only take time. */
const header = `${generatedHeader}\n// @ts-nocheck`;

/** A module of validators beside the module of each item that needs one. */
export async function validatorFiles(
  model: ServerModel,
  texts: FileTexts,
): Promise<GeneratedFile[]> {
  const items = itemsOf(model).filter((item) => validatorRequests(item).length > 0);
  const emitter = new ValidatorEmitter();
  return Promise.all(items.map((item) => itemFile(item, emitter, texts)));
}

async function itemFile(
  item: ItemModel,
  emitter: ValidatorEmitter,
  texts: FileTexts,
): Promise<GeneratedFile> {
  const path = `src/generated/${itemModulePath(item)}.validators.ts`;
  const requests = validatorRequests(item);
  const sharedModule = "@mcpwright/runtime/validators";
  const make = (): string => emitter.module(requests, { header, sharedModule, isTyped: true });
  return { owner: "generated", path, content: await texts.textOf(path, requests, make) };
}
