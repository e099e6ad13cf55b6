import type { JsonObject, JsonValue } from "../../model/json.js";
import { isOfType } from "../keywords/index.js";
import { isEqual } from "../values.js";
import type { ValueRequest } from "./value-request.js";

/** The values that all `const` and `enum` allow; undefined if the schemas have none. */
export function fixedValues(schemas: readonly JsonObject[]): JsonValue[] | undefined {
  const lists: JsonValue[][] = [];
  for (const schema of schemas) {
    if (Array.isArray(schema["enum"])) lists.push(schema["enum"]);
    if (schema["const"] !== undefined) lists.push([schema["const"]]);
  }
  const [first, ...others] = lists;
  return first?.filter((value) =>
    others.every((list) => list.some((item) => isEqual(item, value))),
  );
}

/**
 * The value at index `request.seed` among all `examples` and `default` of the schemas; undefined beyond the last, and
 * where it is not of the `type` beside it.
 */
export function exampleOrDefault(
  schemas: readonly JsonObject[],
  request: ValueRequest,
): JsonValue | undefined {
  let firstIndex = 0;
  for (const { examples, default: standard, type } of schemas) {
    const count = Array.isArray(examples) ? examples.length : 0;
    if (request.seed < firstIndex + count)
      return ifOfType((examples as JsonValue[])[request.seed - firstIndex], type);
    firstIndex += count;
    if (standard === undefined) continue;
    if (request.seed === firstIndex) return ifOfType(standard, type);
    firstIndex += 1;
  }
  return undefined;
}

function ifOfType(
  value: JsonValue | undefined,
  type: JsonValue | undefined,
): JsonValue | undefined {
  if (value === undefined || type === undefined) return value;
  const types = Array.isArray(type) ? type : [type];
  return types.some((one) => isOfType(value, one)) ? value : undefined;
}
