import { isJsonObject, type JsonObject } from "../../model/json.js";
import { assertionsOf } from "../assertions.js";
import { subschemasOf } from "../subschemas.js";
import type { Definition, Definitions, SchemaScope } from "./definition.js";

/** A schema with its scope. */
export interface ScopedSchema {
  readonly schema: JsonObject;
  readonly scope: SchemaScope;
}

/**
 * The direct subschemas (of `allOf`, `anyOf` and the like, but not of `not`) and targets of references that apply to the
 * same value as the schema.
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
export function schemasOfSameValue(start: ScopedSchema, definitions: Definitions): ScopedSchema[] {
  const seen = new Set<JsonObject>([start.schema]);
  const schemas = [start];
  // The loop also visits the schemas that it adds.
  for (const next of schemas) {
    for (const found of inPlaceSchemas(next, definitions)) {
      if (!seen.has(found.schema)) schemas.push(found);
      seen.add(found.schema);
    }
  }
  return schemas;
}
