import type { OutputFile } from "../model/output-file.js";
import type { Pace } from "../model/pace.js";
import type { ServerModel } from "../model/server-model.js";
import { emitContractTests, emitStarterTests } from "./contract-tests/emit-contract-tests.js";
import { fixedFiles } from "./fixed-files.js";
import { codeFiles } from "./modules/code-stubs.js";
import { customTransportFiles } from "./modules/custom-transport-files.js";
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
import { validatorFiles } from "./validators/validator-files.js";

/** What emitting may know besides the model. */
export interface EmitOptions {
  readonly pace?: Pace | undefined;
  /** From the project's folder. */
  readonly manifestPath?: string | undefined;
}

/**
 * Server model → every file of the project, in memory, sorted by path. Reads only mcpwright's own
 * templates.
 */
export async function emit(
  model: ServerModel,
  { pace, manifestPath }: EmitOptions = {},
): Promise<OutputFile[]> {
  const printer = createTypeScriptPrinter(pace);
  const groups = await Promise.all([
    generatedModules(model, printer),
    handlerFiles(model, printer),
    customTransportFiles(model, printer),
    codeFiles(model, printer),
    emitContractTests(model, printer),
    emitStarterTests(model, printer),
    emitProjectFiles(model, manifestPath),
    fixedFiles(model),
    validatorFiles(model),
  ]);
  return groups.flat().sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** A module of `src/generated/`. */
interface GeneratedModule {
  readonly name: string;
  readonly statements: (model: ServerModel) => FileStatements;
  /** Whether a server needs it; all do where this is absent. */
  readonly isNeeded?: (model: ServerModel) => boolean;
}

const modules: readonly GeneratedModule[] = [
  { name: "index.ts", statements: indexModule },
  { name: "prompts.ts", statements: promptsModule, isNeeded: ({ prompts }) => prompts.length > 0 },
  {
    name: "resources.ts",
    statements: resourcesModule,
    isNeeded: (model) => model.resources.length + model.resourceTemplates.length > 0,
  },
  { name: "server.ts", statements: serverModule },
  { name: "testing.ts", statements: testingModule },
  {
    name: "tools.ts",
    statements: toolsModule,
    isNeeded: ({ tools }) => tools.length > 0,
  },
  { name: "types.ts", statements: typesModule },
];

async function generatedModules(
  model: ServerModel,
  printer: TypeScriptPrinter,
): Promise<OutputFile[]> {
  const files = modules
    .filter(({ isNeeded }) => isNeeded?.(model) ?? true)
    .map(async ({ name, statements }): Promise<OutputFile> => ({
      owner: "generated",
      path: `src/generated/${name}`,
      content: await printer.print(statements(model), generatedHeader),
    }));
  const main = await printer.print(mainModule(model), `#!/usr/bin/env node\n${generatedHeader}`);
  return [
    ...(await Promise.all(files)),
    { owner: "generated", path: "src/main.ts", content: main },
  ];
}
