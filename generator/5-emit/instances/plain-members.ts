import { isJsonObject, type JsonObject, type JsonSchema } from "../../model/json.js";
import { isJsonSchema, ownValue } from "../../schema/json-schema.js";
import { itemSchemas, namesIn, propertySchemas } from "./places.js";

/** A property that objects of a plain schema can have. */
export interface PlainMember {
  readonly name: string;
  readonly schemas: readonly JsonSchema[];
  readonly isRequired: boolean;
}

/** With one of these, which members an object is made with depends on more than their names. */
const COUNTING_KEYWORDS = ["minProperties", "maxProperties", "enum", "const"];

/**
 * The properties that the objects of a plain schema are made of, those first that are required.
 *
 * @param most as many may there be
 * @returns undefined for schemas of other values, and where what is made depends on more
 */
export function plainMembers(schema: JsonObject, most: number): PlainMember[] | undefined {
  const { type, required, properties, additionalProperties } = schema;
  if (type !== "object" || isJsonObject(additionalProperties)) return undefined;
  if (COUNTING_KEYWORDS.some((keyword) => schema[keyword] !== undefined)) return undefined;
  const needed = new Set(namesIn(required));
  const names = new Set([...needed, ...(isJsonObject(properties) ? Object.keys(properties) : [])]);
  if (names.size > most) return undefined;
  const alone = [schema];
  return Array.from(names, (name) => {
    const own = isJsonObject(properties) ? ownValue(properties, name) : undefined;
    const schemas = isJsonSchema(own) ? [own] : propertySchemas(alone, name);
    return { name, schemas, isRequired: needed.has(name) };
  });
}

/** What describes each item of the arrays of a plain schema; undefined as for `plainMembers`. */
export function plainItems(schema: JsonObject): JsonSchema[] | undefined {
  if (schema["type"] !== "array" || schema["uniqueItems"] === true) return undefined;
  if (schema["enum"] !== undefined || schema["const"] !== undefined) return undefined;
  return itemSchemas([schema], 0);
}
