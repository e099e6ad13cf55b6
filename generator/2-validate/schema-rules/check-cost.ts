import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import { costlyUniqueItems, tooManyProperties } from "../../model/catalogue/schema-meaning.js";
import { resolveReference } from "../../schema/schema-reference.js";
import { unboundedComparison } from "../../schema/keywords/index.js";
import { placeOf, type SchemaDocument, type SchemaNode } from "./schema-document.js";

/** The most properties that one schema may describe. */
const MAX_PROPERTIES = 1000;

/** Reports schemas that have too many properties, or that make validation costly. */
export function* checkCost(
  { schema, path }: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const properties = ownValue(schema, "properties");
  const found = isJsonObject(properties) ? Object.keys(properties).length : 0;
  if (found > MAX_PROPERTIES) {
    const place = placeOf(document, [...path, "properties"], "key");
    yield tooManyProperties(place, { found, limit: MAX_PROPERTIES });
  }
  const costly = unboundedComparison(schema);
  if (costly !== undefined && holdsObjects(schema, document)) {
    yield costlyUniqueItems(placeOf(document, [...path, costly], "key"), {});
  }
}

/** True if the items can be objects or lists, by their type or the type of the schema to which they refer. */
function holdsObjects(schema: JsonObject, { root, run }: SchemaDocument): boolean {
  const declared = ownValue(schema, "items");
  if (!isJsonObject(declared)) return declared !== false;
  const reference = ownValue(declared, "$ref");
  const target =
    typeof reference === "string" ? resolveReference(root, reference, run.shared) : undefined;
  const items = target !== undefined && isJsonObject(target.schema) ? target.schema : declared;
  const type = ownValue(items, "type");
  if (type === undefined) return !Object.hasOwn(items, "enum") && !Object.hasOwn(items, "const");
  return [type].flat().some((name) => name === "object" || name === "array");
}
