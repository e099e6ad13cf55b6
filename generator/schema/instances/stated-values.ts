import type { JsonObject, JsonValue } from "../../model/json.js";
import { isEqual } from "../values.js";
import type { ValueRequest } from "./value-request.js";

/** Values that schemas state themselves. */

/** What `const` and `enum` leave to choose from; undefined where nothing is fixed. */
export function fixedValues(schemas: readonly JsonObject[]): JsonValue[] | undefined {
  const lists: JsonValue[][] = [];
  for (const schema of schemas) {
    if (Array.isArray(schema["enum"])) lists.push(schema["enum"]);
    if (schema["const"] !== undefined) lists.push([schema["const"]]);
  }
  const [first, ...others] = lists;
  return first?.filter((value) => others.every((list) => list.some((it) => isEqual(it, value))));
}

/** A value that the author wrote down for this place. */
export function writtenValue(
  schemas: readonly JsonObject[],
  request: ValueRequest,
): JsonValue | undefined {
  let before = 0;
  for (const { examples, default: standard } of schemas) {
    const count = Array.isArray(examples) ? examples.length : 0;
    if (request.seed < before + count) return (examples as JsonValue[])[request.seed - before];
    before += count;
    if (standard === undefined) continue;
    if (request.seed === before) return standard;
    before += 1;
  }
  return undefined;
}
