import type { GeneratedFile } from "../../model/output-file.js";
import type { ItemModel, ServerModel } from "../../model/server-model.js";
import { installsClients } from "../model-facts.js";
import { emitSharedTypes, type SharedTypes } from "../types/emit-types.js";
import {
  generatedHeader,
  type FileStatements,
  type TypeScriptPrinter,
} from "../typescript-printer.js";
import { bodyItems, bodyModulePath } from "../bodies/body-items.js";
import { bodyModule } from "../bodies/body-module.js";
import { itemsOf } from "../../model/items.js";
import { schemaDefinitions } from "../schema-definitions.js";
import { DEFINITIONS_MODULE, definitionsModule } from "./definitions-module.js";
import { indexModule } from "./index-module.js";
import type { ItemModule } from "./item-module.js";
import { itemModulePath } from "./module-names.js";
import { installClientModule } from "./install-client-module.js";
import { promptModule } from "./prompt-module.js";
import { resourceModule, resourceTemplateModule } from "./resource-modules.js";
import { schemasModule } from "./schemas-module.js";
import { serverModule } from "./server-module.js";
import { sourceModules } from "./source-modules.js";
import { toolModule } from "./tool-module.js";

/** The generated modules under `src/` that depend on the manifest. */
export async function generatedModules(
  model: ServerModel,
  printer: TypeScriptPrinter,
): Promise<GeneratedFile[]> {
  const files: GeneratedFile[] = [];
  const add = async (module: string, statements: FileStatements): Promise<void> => {
    const path = `src/generated/${module}.ts`;
    const content = await printer.print(statements, generatedHeader);
    files.push({ owner: "generated", path, content });
  };
  const sharedTypes = emitSharedTypes(model.sharedSchemas);
  const typeNames = new Map<ItemModel, readonly string[]>();
  // One after the other, since the statements of all modules of a large server need too much memory.
  for (const item of itemsOf(model)) {
    const module = moduleOf(item, model, sharedTypes);
    typeNames.set(item, module.typeNames);
    await add(itemModulePath(item), module.statements);
  }
  for (const item of bodyItems(model)) {
    const body = bodyModule(item, item.behaviour, "../../index.ts");
    await add(bodyModulePath(item), body);
  }
  for (const { path, statements } of sourceModules(model)) await add(path, statements);
  if (model.sharedSchemas.length > 0) await add("schemas", schemasModule(sharedTypes));
  const definitions = schemaDefinitions(model);
  if (definitions.size > 0) await add(DEFINITIONS_MODULE, definitionsModule(definitions));
  await add("index", indexModule(model, typeNames));
  await add("server", serverModule(model));
  if (installsClients(model)) await add("install-client", installClientModule(model));
  return files;
}

function moduleOf(item: ItemModel, model: ServerModel, sharedTypes: SharedTypes): ItemModule {
  switch (item.kind) {
    case "tool":
      return toolModule(item, model, sharedTypes);
    case "resource":
      return resourceModule(item, sharedTypes);
    case "resourceTemplate":
      return resourceTemplateModule(item, sharedTypes);
    case "prompt":
      return promptModule(item, sharedTypes);
  }
}
