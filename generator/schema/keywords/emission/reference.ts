import type { CodeKeywordDefinition, ValidateFunction } from "ajv";
import { callRef } from "ajv/dist/vocabularies/core/ref.js";
import { startRecord } from "./evaluation-record.js";

/** A schema that references lead to. Its function is set when it has been compiled. */
export interface CalledSchema {
  validate?: ValidateFunction;
}

/**
 * `$ref` whose value is the key of a target. Each target is compiled separately; AJV would compile one
 * inside the other.
 *
 * @param targetOf finds the target that has a key
 */
export function referenceKeyword(
  targetOf: (key: string) => CalledSchema | undefined,
): CodeKeywordDefinition {
  return {
    keyword: "$ref",
    schemaType: "string",
    code(context) {
      startRecord(context);
      callRef(context, context.gen.scopeValue("called", { ref: targetOf(String(context.schema)) }));
    },
  };
}
