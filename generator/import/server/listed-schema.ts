import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { isJsonSchema, ownValue } from "../../schema/json-schema.js";
import { mapSubschemas } from "../../schema/map-subschemas.js";
import { withNull } from "../joined-keywords.js";
import { mayBeNull } from "../schema-values.js";

/** What schemas of servers have that JSON Schema 2020-12 has not, and what becomes of it. */

/** The input schema of a tool with `type: object` at its root, if it says nothing else there. */
export function withObjectRoot(schema: JsonValue | undefined): JsonValue {
  if (schema === undefined || schema === null || schema === true) return { type: "object" };
  if (!isJsonObject(schema)) return schema;
  const type = ownValue(schema, "type");
  const isOpen = type === undefined || (Array.isArray(type) && type.includes("object"));
  if (!isOpen) return schema;
  const { type: _, ...others } = schema;
  return { type: "object", ...others };
}

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const MODERN = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** A schema of OpenAPI, or of an older dialect of JSON Schema, as one of JSON Schema 2020-12. */
export function modernSchema(schema: JsonObject): JsonObject {
  const dialect = ownValue(schema, "$schema");
  const isKnown = typeof dialect === "string" && (DRAFT_07.test(dialect) || MODERN.test(dialect));
  const { $schema: _, ...others } = schema;
  const isDraft07 = typeof dialect === "string" && DRAFT_07.test(dialect);
  return modern(isKnown ? schema : others, isDraft07) as JsonObject;
}

function modern(schema: JsonSchema, isDraft07: boolean): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  const own = isDraft07 ? schema : withModernArrays(schema);
  const mapped = mapSubschemas(own, (subschema) => modern(subschema, isDraft07));
  const plain = withExactBounds(withDistinctEnum(mapped));
  const { nullable: _nullable, "x-nullable": _xNullable, id, $recursiveRef, ...others } = plain;
  const rules: JsonObject = {
    ...others,
    ...(id !== undefined && typeof id !== "string" && { id }),
    ...($recursiveRef === "#" && { $ref: "#" }),
    ...($recursiveRef !== undefined && $recursiveRef !== "#" && { $recursiveRef }),
  };
  return mayBeNull(plain) ? withNull(plain, rules) : rules;
}

/** Bounds that are exclusive by another keyword become exclusive themselves. */
function withExactBounds(schema: JsonObject): JsonObject {
  const result = { ...schema };
  for (const [key, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    const flag = result[exclusive];
    if (typeof flag !== "boolean") continue;
    delete result[exclusive];
    const bound = result[key];
    if (!flag || bound === undefined) continue;
    delete result[key];
    result[exclusive] = bound;
  }
  return result;
}

function withDistinctEnum(schema: JsonObject): JsonObject {
  const values = ownValue(schema, "enum");
  if (!Array.isArray(values)) return schema;
  const distinct = new Map(values.map((value) => [JSON.stringify(value), value]));
  return distinct.size === values.length ? schema : { ...schema, enum: [...distinct.values()] };
}

/** Lists of items, and dependencies, in the keywords that they have in 2020-12. */
function withModernArrays(schema: JsonObject): JsonObject {
  const { items, additionalItems, dependencies, ...others } = schema;
  const isTuple = Array.isArray(items);
  const entries = isJsonObject(dependencies) ? Object.entries(dependencies) : [];
  const names = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => isJsonSchema(value));
  return {
    ...others,
    ...(isTuple && items.length > 0 && { prefixItems: items }),
    ...(isTuple && additionalItems !== undefined && { items: additionalItems }),
    ...(!isTuple && items !== undefined && { items }),
    ...(names.length > 0 && { dependentRequired: Object.fromEntries(names) }),
    ...(schemas.length > 0 && { dependentSchemas: Object.fromEntries(schemas) }),
  };
}
