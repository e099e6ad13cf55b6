import { isJsonObject, cachedJson, type JsonObject, type JsonSchema } from "../model/json.js";
import { dialectOf, ownValue, type SchemaPath } from "../schema/json-schema.js";
import { mayRefer, parseReference, writeReference } from "../schema/schema-reference.js";
import type { SchemaModel, SharedSchemaModel } from "../model/server-model.js";
import { sharedTypeNames } from "../text/names.js";
import { inlineShared } from "./inline-shared.js";
import { mapSubschemas } from "./map-subschemas.js";
import { withImpliedObjectRoot, withObjectRoot, withShownRoot } from "./object-root.js";

/**
 * Resolves the references of a manifest's schemas to its shared ones. Schemas that are written alike
 * give one and the same object, so that later phases do what they do with a schema once.
 */
export interface SchemaNormalizer {
  readonly shared: readonly SharedSchemaModel[];
  input(authored: JsonSchema): SchemaModel;
  output(authored: JsonSchema): SchemaModel;
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
 * that it uses, directly or through others, and nothing else in it changes. Or, for clients that
 * cannot read `$defs`, each is written out where it is used. `verbatim` leaves the roots of inputs as they are written.
 *
 * @param itemTypeNames names that the types of shared schemas must not take
 */
export function createSchemaNormalizer(
  schemas: Readonly<Record<string, JsonSchema>>,
  itemTypeNames: Iterable<string>,
  form: "defs" | "inline" | "verbatim" = "defs",
): SchemaNormalizer {
  const wireForm = (authored: JsonSchema, text: string): JsonSchema => {
    if (!mayRefer(text)) return authored;
    return form === "inline"
      ? inlineShared(authored, (name) => ownValue(schemas, name) as JsonSchema | undefined)
      : embedShared(authored, schemas);
  };
  const typeNames = sharedTypeNames(Object.keys(schemas), itemTypeNames);
  return {
    shared: Object.entries(schemas).map(([name, schema]) => ({
      name,
      typeName: typeNames.get(name) ?? name,
      schema,
    })),
    input: onceForAlike((authored, text) => {
      const input = withObjectRoot({ authored, wire: wireForm(authored, text) });
      return form === "verbatim" ? input : withShownRoot(input);
    }),
    output: onceForAlike((authored, text) =>
      withImpliedObjectRoot({ authored, wire: wireForm(authored, text) }),
    ),
  };
}

/** Keys in another order make another schema: what is generated follows it. */
function onceForAlike(
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
): JsonSchema {
  if (!isJsonObject(authored) || Object.keys(schemas).length === 0) return authored;
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
  const movesAlong = parsed.kind === "pointer" && base.length > 0;
  return movesAlong ? writeReference([...base, ...parsed.pointer]) : reference;
}

function keyFor(name: string, { keys, taken }: Embedding): string {
  const chosen = keys.get(name);
  if (chosen !== undefined) return chosen;
  const used = new Set([...taken, ...keys.values()]);
  let key = name;
  for (let count = 2; used.has(key); count++) key = `${name}_${count}`;
  keys.set(name, key);
  return key;
}
