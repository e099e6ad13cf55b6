import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { Definition, Definitions, SchemaScope } from "./definition.js";
import { KeywordReader } from "./keyword-reader.js";

/** A schema together with where it stands. */
export interface ScopedSchema {
  readonly schema: JsonObject;
  readonly scope: SchemaScope;
}

/**
 * The schemas that apply to the same value as a schema does, one step far: the members of
 * `allOf` and its like, and what it refers to. Not those of `not`.
 */
export function inPlaceSchemas(
  { schema, scope }: ScopedSchema,
  definitions: Definitions,
): ScopedSchema[] {
  const keywords = new KeywordReader(schema, scope.dialect);
  const inner = [
    ...["allOf", "anyOf", "oneOf"].flatMap((name) => keywords.schemas(name)),
    ...["if", "then", "else"].map((name) => keywords.schema(name)),
    ...["dependentSchemas", "dependencies"].flatMap((name) => [
      ...keywords.schemaMap(name).values(),
    ]),
  ];
  const targets = ["$ref", "$dynamicRef"]
    .map((name) => keywords.string(name))
    .filter((reference) => reference !== undefined)
    .map((reference) => definitions.referenced(scope, reference))
    .filter((target): target is Definition => typeof target !== "boolean");
  return [...inner.map((subschema) => ({ schema: subschema, scope })), ...targets].filter(
    (candidate): candidate is ScopedSchema => isJsonObject(candidate.schema),
  );
}
