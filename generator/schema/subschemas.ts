import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { onceForEach } from "../model/once-for-each.js";
import { isJsonSchema, ownValue, type SchemaPath } from "./json-schema.js";
import type { KeywordDefinition, KeywordShape } from "./keywords/definition.js";
import { KEYWORDS } from "./keywords/index.js";

/** A schema with its path from the schema in which it was found. */
export type LocatedSchema = [path: SchemaPath, schema: JsonSchema];

/**
 * The direct subschemas of a schema with their paths, in the order of the text. Values that do not have
 * the shape of their keyword are ignored.
 */
export function subschemasOf(schema: JsonSchema): LocatedSchema[] {
  const found: LocatedSchema[] = [];
  if (typeof schema === "boolean") return found;
  for (const name of Object.keys(schema)) {
    const keyword = subschemaKeyword(name);
    if (keyword !== undefined) addSubschemas(keyword, schema[name] ?? null, found);
  }
  return found;
}

/** The definition of a keyword; undefined unless the keyword has subschemas. */
function subschemaKeyword(name: string): KeywordDefinition | undefined {
  const keyword = KEYWORDS.get(name);
  if (keyword === undefined) return undefined;
  const { shape } = keyword;
  return holdsOne(shape) || holdsList(shape) || holdsMap(shape) ? keyword : undefined;
}

function addSubschemas(
  { name, shape }: KeywordDefinition,
  value: JsonValue,
  found: LocatedSchema[],
): void {
  if (holdsOne(shape) && isJsonSchema(value)) {
    found.push([[name], value]);
  } else if (holdsList(shape) && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (isJsonSchema(item)) found.push([[name, index], item]);
    }
  } else if (holdsMap(shape) && isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (isJsonSchema(item)) found.push([[name, key], item]);
    }
  }
}

/**
 * Follows the next segments of a pointer to a subschema: one segment for a keyword that holds one
 * schema, two for a keyword that holds schemas by key or index.
 *
 * @param key the segment after the keyword, which may not be needed
 */
export function subschemaAt(
  schema: JsonSchema,
  keywordName: string,
  key: string | undefined,
): [SchemaPath, JsonSchema] | undefined {
  const shape = KEYWORDS.get(keywordName)?.shape;
  if (typeof schema === "boolean" || shape === undefined) return undefined;
  const value = ownValue(schema, keywordName);
  if (holdsOne(shape) && isJsonSchema(value)) return [[keywordName], value];
  if (key === undefined) return undefined;
  if (holdsList(shape) && Array.isArray(value)) {
    const item = /^(0|[1-9][0-9]*)$/.test(key) ? value[Number(key)] : undefined;
    return isJsonSchema(item) ? [[keywordName, Number(key)], item] : undefined;
  }
  const item = holdsMap(shape) && isJsonObject(value) ? ownValue(value, key) : undefined;
  return isJsonSchema(item) ? [[keywordName, key], item] : undefined;
}

function holdsOne(shape: KeywordShape): boolean {
  return shape === "schema" || shape === "schema or schema list";
}

function holdsList(shape: KeywordShape): boolean {
  return shape === "schema list" || shape === "schema or schema list";
}

function holdsMap(shape: KeywordShape): boolean {
  return shape === "schema map" || shape === "dependency map";
}

/** A schema and all its subschemas at every depth, with their paths from the root. Follows no reference. */
export function walkSchema(root: JsonSchema, path: SchemaPath = []): LocatedSchema[] {
  const schemas: LocatedSchema[] = [];
  addAll([path, root], schemas);
  return schemas;
}

function addAll(located: LocatedSchema, found: LocatedSchema[]): void {
  found.push(located);
  const [path, schema] = located;
  for (const [segments, subschema] of subschemasOf(schema)) {
    addAll([[...path, ...segments], subschema], found);
  }
}

/** The keywords of a schema and of its subschemas at every depth. Follows no reference. */
export const keywordsWithin = onceForEach((root: JsonObject): ReadonlySet<string> => {
  const names = new Set<string>();
  addKeywords(root, names);
  return names;
});

function addKeywords(schema: JsonValue | undefined, names: Set<string>): void {
  if (!isJsonObject(schema)) return;
  for (const name of Object.keys(schema)) {
    names.add(name);
    const shape = subschemaKeyword(name)?.shape;
    if (shape === undefined) continue;
    const value = schema[name];
    if (holdsMap(shape) && isJsonObject(value)) {
      for (const key of Object.keys(value)) addKeywords(value[key], names);
    } else if (holdsList(shape) && Array.isArray(value)) {
      for (const item of value) addKeywords(item, names);
    } else if (holdsOne(shape)) addKeywords(value, names);
  }
}
