import type { JsonObject } from "../../model/json.js";
import type { Definitions, SchemaScope } from "./definition.js";
import { inPlaceSchemas, type ScopedSchema } from "./in-place.js";
import { KeywordReader } from "./keyword-reader.js";

/**
 * The names of the properties that `unevaluatedProperties` leaves alone in a schema: those that
 * any schema in the same place describes, whether or not it holds. "all" where they have no list.
 */
export function evaluatedProperties(
  schema: JsonObject,
  scope: SchemaScope,
  definitions: Definitions,
): ReadonlySet<string> | "all" {
  const names = new Set<string>();
  const seen = new Set<JsonObject>([schema]);
  const places: ScopedSchema[] = [{ schema, scope }];
  for (const place of places) {
    const keywords = new KeywordReader(place.schema, place.scope.dialect);
    const opens = [keywords.schema("additionalProperties")];
    if (place.schema !== schema) opens.push(keywords.schema("unevaluatedProperties"));
    const isOpen = opens.some((inner) => inner !== undefined && inner !== false);
    if (isOpen || keywords.schemaMap("patternProperties").size > 0) return "all";
    for (const name of keywords.schemaMap("properties").keys()) names.add(name);
    for (const next of inPlaceSchemas(place, definitions)) {
      if (!seen.has(next.schema)) places.push(next);
      seen.add(next.schema);
    }
  }
  return names;
}
