import type { ItemModel, ToolModel } from "../../model/server-model.js";
import { INPUT_VALIDATOR, OUTPUT_VALIDATOR } from "../../model/type-names.js";
import { movable, sequenceOf, type Code } from "../../text/code.js";
import { formValidators } from "../modules/asking.js";
import { handlerModule } from "../modules/handler-files.js";
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

/** The specifiers of all modules of validators, as `package.json` maps them. */
export const VALIDATOR_MODULES = "#validators/*";

/** Path of an item's module of validators without extension, from `src/generated/validators/`. */
export const validatorModule = handlerModule;

/** A function that imports the validators of an item. */
export function validatorsImport(item: ItemModel): Code {
  return sequenceOf(["() => ", movable(`import("${validatorSpecifier(item)}")`)]);
}

/** How modules of the project import the validators of an item. */
function validatorSpecifier(item: ItemModel): string {
  return `#validators/${validatorModule(item)}.js`;
}
