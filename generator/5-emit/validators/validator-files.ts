import type { GeneratedFile } from "../../model/output-file.js";
import type { ServerModel } from "../../model/server-model.js";
import { itemsOf } from "../../model/items.js";
import { onceForEach } from "../../model/once-for-each.js";
import { itemModulePath } from "../modules/module-names.js";
import { generatedHeader } from "../typescript-printer.js";
import { ValidatorEmitter, type CalledSchema } from "./emit-validators.js";
import { validatorRequests } from "./validator-requests.js";

/**
 * The compiler's output has no types inside, and checking them would only take time. What the recommended rules of ESLint and
 * Biome say of it is nothing that an owner could mend; they find nothing in the other modules.
 */
const header = `${generatedHeader}
/* eslint-disable */
// biome-ignore-all lint: AJV wrote this code
// @ts-nocheck`;

const sharedModules = "@mcpwright/runtime/validators/*";

/** The files of the validators of a server, and the shared schemas that have one. */
interface WrittenValidators {
  readonly files: readonly GeneratedFile[];
  readonly schemas: readonly CalledSchema[];
}

const writtenValidators = onceForEach((model: ServerModel): WrittenValidators => {
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
  return { files: [...ofItems, ...ofSchemas], schemas: emitter.calledSchemas() };
});

/** A module of validators beside the module of each item that needs one, and one for each shared schema that they use. */
export const validatorFiles = (model: ServerModel): readonly GeneratedFile[] =>
  writtenValidators(model).files;

/** The shared schemas that have a module of validators, with the functions that it exports. */
export const validatedSchemas = (model: ServerModel): readonly CalledSchema[] =>
  writtenValidators(model).schemas;

function fileOf(module: string, content: string): GeneratedFile {
  return { owner: "generated", path: `src/generated/${module}.validators.ts`, content };
}
