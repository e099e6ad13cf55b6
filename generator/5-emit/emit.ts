import type { FormerBodies } from "../4-compare/former-bodies.js";
import type { OutputFile } from "../model/output-file.js";
import type { Pace } from "../model/pace.js";
import type { ServerModel } from "../model/server-model.js";
import { emitContractTests } from "./contract-tests/emit-contract-tests.js";
import { emitStarterTests } from "./contract-tests/starter-tests.js";
import { deployFiles } from "./deploy/deploy-files.js";
import { fixedFiles } from "./fixed-files.js";
import { codeFiles } from "./modules/code-stubs.js";
import { customTransportFiles } from "./modules/custom-transport-files.js";
import { generatedModules } from "./modules/generated-modules.js";
import { handlerFiles } from "./modules/stubs.js";
import { packageFiles } from "./package/package-files.js";
import { emitProjectFiles } from "./project/project-files.js";
import { createTypeScriptPrinter } from "./typescript-printer.js";
import { validatorFiles } from "./validators/validator-files.js";

/** Optional inputs of `emit`. */
export interface EmitOptions {
  readonly pace?: Pace | undefined;
  /** Path of the manifest, relative to the project. */
  readonly manifestPath?: string | undefined;
  /** The former bodies of items that now have a handler. */
  readonly formerBodies?: FormerBodies | undefined;
}

/** Makes every file of a project in memory, sorted by path. Reads only mcpwright's own templates. */
export async function emit(
  model: ServerModel,
  { pace, manifestPath, formerBodies }: EmitOptions = {},
): Promise<OutputFile[]> {
  const printer = createTypeScriptPrinter(pace);
  const groups = await Promise.all([
    generatedModules(model, printer),
    handlerFiles(model, printer, formerBodies),
    customTransportFiles(model, printer),
    codeFiles(model, printer, formerBodies),
    emitContractTests(model, printer),
    emitStarterTests(model, printer),
    emitProjectFiles(model, manifestPath),
    fixedFiles(model),
    packageFiles(model, manifestPath),
    deployFiles(model),
    validatorFiles(model),
  ]);
  return groups.flat().sort((left, right) => (left.path < right.path ? -1 : 1));
}
