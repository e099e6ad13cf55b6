import type { OutputFile } from "../model/output-file.js";
import type { Pace } from "../model/pace.js";
import type { ServerModel } from "../model/server-model.js";
import { inputValidatorName, outputValidatorName } from "../model/type-names.js";
import { emitContractTests, emitStarterTests } from "./contract-tests/emit-contract-tests.js";
import { formValidators, hasValidators, itemsOf } from "./modules/asking.js";
import { fixedFiles } from "./fixed-files.js";
import { customTransportFiles } from "./modules/custom-transport-files.js";
import { codeFiles } from "./modules/code-stubs.js";
import { indexModule } from "./modules/index-module.js";
import { mainModule } from "./modules/main-module.js";
import { promptsModule } from "./modules/prompts-module.js";
import { resourcesModule } from "./modules/resources-module.js";
import { serverModule } from "./modules/server-module.js";
import { handlerFiles } from "./modules/stubs.js";
import { testingModule } from "./modules/testing-module.js";
import { toolsModule } from "./modules/tools-module.js";
import { typesModule } from "./modules/types-module.js";
import { emitProjectFiles } from "./project/project-files.js";
import {
  createTypeScriptPrinter,
  generatedHeader,
  type FileStatements,
  type TypeScriptPrinter,
} from "./typescript-printer.js";
import { emitValidators, type ValidatorRequest } from "./validators/emit-validators.js";

/**
 * Server model → every file of the project, in memory, sorted by path. Reads only mcpwright's own
 * templates.
 *
 * @param manifestPath from the project's folder
 */
export async function emit(
  model: ServerModel,
  pace?: Pace,
  manifestPath?: string,
): Promise<OutputFile[]> {
  const printer = await createTypeScriptPrinter(pace);
  const groups = await Promise.all([
    generatedModules(model, printer),
    handlerFiles(model, printer),
    customTransportFiles(model, printer),
    codeFiles(model, printer),
    emitContractTests(model, printer),
    emitStarterTests(model, printer),
    emitProjectFiles(model, manifestPath),
    fixedFiles(model),
  ]);
  const files = [...groups.flat(), ...validatorFiles(model)];
  return files.sort((left, right) => (left.path < right.path ? -1 : 1));
}

async function generatedModules(
  model: ServerModel,
  printer: TypeScriptPrinter,
): Promise<OutputFile[]> {
  const { tools, resources, resourceTemplates, prompts } = model;
  const generated: [path: string, statements: FileStatements | false][] = [
    ["index.ts", indexModule(model)],
    ["prompts.ts", prompts.length > 0 && promptsModule(model)],
    ["resources.ts", resources.length + resourceTemplates.length > 0 && resourcesModule(model)],
    ["server.ts", serverModule(model)],
    ["testing.ts", testingModule(model)],
    ["tools.ts", tools.length > 0 && toolsModule(model)],
    ["types.ts", typesModule(model)],
  ];
  const modules = generated.map(async ([path, statements]): Promise<OutputFile[]> => {
    if (statements === false) return [];
    const content = await printer.print(statements, { header: generatedHeader });
    return [{ owner: "generated", path: `src/generated/${path}`, content }];
  });
  const header = `#!/usr/bin/env node\n${generatedHeader}`;
  const main = await printer.print(mainModule(model), { header });
  return [
    ...(await Promise.all(modules)).flat(),
    { owner: "generated", path: "src/main.ts", content: main },
  ];
}

function validatorFiles(model: ServerModel): OutputFile[] {
  if (!hasValidators(model)) return [];
  const forTools = model.tools.flatMap((tool): ValidatorRequest[] => [
    { exportName: inputValidatorName(tool), schema: tool.input.wire },
    ...(tool.output === undefined
      ? []
      : [
          {
            exportName: outputValidatorName(tool),
            schema: tool.output.wire,
            // What is wrong with a result is for the log, which names no value.
            namesKeywordsOnly: true,
          },
        ]),
  ]);
  const requests = [...forTools, ...formValidators(itemsOf(model))];
  const { javascript, declaration } = emitValidators(requests, generatedHeader);
  return [
    { owner: "generated", path: "src/generated/validators.js", content: javascript },
    { owner: "generated", path: "src/generated/validators.d.ts", content: declaration },
  ];
}
