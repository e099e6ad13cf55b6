import { isJsonObject, type JsonObject, type JsonSchema } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { mayBeNull } from "./schema-values.js";

/** Adds null to the values of a schema that is nullable: to its `type`, or as an alternative if that is not possible. */
export function withNull(value: JsonObject, schema: JsonSchema): JsonSchema {
  if (!mayBeNull(value) || typeof schema === "boolean") return schema;
  const type = ownValue(schema, "type");
  const { description, title, default: defaultValue, ...conditions } = schema;
  const canJoinType = ["$ref", "allOf", "anyOf", "oneOf", "not", "const"].every(
    (key) => !(key in conditions),
  );
  if (canJoinType && type === undefined && !("enum" in conditions)) return schema;
  if (canJoinType) {
    const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
    const values = ownValue(schema, "enum");
    return {
      ...schema,
      ...(types.length > 0 && !types.includes("null") && { type: [...types, "null"] }),
      ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
    };
  }
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(defaultValue !== undefined && { default: defaultValue }),
    anyOf: [conditions, { type: "null" }],
  };
}

/** A reference together with the keywords beside it. */
export function withReference(reference: JsonSchema, siblings: JsonObject): JsonObject {
  const { title, description, ...rules } = siblings;
  if (Object.keys(rules).length === 0 && isJsonObject(reference))
    return { ...reference, ...siblings };
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    allOf: [reference, rules],
  };
}
