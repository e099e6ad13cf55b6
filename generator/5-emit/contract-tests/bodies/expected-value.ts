import type { BodyValue } from "../../../model/bodies.js";
import type { JsonObject, JsonValue } from "../../../model/json.js";
import { expectedText } from "../expected-text.js";

/**
 * What a value of a body is for these arguments, read from the model and not from the code that is made of it.
 * Undefined where the value is an argument that is absent.
 */
export function expectedValue(value: BodyValue, values: JsonObject): JsonValue | undefined {
  switch (value.kind) {
    case "argument":
      return values[value.argument];
    case "text":
      return expectedText(value.text, values);
    case "literal":
      return value.value;
    case "list":
      return value.items.flatMap((item) => {
        const filled = expectedValue(item, values);
        return filled === undefined ? [] : [filled];
      });
    case "object":
      return Object.fromEntries(
        value.members.flatMap(([name, member]) => {
          const filled = expectedValue(member, values);
          return filled === undefined ? [] : [[name, filled] as const];
        }),
      );
  }
}
