import { isJsonObject, type JsonObject, type JsonSchema } from "../model/json.js";
import { asShared, isShared, onceForShared } from "../model/shared-objects.js";
import { typeOfValue } from "./json-schema.js";
import { mapSubschemas } from "./map-subschemas.js";
import { keywordsWithin } from "./subschemas.js";

/**
 * The schema with `type` beside each `enum` and `const` that has none, for clients that read `type` alone. It accepts the
 * same values. The schema itself if there is nothing to add.
 */
export function withValueTypes(schema: JsonSchema): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  const keywords = keywordsWithin(schema);
  return keywords.has("enum") || keywords.has("const") ? typed(schema) : schema;
}

function typed(schema: JsonSchema): JsonSchema {
  return isJsonObject(schema) ? typedObject(schema) : schema;
}

const typedObject = onceForShared((schema: JsonObject): JsonObject => {
  const result = withTypes(schema);
  return isShared(schema) ? asShared(result) : result;
});

function withTypes(schema: JsonObject): JsonObject {
  let isChanged = false;
  const copy = mapSubschemas(schema, (subschema) => {
    const typedSubschema = typed(subschema);
    isChanged ||= typedSubschema !== subschema;
    return typedSubschema;
  });
  const types = schema["type"] === undefined ? typesOfValues(schema) : [];
  if (types.length === 0) return isChanged ? copy : schema;
  const [first, ...others] = types;
  return { type: others.length === 0 ? (first ?? null) : types, ...copy };
}

/** The types of the values that a schema lists. */
function typesOfValues({ const: constant, enum: listed }: JsonObject): string[] {
  const values = constant !== undefined ? [constant] : Array.isArray(listed) ? listed : [];
  const types = new Set<string>(values.map(typeOfValue));
  if (types.has("number")) types.delete("integer");
  return [...types];
}
