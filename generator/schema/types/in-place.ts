import { isJsonObject, type JsonObject } from "../../model/json.js";
import { assertionsOf } from "../assertions.js";
import { subschemasOf } from "../subschemas.js";
import type { Definition, Definitions, SchemaScope } from "./definition.js";

/** A schema together with where it stands. */
export interface ScopedSchema {
  readonly schema: JsonObject;
  readonly scope: SchemaScope;
}

/**
 * The schemas that apply to the same value as a schema does, one step far: the members of
 * `allOf` and its like, and what it refers to. Not that of `not`.
 */
export function inPlaceSchemas(
  { schema, scope }: ScopedSchema,
  definitions: Definitions,
): ScopedSchema[] {
  const inPlace = assertionsOf(schema, scope.dialect).filter(
    ({ definition }) => definition.appliesInPlace === true && definition.name !== "not",
  );
  if (inPlace.length === 0) return [];
  const names = new Set<string | number | undefined>(
    inPlace.map(({ definition }) => definition.name),
  );
  const inner = subschemasOf(schema)
    .filter(([[keyword]]) => names.has(keyword))
    .map(([, subschema]) => ({ schema: subschema, scope }));
  const targets = inPlace
    .filter(({ definition }) => definition.isReference === true)
    .map(({ rule }) => definitions.referenced(scope, String(rule)))
    .filter((target): target is Definition => typeof target !== "boolean");
  return [...inner, ...targets].filter((candidate): candidate is ScopedSchema =>
    isJsonObject(candidate.schema),
  );
}

/** A schema and all others that apply to the same value. */
export function schemasOfSameValue(place: ScopedSchema, definitions: Definitions): ScopedSchema[] {
  const seen = new Set<JsonObject>([place.schema]);
  const places = [place];
  for (const next of places) {
    for (const found of inPlaceSchemas(next, definitions)) {
      if (!seen.has(found.schema)) places.push(found);
      seen.add(found.schema);
    }
  }
  return places;
}
