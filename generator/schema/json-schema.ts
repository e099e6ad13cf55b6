import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { onceForEach } from "../model/once-for-each.js";

/** The dialects of JSON Schema that a manifest may use. */
export type Dialect = "2020-12" | "draft-07";

/** A path from the root of a schema to one of its subschemas: `["properties", "city"]`. */
export type SchemaPath = readonly (string | number)[];

/** The values of `$schema` that name a dialect; a trailing `#` is optional. */
export const DIALECT_URIS: Readonly<Record<Dialect, string>> = {
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
  "draft-07": "http://json-schema.org/draft-07/schema",
};

export const TYPE_NAMES = [
  "null",
  "boolean",
  "object",
  "array",
  "number",
  "integer",
  "string",
] as const;

/**
 * What the value of a keyword must look like. The first five say where subschemas stand in it;
 * `dependency map` is draft-07's map of a schema or a list of property names.
 */
export type KeywordShape =
  | "schema"
  | "schema list"
  | "schema map"
  | "schema or schema list"
  | "dependency map"
  | "any"
  | "list"
  | "string"
  | "boolean"
  | "number"
  | "positive number"
  | "count"
  | "name list"
  | "name list map"
  | "type";

export interface Keyword {
  readonly name: string;
  readonly shape: KeywordShape;
  /** The dialects in which the keyword means something. */
  readonly dialects: readonly Dialect[];
}

const BOTH: readonly Dialect[] = ["2020-12", "draft-07"];
const MODERN: readonly Dialect[] = ["2020-12"];
const DRAFT_07: readonly Dialect[] = ["draft-07"];

/**
 * `definitions` and `$defs` stand in both dialects: they only hold schemas to point at, and
 * generators of schemas mix them. `items` is one schema in 2020-12; its list form is draft-07's. `dependencies`
 * is draft-07's alone: 2020-12 has split it, and its validators disagree about the old name.
 */
const SHAPES: readonly (readonly [KeywordShape, readonly Dialect[], string])[] = [
  ["string", BOTH, "$schema $ref $comment title description format pattern"],
  ["string", BOTH, "contentEncoding contentMediaType"],
  ["string", MODERN, "$anchor $dynamicRef $dynamicAnchor"],
  ["any", BOTH, "default const"],
  ["list", BOTH, "enum examples"],
  ["boolean", BOTH, "readOnly writeOnly uniqueItems"],
  ["boolean", MODERN, "deprecated"],
  ["number", BOTH, "minimum maximum exclusiveMinimum exclusiveMaximum"],
  ["positive number", BOTH, "multipleOf"],
  ["count", BOTH, "minLength maxLength minItems maxItems minProperties maxProperties"],
  ["count", MODERN, "minContains maxContains"],
  ["type", BOTH, "type"],
  ["name list", BOTH, "required"],
  ["name list map", MODERN, "dependentRequired"],
  ["schema map", BOTH, "$defs definitions properties patternProperties"],
  ["schema map", MODERN, "dependentSchemas"],
  ["dependency map", DRAFT_07, "dependencies"],
  ["schema list", BOTH, "allOf anyOf oneOf"],
  ["schema list", MODERN, "prefixItems"],
  ["schema or schema list", BOTH, "items"],
  ["schema", BOTH, "additionalProperties propertyNames contains not if then else"],
  ["schema", DRAFT_07, "additionalItems"],
  ["schema", MODERN, "unevaluatedItems unevaluatedProperties contentSchema"],
];

/** Every keyword that a manifest's schemas may use: the one description that all walks follow. */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  SHAPES.flatMap(([shape, dialects, names]) =>
    names.split(" ").map((name) => [name, { name, shape, dialects }] as const),
  ),
);

/** The dialect in force in a schema, said by `$schema` at its root; 2020-12 where nothing is said. */
export function dialectOf(root: JsonSchema): Dialect {
  const uri = typeof root === "boolean" ? undefined : root["$schema"];
  return typeof uri === "string" && uri.replace(/#$/, "") === DIALECT_URIS["draft-07"]
    ? "draft-07"
    : "2020-12";
}

export function isJsonSchema(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === "boolean" || isJsonObject(value);
}

/** The own property of an object; undefined for what its prototype has (`constructor`, `toString`). */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A schema, and its path from where a search began. */
export type PlacedSchema = [path: SchemaPath, schema: JsonSchema];

/**
 * The subschemas that stand directly in a schema, each with its path from there, in the order in
 * which they are written. What is not of its keyword's shape is passed over.
 */
export function subschemasOf(schema: JsonSchema): PlacedSchema[] {
  const found: PlacedSchema[] = [];
  if (typeof schema === "boolean") return found;
  for (const name of Object.keys(schema)) {
    const keyword = HOLDERS.get(name);
    if (keyword !== undefined) addSubschemas(keyword, schema[name] ?? null, found);
  }
  return found;
}

/** Keywords under which there are schemas: most of those in a schema are others. */
const HOLDERS: ReadonlyMap<string, Keyword> = new Map(
  [...KEYWORDS].filter(([, { shape }]) => holdsOne(shape) || holdsList(shape) || holdsMap(shape)),
);

function addSubschemas({ name, shape }: Keyword, value: JsonValue, found: PlacedSchema[]): void {
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
 * The subschema that a pointer's next segments lead to: one segment for a keyword that holds one
 * schema, two for one that holds schemas by key or index.
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

/** Every schema within a schema, itself first, with its path from the root. Follows no reference. */
export function walkSchema(root: JsonSchema, path: SchemaPath = []): PlacedSchema[] {
  const found: PlacedSchema[] = [];
  addAll([path, root], found);
  return found;
}

function addAll(placed: PlacedSchema, found: PlacedSchema[]): void {
  found.push(placed);
  const [path, schema] = placed;
  for (const [segments, subschema] of subschemasOf(schema)) {
    addAll([[...path, ...segments], subschema], found);
  }
}

/** The names that stand in a schema and in the schemas within it. Follows no reference. */
export const keywordsWithin = onceForEach((root: JsonObject): ReadonlySet<string> => {
  const names = new Set<string>();
  addKeywords(root, names);
  return names;
});

function addKeywords(schema: JsonValue | undefined, names: Set<string>): void {
  if (!isJsonObject(schema)) return;
  for (const name of Object.keys(schema)) {
    names.add(name);
    const shape = HOLDERS.get(name)?.shape;
    if (shape === undefined) continue;
    const value = schema[name];
    if (holdsMap(shape) && isJsonObject(value)) {
      for (const key of Object.keys(value)) addKeywords(value[key], names);
    } else if (holdsList(shape) && Array.isArray(value)) {
      for (const item of value) addKeywords(item, names);
    } else if (holdsOne(shape)) addKeywords(value, names);
  }
}
