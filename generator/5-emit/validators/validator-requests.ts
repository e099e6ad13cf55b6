import type { ItemModel, ToolModel } from "../../model/server-model.js";
import { INPUT_VALIDATOR, OUTPUT_VALIDATOR } from "../../model/type-names.js";
import { movable, sequenceOf, type Code } from "../../text/code.js";
import { formValidators } from "../modules/asking.js";
import { validatorsSpecifier } from "../modules/module-names.js";
import type { ValidatorRequest } from "./emit-validators.js";

/** The validators that an item needs, in the order in which its module exports them. */
export function validatorRequests(item: ItemModel): readonly ValidatorRequest[] {
  return [...(item.kind === "tool" ? toolValidators(item) : []), ...formValidators(item)];
}

function toolValidators({ input, output }: ToolModel): ValidatorRequest[] {
  const ofInput = { exportName: INPUT_VALIDATOR, schema: input.wire };
  if (output === undefined) return [ofInput];
  // Findings about results go to the log, which must not contain values.
  const ofOutput = { exportName: OUTPUT_VALIDATOR, schema: output.wire, namesKeywordsOnly: true };
  return [ofInput, ofOutput];
}

/** Code of a function that imports the validators of an item. */
export function validatorsImport(item: ItemModel): Code {
  return sequenceOf(["() => ", movable(`import("${validatorsSpecifier(item)}")`)]);
}
