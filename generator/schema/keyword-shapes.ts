import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { isJsonSchema, TYPE_NAMES } from "./json-schema.js";
import type { KeywordShape } from "./keywords/definition.js";
import { KEYWORDS } from "./keywords/index.js";

/** True if the value of every keyword of a schema has the keyword's shape, without regard to subschemas. */
export function hasKeywordShapes(schema: JsonObject): boolean {
  return Object.entries(schema).every(([name, value]) => {
    const shape = KEYWORDS.get(name)?.shape;
    return shape === undefined || SHAPES[shape](value);
  });
}

const SHAPES: Readonly<Record<KeywordShape, (value: JsonValue) => boolean>> = {
  schema: isJsonSchema,
  "schema list": isSchemaList,
  "schema map": (value) => isMapOf(value, isJsonSchema),
  "schema or schema list": (value) => isJsonSchema(value) || isSchemaList(value),
  "dependency map": (value) => isMapOf(value, (one) => isJsonSchema(one) || isNameList(one)),
  any: () => true,
  list: (value) => Array.isArray(value) && value.length > 0,
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  number: (value) => Number.isFinite(value),
  "positive number": (value) => Number.isFinite(value) && Number(value) > 0,
  count: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  "name list": isNameList,
  "name list map": (value) => isMapOf(value, isNameList),
  type: (value) => [value].flat().every(isTypeName),
};

function isSchemaList(value: JsonValue): boolean {
  return Array.isArray(value) && value.every(isJsonSchema);
}

function isNameList(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function isTypeName(value: JsonValue): boolean {
  return TYPE_NAMES.some((name) => name === value);
}

function isMapOf(value: JsonValue, isMember: (value: JsonValue) => boolean): boolean {
  return isJsonObject(value) && Object.values(value).every(isMember);
}
