import type { OutputFile } from "../model/output-file.js";
import type { ServerModel } from "../model/server-model.js";
import { inputValidatorName, outputValidatorName } from "../model/type-names.js";
import {
  emitContractTests,
  emitStarterTests,
  useFormerContracts,
} from "./contract-tests/emit-contract-tests.js";
import { shareSchemaContracts } from "./contract-tests/schema-contracts.js";
import { formValidators, hasValidators, itemsOf } from "./modules/asking.js";
import { fixedFiles } from "./fixed-files.js";
import type { FormerGeneration } from "./former/former-generation.js";
import { fileWithoutTexts, filledFileWithoutTexts } from "./former/known-files.js";
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
  type PrinterOptions,
  generatedHeader,
  type FileStatements,
  type FormerFile,
  type TypeScriptPrinter,
} from "./typescript-printer.js";
import { filledFile, standInFor } from "./former/stand-ins.js";
import { FormerValidators } from "./validators/former-validators.js";
import { emitValidators, type ValidatorRequest } from "./validators/emit-validators.js";

/** What emitting may know besides the model. */
export interface EmitOptions extends PrinterOptions {
  /** From the project's folder. */
  readonly manifestPath?: string | undefined;
  /** Spares the work for what has not changed; the files are the same without it. */
  readonly former?: FormerGeneration | undefined;
}

/**
 * Server model → every file of the project, in memory, sorted by path. Reads only mcpwright's own
 * templates.
 */
export async function emit(
  model: ServerModel,
  { pace, manifestPath, former, onLayout }: EmitOptions = {},
): Promise<OutputFile[]> {
  if (former !== undefined) useFormerContracts(model, former);
  const printer = createTypeScriptPrinter({ pace, onLayout });
  const groups = await Promise.all([
    generatedModules(model, printer, former),
    handlerFiles(model, printer, former),
    customTransportFiles(model, printer),
    codeFiles(model, printer),
    emitContractTests(model, printer, former),
    emitStarterTests(model, printer, former),
    emitProjectFiles(model, manifestPath, former),
    fixedFiles(model, former),
  ]);
  const files = [...groups.flat(), ...(await validatorFiles(model, former))];
  return files.sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** What a module of a server is printed from. */
type ModuleStatements = (
  model: ServerModel,
  path: string,
  former?: FormerGeneration,
) => FileStatements;

/** A module of `src/generated/` that ts-morph makes. */
interface GeneratedModule {
  readonly name: string;
  readonly statements: ModuleStatements;
  /** Whether a server needs it; all do where this is absent. */
  readonly isNeeded?: (model: ServerModel) => boolean;
  /** Whose texts it shows: those of tools, as lists have them, or those of the server. */
  readonly showsTextsOf?: "tools" | "server";
}

const modules: readonly GeneratedModule[] = [
  { name: "index.ts", statements: indexModule },
  { name: "prompts.ts", statements: promptsModule, isNeeded: ({ prompts }) => prompts.length > 0 },
  {
    name: "resources.ts",
    statements: resourcesModule,
    isNeeded: (model) => model.resources.length + model.resourceTemplates.length > 0,
  },
  { name: "server.ts", statements: serverModule, showsTextsOf: "server" },
  { name: "testing.ts", statements: testingModule },
  {
    name: "tools.ts",
    statements: toolsModule,
    isNeeded: ({ tools }) => tools.length > 0,
    showsTextsOf: "tools",
  },
  { name: "types.ts", statements: typesModule },
];

async function generatedModules(
  model: ServerModel,
  printer: TypeScriptPrinter,
  former: FormerGeneration | undefined,
): Promise<OutputFile[]> {
  const needed = modules.filter(({ isNeeded }) => isNeeded?.(model) ?? true);
  const generated = needed.map(async ({ name, statements: statementsOf, showsTextsOf }) => {
    const path = `src/generated/${name}`;
    const make = (): Promise<string> =>
      printer.print(statementsOf(model, path, former), {
        header: generatedHeader,
        former: former && (() => formerFile(path, statementsOf, model, former)),
      });
    if (showsTextsOf === "tools") return filledFile(path, await make(), former);
    const isKnown = showsTextsOf !== "server" || former?.tools.serverIsSame === true;
    return fileWithoutTexts(path, isKnown ? former : undefined, make);
  });
  const header = `#!/usr/bin/env node\n${generatedHeader}`;
  const main = fileWithoutTexts("src/main.ts", former, () =>
    printer.print(mainModule(model), { header }),
  );
  return Promise.all([...generated, main]);
}

function formerFile(
  path: string,
  statementsOf: ModuleStatements,
  model: ServerModel,
  former: FormerGeneration,
): FormerFile | undefined {
  const text = former.text(path);
  if (text === undefined) return undefined;
  const formerModel = former.model();
  shareSchemaContracts(model, formerModel);
  return { statements: statementsOf(formerModel, path), text };
}

const VALIDATORS = "src/generated/validators.js";

async function validatorFiles(
  model: ServerModel,
  former: FormerGeneration | undefined,
): Promise<OutputFile[]> {
  if (!hasValidators(model)) return [];
  let made: ReturnType<typeof emitValidators> | undefined;
  const make = (): ReturnType<typeof emitValidators> => {
    const known = former && formerValidators(model, former);
    return (made ??= emitValidators(validatorRequests(model), generatedHeader, known));
  };
  return [
    await filledFileWithoutTexts(VALIDATORS, former, async () => make().javascript),
    await fileWithoutTexts("src/generated/validators.d.ts", former, async () => make().declaration),
  ];
}

function formerValidators({ tools }: ServerModel, former: FormerGeneration): FormerValidators {
  const own = tools.filter(({ name }) => former.tools.kept.has(name));
  return new FormerValidators({
    bytes: () => former.bytes(VALIDATORS),
    standIn: (part) => standInFor(part, former),
    requests: () => validatorRequests(former.model()),
    kept: new Set(own.flatMap((tool) => [inputValidatorName(tool), outputValidatorName(tool)])),
  });
}

function validatorRequests(model: ServerModel): ValidatorRequest[] {
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
  return [...forTools, ...formValidators(itemsOf(model))];
}
