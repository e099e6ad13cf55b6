import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import { isJsonSchema } from "../json-schema.js";
import { schemasIn } from "../keyword-values.js";

/** The schemas of the items of an array. */
export interface ItemSchemas {
  /** The schemas of the first items, one for each item. */
  readonly first: readonly JsonSchema[];
  /** The schema of all other items; undefined if these can have any value. */
  readonly rest: JsonSchema | undefined;
  /** The keywords that contain the schemas. */
  readonly keywords: { readonly first: string; readonly rest: string };
}

/**
 * Reads `prefixItems` and `items`, or a list under `items` with `additionalItems`, as draft-07 has them.
 *
 * @param valueOf gives the value of a keyword that is in force
 */
export function itemSchemas(valueOf: (keyword: string) => JsonValue | undefined): ItemSchemas {
  const items = valueOf("items");
  const isList = Array.isArray(items);
  const rest = isList ? valueOf("additionalItems") : items;
  return {
    first: schemasIn(isList ? items : valueOf("prefixItems")),
    rest: isJsonSchema(rest) ? rest : undefined,
    keywords: isList
      ? { first: "items", rest: "additionalItems" }
      : { first: "prefixItems", rest: "items" },
  };
}

/** The schemas that an item must fit in arrays that fit all given schemas. */
export function itemSchemasOf(schemas: readonly JsonObject[], index: number): JsonSchema[] {
  return schemas.flatMap((schema) => {
    const { first, rest = schema["unevaluatedItems"] } = itemSchemas((name) => schema[name]);
    const item = index < first.length ? first[index] : rest;
    return isJsonSchema(item) ? [item] : [];
  });
}

/** The number of first items that have a schema of their own. */
export function prefixLength(schemas: readonly JsonObject[]): number {
  const lengths = schemas.map((schema) => itemSchemas((name) => schema[name]).first.length);
  return Math.max(0, ...lengths);
}
