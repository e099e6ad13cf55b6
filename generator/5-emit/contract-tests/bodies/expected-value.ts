import type { BodyValue } from "../../../model/bodies.js";
import type { JsonObject, JsonValue } from "../../../model/json.js";
import { expectedText } from "../expected-text.js";

/**
 * The value of a part of a body for these arguments. Computed from the model, not by the generated code.
 * Undefined if the part is an argument that is absent.
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
        const actual = expectedValue(item, values);
        return actual === undefined ? [] : [actual];
      });
    case "object":
      return Object.fromEntries(
        value.members.flatMap(([name, member]) => {
          const actual = expectedValue(member, values);
          return actual === undefined ? [] : [[name, actual] as const];
        }),
      );
  }
}

/** A value as text: objects and lists as JSON. */
export function valueText(value: JsonValue): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}
