import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import { isJsonSchema } from "../json-schema.js";
import { schemasIn } from "../read-schema.js";

/** What a schema says of the items of an array. */
export interface ItemSchemas {
  /** Of the first items, one each. */
  readonly first: readonly JsonSchema[];
  /** Of all others; undefined where these can be anything. */
  readonly rest: JsonSchema | undefined;
  /** The keywords that say so. */
  readonly keywords: { readonly first: string; readonly rest: string };
}

/**
 * Reads `prefixItems` and `items`; in draft-07 these are a list under `items`, and `additionalItems`.
 *
 * @param valueOf what stands under a keyword, where that is in force
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

/** The schemas that speak about an item of the arrays that the given ones describe. */
export function itemSchemasOf(schemas: readonly JsonObject[], index: number): JsonSchema[] {
  return schemas.flatMap((schema) => {
    const { first, rest = schema["unevaluatedItems"] } = itemSchemas((name) => schema[name]);
    const item = index < first.length ? first[index] : rest;
    return isJsonSchema(item) ? [item] : [];
  });
}

/** How many items are described each on its own. */
export function prefixLength(schemas: readonly JsonObject[]): number {
  const lengths = schemas.map((schema) => itemSchemas((name) => schema[name]).first.length);
  return Math.max(0, ...lengths);
}
