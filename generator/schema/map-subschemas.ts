import type { JsonObject, JsonSchema, JsonValue } from "../model/json.js";
import { type SchemaPath } from "./json-schema.js";
import { subschemasOf } from "./subschemas.js";

/** A copy of a schema in which each of its direct subschemas is replaced. */
export function mapSubschemas(
  schema: JsonObject,
  replace: (subschema: JsonSchema) => JsonSchema,
): JsonObject {
  const copy = withCopiedContainers(schema);
  for (const [path, subschema] of subschemasOf(schema)) setAt(copy, path, replace(subschema));
  return copy;
}

/** A copy in which the lists and maps of subschemas are copies too, so that their members can be replaced. */
function withCopiedContainers(schema: JsonObject): JsonObject {
  const copy: JsonObject = { ...schema };
  for (const [[keyword, key]] of subschemasOf(schema)) {
    const name = String(keyword);
    if (key === undefined || copy[name] !== schema[name]) continue;
    const container = schema[name];
    copy[name] = Array.isArray(container) ? [...container] : { ...(container as JsonObject) };
  }
  return copy;
}

function setAt(copy: JsonObject, [keyword, key]: SchemaPath, value: JsonSchema): void {
  const name = String(keyword);
  if (key === undefined) {
    copy[name] = value;
    return;
  }
  const container = copy[name] as JsonValue[] | JsonObject;
  if (Array.isArray(container)) container[Number(key)] = value;
  else container[key] = value;
}
