import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import { costlyUniqueItems, tooManyProperties } from "../../model/catalogue/schema-meaning.js";
import { resolveReference } from "../../schema/schema-reference.js";
import { unboundedComparison } from "../../schema/keywords/index.js";
import { placeOf, type SchemaDocument, type SchemaNode } from "./schema-document.js";

/** An object of more is too large in itself. */
const MAX_PROPERTIES = 1000;

/** Schemas that are large in themselves, or costly to validate against. */
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

/** Whether the items can be objects or lists: told by their type, their own or one reference away. */
function holdsObjects(schema: JsonObject, { root, run }: SchemaDocument): boolean {
  const written = ownValue(schema, "items");
  if (!isJsonObject(written)) return written !== false;
  const reference = ownValue(written, "$ref");
  const target =
    typeof reference === "string" ? resolveReference(root, reference, run.shared) : undefined;
  const items = target !== undefined && isJsonObject(target.schema) ? target.schema : written;
  const type = ownValue(items, "type");
  if (type === undefined) return !Object.hasOwn(items, "enum") && !Object.hasOwn(items, "const");
  return [type].flat().some((name) => name === "object" || name === "array");
}
