import { isJsonObject, type JsonValue } from "../model/json.js";
import { KEYWORDS } from "../schema/keywords/index.js";
import type { SchemaContext } from "./schema-context.js";
import { isExact } from "./schema-values.js";

/**
 * Why a keyword that is a condition for values is lost. Undefined if nothing is lost.
 *
 * @param hasConversion true if there is a conversion
 * @param hasResult true if the conversion had a result
 */
export function lossOf(
  key: string,
  value: JsonValue,
  hasConversion: boolean,
  hasResult: boolean,
  { direction }: SchemaContext,
): string | undefined {
  const { shape, subject } = KEYWORDS.get(key) ?? {};
  if (VALUE_KEYWORDS.has(key) && !isExact(value))
    return "since JavaScript knows no number of so many digits";
  if (!hasConversion) return UNSUPPORTED.has(key) ? "which is not carried over" : undefined;
  if (hasResult) return undefined;
  const isCount = shape === "count" || shape === "number" || shape === "positive number";
  if (isCount && typeof value !== "boolean") return "since its value is no number that it can have";
  const isList = Array.isArray(value) && value.length > 0;
  if (shape === "schema list" && subject === undefined && !isList)
    return "since it is no list of schemas";
  const isCompound = isJsonObject(value) || (Array.isArray(value) && value.length > 0);
  if (key === "default" && direction === "request" && isCompound)
    return "since it is no single value";
  return undefined;
}

/** Keywords whose values are examples of the schema's values, and not schemas or conditions. */
export const VALUE_KEYWORDS: ReadonlySet<string> = new Set(["const", "enum", "default"]);

/** Keywords that are conditions for values and have no conversion. */
const UNSUPPORTED: ReadonlySet<string> = new Set(["$dynamicRef", "$recursiveRef", "dependencies"]);
