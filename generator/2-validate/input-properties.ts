import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { resolveReference, type SharedSchemas } from "../schema/schema-reference.js";
import { textIn } from "./manifest-view.js";

/** An argument of a tool, as its input schema describes it. */
export interface InputProperty {
  readonly schema: JsonSchema;
  /** The schema that its references are relative to. */
  readonly root: JsonSchema;
}

/** The properties that an input schema names at its root, also behind references and in `allOf`. */
export function inputProperties(
  root: JsonValue | undefined,
  shared: JsonObject,
): ReadonlyMap<string, InputProperty> {
  const found = new Map<string, InputProperty>();
  for (const part of partsOf(root, shared)) {
    const properties = ownValue(part.schema, "properties");
    for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
      if (!found.has(name)) found.set(name, { schema: schema as JsonSchema, root: part.root });
    }
  }
  return found;
}

/** The names that an input schema requires at its root, or fills in by a default. */
export function presentProperties(
  root: JsonValue | undefined,
  shared: JsonObject,
): ReadonlySet<string> {
  const required = partsOf(root, shared).flatMap(({ schema }) => {
    const names = ownValue(schema, "required");
    return Array.isArray(names) ? names.map(String) : [];
  });
  const filled = [...inputProperties(root, shared)].flatMap(([name, property]) => {
    const schema = resolved(property, shared);
    return isJsonObject(schema) && Object.hasOwn(schema, "default") ? [name] : [];
  });
  return new Set([...required, ...filled]);
}

/** The types of JSON that a property may have; none where its schema does not say it plainly. */
export function typesOfProperty(property: InputProperty, shared: JsonObject): readonly string[] {
  const schema = resolved(property, shared);
  if (!isJsonObject(schema)) return [];
  const type = ownValue(schema, "type");
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  return types.map(String);
}

/** The schema of a property, and that of its items, with their references followed; undefined for none. */
export function schemaOfProperty(
  property: InputProperty,
  shared: JsonObject,
): JsonObject | undefined {
  const schema = resolved(property, shared);
  if (!isJsonObject(schema)) return undefined;
  const items = schemaOf(ownValue(schema, "items"));
  if (items === undefined) return schema;
  return { ...schema, items: resolved({ schema: items, root: property.root }, shared) };
}

/** The schema of a property, its references followed. */
function resolved({ schema, root }: InputProperty, shared: JsonObject): JsonSchema {
  let next = { schema, root };
  // Circles are found elsewhere.
  for (let steps = 0; steps < 16; steps++) {
    const reference = isJsonObject(next.schema) ? textIn(next.schema, "$ref") : undefined;
    const target =
      reference === undefined ? undefined : resolveReference(next.root, reference, lookUp(shared));
    if (target === undefined) return next.schema;
    next = target;
  }
  return next.schema;
}

function lookUp(shared: JsonObject): SharedSchemas {
  return (name) => schemaOf(ownValue(shared, name));
}

interface SchemaPart {
  readonly schema: JsonObject;
  readonly root: JsonSchema;
}

/** The schemas that say something of the same value, with what their references are relative to. */
function partsOf(root: JsonValue | undefined, shared: JsonObject): SchemaPart[] {
  if (!isJsonObject(root)) return [];
  const parts: SchemaPart[] = [];
  const waiting = [{ schema: root as JsonSchema, root: root as JsonSchema }];
  const seen = new Set<JsonSchema>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { schema } = next;
    if (!isJsonObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    parts.push({ schema, root: next.root });
    const reference = textIn(schema, "$ref");
    const target = reference && resolveReference(next.root, reference, lookUp(shared));
    if (target) waiting.push(target);
    const others = ownValue(schema, "allOf");
    for (const part of Array.isArray(others) ? others : []) {
      if (isJsonObject(part)) waiting.push({ schema: part, root: next.root });
    }
  }
  return parts;
}

const schemaOf = (value: JsonValue | undefined): JsonSchema | undefined =>
  isJsonObject(value) || typeof value === "boolean" ? value : undefined;
