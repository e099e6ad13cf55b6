import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { ownValue } from "./json-schema.js";
import { resolveReference, type SharedSchemas } from "./schema-reference.js";
import { statedTypes } from "./keyword-values.js";
import { edgesOf, keywordOf, type SchemaPlace } from "./schema-graph.js";

/** An argument of a tool, as its input schema describes it. */
export interface InputProperty {
  readonly schema: JsonSchema;
  /** The schema that its references are relative to. */
  readonly root: JsonSchema;
}

/** The properties that an input schema describes at its root, also by references and in `allOf`. */
export function inputProperties(
  root: JsonValue | undefined,
  shared: JsonObject,
): ReadonlyMap<string, InputProperty> {
  const described = new Map<string, InputProperty>();
  for (const part of schemasOfValue(root, shared)) {
    const properties = ownValue(part.schema, "properties");
    for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
      if (described.has(name)) continue;
      described.set(name, { schema: schema as JsonSchema, root: part.root });
    }
  }
  return described;
}

/** The names of properties that arguments always have: the required ones and those with a default. */
export function presentProperties(
  root: JsonValue | undefined,
  shared: JsonObject,
): ReadonlySet<string> {
  const required = schemasOfValue(root, shared).flatMap(({ schema }) => {
    const names = ownValue(schema, "required");
    return Array.isArray(names) ? names.map(String) : [];
  });
  const filled = [...inputProperties(root, shared)].flatMap(([name, property]) => {
    const schema = resolvedSchema(property, shared);
    return isJsonObject(schema) && Object.hasOwn(schema, "default") ? [name] : [];
  });
  return new Set([...required, ...filled]);
}

/** The types of JSON that a property may have. Empty if its schema states no `type`. */
export function typesOfProperty(property: InputProperty, shared: JsonObject): readonly string[] {
  const schema = resolvedSchema(property, shared);
  if (!isJsonObject(schema)) return [];
  return statedTypes(schema).map(String);
}

/** The schema of a property, with its reference and that of its `items` resolved. Undefined if it is no mapping. */
export function schemaOfProperty(
  property: InputProperty,
  shared: JsonObject,
): JsonObject | undefined {
  const schema = resolvedSchema(property, shared);
  if (!isJsonObject(schema)) return undefined;
  const items = schemaOf(ownValue(schema, "items"));
  if (items === undefined) return schema;
  return { ...schema, items: resolvedSchema({ schema: items, root: property.root }, shared) };
}

/** The schema of a property with its reference resolved. */
function resolvedSchema({ schema, root }: InputProperty, shared: JsonObject): JsonSchema {
  let next = { schema, root };
  // Another check reports references that go in a circle.
  for (let steps = 0; steps < 16; steps++) {
    const reference = isJsonObject(next.schema) ? ownValue(next.schema, "$ref") : undefined;
    const target =
      typeof reference === "string"
        ? resolveReference(next.root, reference, sharedSchemasIn(shared))
        : undefined;
    if (target === undefined) return next.schema;
    next = target;
  }
  return next.schema;
}

/** The manifest's `schemas`, for the resolution of references. */
export function sharedSchemasIn(shared: JsonObject): SharedSchemas {
  return (name) => schemaOf(ownValue(shared, name));
}

/** The schemas that apply to the same value: the root, and those to which its references and `allOf` lead. */
function schemasOfValue(root: JsonValue | undefined, shared: JsonObject): SchemaPlace[] {
  if (!isJsonObject(root)) return [];
  const places: SchemaPlace[] = [{ schema: root, root, path: [] }];
  const visited = new Set<JsonSchema>([root]);
  // The loop also visits the schemas that it adds.
  for (const place of places) {
    for (const edge of edgesOf(place, sharedSchemasIn(shared))) {
      const isApplied = edge.reference !== undefined || keywordOf(edge, place) === "allOf";
      if (!isApplied || visited.has(edge.to.schema)) continue;
      visited.add(edge.to.schema);
      places.push(edge.to);
    }
  }
  return places;
}

const schemaOf = (value: JsonValue | undefined): JsonSchema | undefined =>
  isJsonObject(value) || typeof value === "boolean" ? value : undefined;
