import type { FileStatement } from "../typescript-printer.js";
import type { ItemModel, ToolModel } from "../../model/server-model.js";
import { INPUT_VALIDATOR, OUTPUT_VALIDATOR, validatorsConstant } from "../../model/type-names.js";
import { formValidators } from "../modules/asking.js";
import { handlerModule } from "../modules/handler-files.js";
import { importNamespace } from "../modules/structures.js";
import type { ValidatorRequest } from "./emit-validators.js";

/** The validators that an item needs, in the order in which its module exports them. */
export function validatorRequests(item: ItemModel): readonly ValidatorRequest[] {
  return [...(item.kind === "tool" ? toolValidators(item) : []), ...formValidators(item)];
}

function toolValidators({ input, output }: ToolModel): ValidatorRequest[] {
  const ofInput = { exportName: INPUT_VALIDATOR, schema: input.wire };
  if (output === undefined) return [ofInput];
  // What is wrong with a result is for the log, which names no value.
  const ofOutput = { exportName: OUTPUT_VALIDATOR, schema: output.wire, namesKeywordsOnly: true };
  return [ofInput, ofOutput];
}

/** Path of an item's module of validators without extension, from `src/generated/validators/`. */
export const validatorModule = handlerModule;

/** The imports of the validators of items into the table of those items. */
export function validatorImports(items: readonly ItemModel[]): FileStatement[] {
  return items
    .filter((item) => validatorRequests(item).length > 0)
    .map((item) =>
      importNamespace(`#validators/${validatorModule(item)}.js`, validatorsConstant(item)),
    );
}
