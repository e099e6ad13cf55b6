import type { JsonObject } from "../../../model/json.js";
import { pointerPart, regularExpression, type FillSlot } from "./slots.js";

/** Every keyword that takes a text of its author's, where it reaches types, validators and tests. */
export function slottedSchema(fill: FillSlot): JsonObject {
  const key = fill("input.property", "key");
  const other = fill("input.property.other", "key");
  const definition = fill("input.$defs", "key");
  const chosen = fill("input.enum.0", "choice");
  return {
    $comment: fill("input.$comment", "text"),
    type: "object",
    title: fill("input.title", "text"),
    description: fill("input.description", "text"),
    properties: {
      [key]: describedText(fill),
      [other]: { enum: [chosen, fill("input.enum.1", "choice")], default: chosen },
      constant: { const: fill("input.const", "text") },
      matched: {
        type: "string",
        pattern: `^${regularExpression(fill("input.pattern", "short"))}$`,
      },
      deep: { const: { [fill("input.const.key", "key")]: [fill("input.const.value", "text")] } },
      inner: innerObject(fill),
      keyed: {
        type: "object",
        patternProperties: {
          [`^${regularExpression(fill("input.patternProperties", "short key"))}$`]: {
            type: "string",
          },
        },
      },
      pair: {
        type: "array",
        prefixItems: [
          { const: fill("input.prefixItems.0", "short") },
          { const: fill("input.prefixItems.1", "short") },
        ],
        items: false,
      },
      either: {
        anyOf: [
          objectOfKind(fill("input.anyOf.0", "short")),
          objectOfKind(fill("input.anyOf.1", "short")),
        ],
      },
      referred: { $ref: `#/$defs/${pointerPart(definition)}` },
      note: { $ref: "#/schemas/Note" },
      other: { type: "string" },
    },
    dependentRequired: { [key]: ["other"] },
    required: ["note"],
    $defs: {
      [definition]: { type: "string", description: fill("input.$defs.description", "text") },
    },
  };
}

/** A text with every keyword that says something of it and checks nothing. */
function describedText(fill: FillSlot): JsonObject {
  return {
    type: "string",
    title: fill("input.property.title", "text"),
    description: fill("input.property.description", "text"),
    default: fill("input.default", "text"),
    examples: [fill("input.examples", "text")],
    format: fill("input.format", "text"),
    contentEncoding: fill("input.contentEncoding", "text"),
    contentMediaType: fill("input.contentMediaType", "text"),
    deprecated: true,
  };
}

/** An object in the input, whose only property is a list of texts. */
function innerObject(fill: FillSlot): JsonObject {
  return {
    type: "object",
    properties: {
      [fill("input.inner.property", "key")]: {
        type: "array",
        items: {
          type: "string",
          enum: [fill("input.items.enum", "short")],
          description: fill("input.items.description", "text"),
        },
      },
    },
    additionalProperties: false,
  };
}

/** One of several objects, which differ in the value of `kind`. */
function objectOfKind(kind: string): JsonObject {
  return { type: "object", properties: { kind: { const: kind } }, required: ["kind"] };
}
