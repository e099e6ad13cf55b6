import type { ItemModel, SchemaModel, ToolModel } from "../../model/server-model.js";
import { INPUT_VALIDATOR, OUTPUT_VALIDATOR } from "../../model/type-names.js";
import { movable, sequenceOf, type Code } from "../../text/code.js";
import { formValidators } from "../modules/asking.js";
import { validatorsSpecifier } from "../modules/module-names.js";
import type { ValidatorRequest } from "./emit-validators.js";
import type { SchemaDocument } from "./shared-validators.js";

/** The validators that an item needs, in the order in which its module exports them. */
export function validatorRequests(item: ItemModel): readonly ValidatorRequest[] {
  return [...(item.kind === "tool" ? toolValidators(item) : []), ...formValidators(item)];
}

function toolValidators({ input, output }: ToolModel): ValidatorRequest[] {
  const ofInput = { exportName: INPUT_VALIDATOR, ...documentOf(input) };
  if (output === undefined) return [ofInput];
  // Findings about results go to the log, which must not contain values.
  const ofOutput = {
    exportName: OUTPUT_VALIDATOR,
    ...documentOf(output),
    namesKeywordsOnly: true,
  };
  return [ofInput, ofOutput];
}

function documentOf({ wire, embedded }: SchemaModel): SchemaDocument {
  return { schema: wire, ...(embedded !== undefined && { embedded }) };
}

/** Code of a function that imports the validators of an item. */
export function validatorsImport(item: ItemModel): Code {
  return sequenceOf(["() => ", movable(`import("${validatorsSpecifier(item)}")`)]);
}
