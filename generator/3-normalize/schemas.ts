import { isJsonObject, cachedJson, type JsonObject, type JsonSchema } from "../model/json.js";
import { onceForEach } from "../model/once-for-each.js";
import { dialectOf, ownValue, type SchemaPath } from "../schema/json-schema.js";
import { mayRefer, parseReference, writeReference } from "../schema/schema-reference.js";
import type { SchemaModel, SharedSchemaModel } from "../model/server-model.js";
import { asShared } from "../model/shared-objects.js";
import { sharedFileNames, sharedTypeNames } from "../text/names.js";
import { inlineShared } from "./inline-shared.js";
import { mapSubschemas } from "../schema/map-subschemas.js";
import { withValueTypes } from "../schema/value-types.js";
import { withImpliedObjectRoot, withObjectRoot, withShownRoot } from "./object-root.js";

/**
 * Resolves the references of a manifest's schemas to its shared ones. Schemas with the same JSON text
 * give the same object, so that later phases process each schema once.
 */
export interface SchemaNormalizer {
  readonly shared: readonly SharedSchemaModel[];
  input(authored: JsonSchema): SchemaModel;
  output(authored: JsonSchema): SchemaModel;
}

/** The places of shared schemas in the wire form of a schema that uses them. */
interface Embedding {
  readonly keyword: "$defs" | "definitions";
  /** Shared name → key under `keyword`. Filled while references are rewritten, in order of first use. */
  readonly keys: Map<string, string>;
  readonly taken: ReadonlySet<string>;
}

/**
 * Makes the wire forms of schemas. In the form `defs`, the `$defs` of a schema get the shared schemas that
 * it uses, directly or through others, and nothing else in it changes. In the form `inline`, for clients that cannot
 * read `$defs`, a copy replaces each reference to a shared schema. The form `verbatim` is `defs` with unchanged roots of inputs.
 *
 * @param itemTypeNames names that the types of shared schemas must not take
 */
export function createSchemaNormalizer(
  schemas: Readonly<Record<string, JsonSchema>>,
  itemTypeNames: Iterable<string>,
  form: "defs" | "inline" | "verbatim" = "defs",
): SchemaNormalizer {
  const wireForm = (authored: JsonSchema, text: string): SchemaModel => {
    if (!mayRefer(text)) return { authored, wire: authored };
    if (form !== "inline") return embedShared(authored, schemas);
    const shared = (name: string): JsonSchema | undefined =>
      ownValue(schemas, name) as JsonSchema | undefined;
    return { authored, wire: inlineShared(authored, shared) };
  };
  const names = Object.keys(schemas);
  const typeNames = sharedTypeNames(names, itemTypeNames);
  const fileNames = sharedFileNames(names);
  return {
    shared: Object.entries(schemas).map(([name, schema]) => ({
      name,
      typeName: typeNames.get(name) ?? name,
      fileName: fileNames.get(name) ?? name,
      schema,
    })),
    input: cachedByText((authored, text) => {
      const input = withObjectRoot(wireForm(authored, text));
      return form === "verbatim" ? input : withShownTypes(withShownRoot(input));
    }),
    output: cachedByText((authored, text) => {
      const output = withImpliedObjectRoot(wireForm(authored, text));
      return form === "verbatim" ? output : withShownTypes(output);
    }),
  };
}

/** Gives clients the types of listed values. */
function withShownTypes(schema: SchemaModel): SchemaModel {
  const { wire, shown = wire } = schema;
  const typed = withValueTypes(shown);
  return typed === shown || !isJsonObject(typed) ? schema : { ...schema, shown: typed };
}

/** Caches results by a schema's JSON text. The order of keys counts, because generated code follows it. */
function cachedByText(
  normalize: (authored: JsonSchema, text: string) => SchemaModel,
): (authored: JsonSchema) => SchemaModel {
  const schemas = new Map<string, SchemaModel>();
  return (authored) => {
    const text = cachedJson(authored);
    const schema = schemas.get(text) ?? normalize(authored, text);
    schemas.set(text, schema);
    return schema;
  };
}

function embedShared(
  authored: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): SchemaModel {
  const unchanged = { authored, wire: authored };
  if (!isJsonObject(authored) || Object.keys(schemas).length === 0) return unchanged;
  const keyword = dialectOf(authored) === "draft-07" ? "definitions" : "$defs";
  const definitions = isJsonObject(authored[keyword]) ? authored[keyword] : {};
  const taken = new Set(Object.keys(definitions));
  const embedding: Embedding = { keyword, keys: new Map(), taken };

  const root = rewrite(authored, [], embedding) as JsonObject;
  const embedded: JsonObject = {};
  // The map grows while it is walked: a shared schema may use others.
  for (const [name, key] of embedding.keys) {
    embedded[key] = definitionOf(name, key, embedding, schemas);
  }
  if (embedding.keys.size === 0) return unchanged;
  const present = root[keyword] as JsonObject | undefined;
  return {
    authored,
    wire: { ...root, [keyword]: { ...present, ...embedded } },
    embedded: Object.fromEntries(embedding.keys),
  };
}

/** A shared schema under its own name among definitions that have no others, and what it refers to, in order of first use. */
interface Definition {
  readonly schema: JsonSchema;
  readonly used: readonly string[];
}

/** For each `schemas` of a manifest, their definitions by keyword and name: many documents have the same ones. */
const definitionsOf = onceForEach((_schemas: object) => new Map<string, Definition>());

/** The shared schema as a definition with this key. What it refers to gets keys, too. */
function definitionOf(
  name: string,
  key: string,
  embedding: Embedding,
  schemas: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const { keyword, taken } = embedding;
  const schema = withoutDialect(schemas[name] ?? true);
  // Where an item has definitions of its own, names may be taken.
  if (taken.size > 0) return rewrite(schema, [keyword, key], embedding);
  const cache = definitionsOf(schemas);
  const cacheKey = `${keyword} ${name}`;
  const definition = cache.get(cacheKey) ?? makeDefinition(schema, [keyword, name]);
  cache.set(cacheKey, definition);
  for (const used of definition.used) keyFor(used, embedding);
  return definition.schema;
}

function makeDefinition(shared: JsonSchema, path: readonly [Embedding["keyword"], string]) {
  const [keyword] = path;
  const embedding: Embedding = { keyword, keys: new Map(), taken: new Set() };
  const schema = rewrite(shared, path, embedding);
  const used = [...embedding.keys.keys()];
  return { schema: typeof schema === "object" ? asShared(schema) : schema, used };
}

/** Removes `$schema`, which may stand at the root of a document only. An embedded schema is no root. */
function withoutDialect(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const { $schema: _dialect, ...others } = schema;
  return others;
}

/** Copies a schema with its references rewritten. `base` is the path of the schema's root in the result. */
function rewrite(schema: JsonSchema, base: SchemaPath, embedding: Embedding): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const copy = mapSubschemas(schema, (subschema) => rewrite(subschema, base, embedding));
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const reference = copy[keyword];
    if (typeof reference === "string") copy[keyword] = relocate(reference, base, embedding);
  }
  return copy;
}

function relocate(reference: string, base: SchemaPath, embedding: Embedding): string {
  const parsed = parseReference(reference);
  if (parsed.kind === "shared") {
    return writeReference([embedding.keyword, keyFor(parsed.name, embedding), ...parsed.pointer]);
  }
  const isMoved = parsed.kind === "pointer" && base.length > 0;
  return isMoved ? writeReference([...base, ...parsed.pointer]) : reference;
}

/** The key of a shared schema in the definitions: its name, with a number if the name is taken. */
function keyFor(name: string, { keys, taken }: Embedding): string {
  const existing = keys.get(name);
  if (existing !== undefined) return existing;
  const used = new Set([...taken, ...keys.values()]);
  let key = name;
  for (let count = 2; used.has(key); count++) key = `${name}_${count}`;
  keys.set(name, key);
  return key;
}
