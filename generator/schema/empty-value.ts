import type { JsonSchema, JsonValue } from "../model/json.js";
import { interpret } from "./interpret.js";
import type { SharedSchemas } from "./schema-reference.js";

/**
 * The value of a schema that says that there is nothing: an empty list, or else null. Absent if the schema accepts neither.
 *
 * @param shared the manifest's `schemas`; not needed for a self-contained schema
 */
export function emptyValue(
  schema: JsonSchema,
  shared?: SharedSchemas,
): { readonly value: JsonValue } | undefined {
  const options = shared === undefined ? {} : { shared };
  const candidates: JsonValue[] = [[], null];
  const value = candidates.find((one) => interpret(one, schema, schema, options).length === 0);
  return value === undefined ? undefined : { value };
}
