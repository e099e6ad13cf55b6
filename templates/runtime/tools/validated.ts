import type { Tool } from "@modelcontextprotocol/server";
import type { Validator } from "../engine/item.js";
import type { ToolEntry, ToolValidators } from "./definition.js";

/**
 * The members `definition` and `validators` of a tool whose schemas are compiled at its first call, with the SDK's
 * own validator (AJV). Calls of a tool whose schemas cannot be compiled fail, and the log says why.
 *
 * @param definition the item of `tools/list`, as clients get it
 */
export function validated(definition: Tool): Pick<ToolEntry, "definition" | "validators"> {
  return { definition, validators: () => compile(definition) };
}

async function compile({ inputSchema, outputSchema }: Tool): Promise<ToolValidators> {
  const { AjvJsonSchemaValidator } = await import("@modelcontextprotocol/server/validators/ajv");
  const ajv = new AjvJsonSchemaValidator();
  const validatorOf = (schema: object): Validator => {
    const check = ajv.getValidator(schema);
    const validate: Validator = (value) => {
      const { valid, errorMessage = "does not fit" } = check(value);
      validate.errors = valid ? null : [{ instancePath: "", message: errorMessage }];
      return valid;
    };
    return validate;
  };
  return {
    input: validatorOf(inputSchema),
    ...(outputSchema === undefined ? {} : { output: validatorOf(outputSchema) }),
  };
}
