import { Name, type CodeKeywordDefinition, type ValidateFunction } from "ajv";
import { callRef } from "ajv/dist/vocabularies/core/ref.js";
import { startRecord } from "./evaluation-record.js";

/** A schema that references lead to. Its function is set when it has been compiled. */
export interface CalledSchema {
  validate?: ValidateFunction;
}

/** The prefix under which a scope of AJV's has functions of other modules. */
export const IMPORTED = "imported";

/**
 * `$ref` whose value is the key of a target. Each target is compiled separately; AJV would compile one
 * inside the other.
 *
 * @param targetOf finds the target that has a key, or the name under which its function is imported
 */
export function referenceKeyword(
  targetOf: (key: string) => CalledSchema | string | undefined,
): CodeKeywordDefinition {
  return {
    keyword: "$ref",
    schemaType: "string",
    code(context) {
      startRecord(context);
      const { gen } = context;
      const target = targetOf(String(context.schema));
      if (typeof target !== "string") callRef(context, gen.scopeValue("called", { ref: target }));
      else {
        const code = new Name(target);
        gen.scopeValue(IMPORTED, { ref: target, code });
        callRef(context, code);
      }
    },
  };
}
