import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { dialectOf, subschemasOf, type SchemaPath } from "../model/json-schema.js";
import { parseReference, writeReference } from "../model/schema-reference.js";
import type { SchemaModel, SharedSchemaModel } from "../model/server-model.js";
import { sharedTypeNames } from "../text/names.js";

/** Resolves the references of a manifest's schemas to its shared ones. */
export interface SchemaNormalizer {
  readonly shared: readonly SharedSchemaModel[];
  normalize(authored: JsonSchema): SchemaModel;
}

/** Where the shared schemas that a schema uses stand in its wire form. */
interface Embedding {
  readonly keyword: "$defs" | "definitions";
  /** Shared name → key under `keyword`. Filled while references are rewritten, in order of first use. */
  readonly keys: Map<string, string>;
  readonly taken: ReadonlySet<string>;
}

/**
 * The rule "shared schemas reach the wire as `$defs`": each schema takes along the shared schemas
 * that it uses, directly or through others, and nothing else in it changes.
 *
 * @param itemTypeNames names that the types of shared schemas must not take
 */
export function createSchemaNormalizer(
  schemas: Readonly<Record<string, JsonSchema>>,
  itemTypeNames: Iterable<string>,
): SchemaNormalizer {
  const typeNames = sharedTypeNames(Object.keys(schemas), itemTypeNames);
  return {
    shared: Object.entries(schemas).map(([name, schema]) => ({
      name,
      typeName: typeNames.get(name) ?? name,
      schema,
    })),
    normalize: (authored) => ({ authored, wire: embedShared(authored, schemas) }),
  };
}

function embedShared(
  authored: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  if (!isJsonObject(authored)) return authored;
  const keyword = dialectOf(authored) === "draft-07" ? "definitions" : "$defs";
  const own = isJsonObject(authored[keyword]) ? authored[keyword] : {};
  const embedding: Embedding = { keyword, keys: new Map(), taken: new Set(Object.keys(own)) };

  const root = rewrite(authored, [], embedding) as JsonObject;
  const embedded: JsonObject = {};
  // The map grows while it is walked: a shared schema may use others.
  for (const [name, key] of embedding.keys) {
    embedded[key] = rewrite(withoutDialect(schemas[name] ?? true), [keyword, key], embedding);
  }
  if (embedding.keys.size === 0) return authored;
  return { ...root, [keyword]: { ...(root[keyword] as JsonObject | undefined), ...embedded } };
}

/** `$schema` belongs to the root of a document, which a shared schema no longer is. */
function withoutDialect(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}

/** Copies a schema with its references rewritten; `base` is where its root stands in the result. */
function rewrite(schema: JsonSchema, base: SchemaPath, embedding: Embedding): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const copy = withOwnContainers(schema);
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const reference = copy[keyword];
    if (typeof reference === "string") copy[keyword] = relocate(reference, base, embedding);
  }
  for (const [path, subschema] of subschemasOf(schema)) {
    setAt(copy, path, rewrite(subschema, base, embedding));
  }
  return copy;
}

/** A copy in which the lists and maps of subschemas are copies too, ready to be filled anew. */
function withOwnContainers(schema: JsonObject): JsonObject {
  const copy: JsonObject = { ...schema };
  for (const [[keyword, key]] of subschemasOf(schema)) {
    const name = String(keyword);
    if (key === undefined || copy[name] !== schema[name]) continue;
    const container = schema[name];
    copy[name] = Array.isArray(container) ? [...container] : { ...(container as JsonObject) };
  }
  return copy;
}

function relocate(reference: string, base: SchemaPath, embedding: Embedding): string {
  const parsed = parseReference(reference);
  if (parsed.kind === "shared") {
    return writeReference([embedding.keyword, keyFor(parsed.name, embedding), ...parsed.pointer]);
  }
  const movesAlong = parsed.kind === "pointer" && base.length > 0;
  return movesAlong ? writeReference([...base, ...parsed.pointer]) : reference;
}

function keyFor(name: string, { keys, taken }: Embedding): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const used = new Set([...taken, ...keys.values()]);
  let key = name;
  for (let count = 2; used.has(key); count++) key = `${name}_${count}`;
  keys.set(name, key);
  return key;
}

function setAt(copy: JsonObject, [keyword, key]: SchemaPath, value: JsonSchema): void {
  const name = String(keyword);
  if (key === undefined) {
    copy[name] = value;
    return;
  }
  const container = copy[name] as JsonValue[] | JsonObject;
  if (Array.isArray(container)) container[Number(key)] = value;
  else container[key] = value;
}
