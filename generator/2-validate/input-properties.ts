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
  const type = ownValue(schema, "type");
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  return types.map(String);
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
    const reference = isJsonObject(next.schema) ? textIn(next.schema, "$ref") : undefined;
    const target =
      reference === undefined
        ? undefined
        : resolveReference(next.root, reference, sharedSchemasIn(shared));
    if (target === undefined) return next.schema;
    next = target;
  }
  return next.schema;
}

/** The manifest's `schemas`, for the resolution of references. */
export function sharedSchemasIn(shared: JsonObject): SharedSchemas {
  return (name) => schemaOf(ownValue(shared, name));
}

interface AppliedSchema {
  readonly schema: JsonObject;
  /** The schema that its references are relative to. */
  readonly root: JsonSchema;
}

/** The schemas that apply to the same value: the root, and those to which its references and `allOf` lead. */
function schemasOfValue(root: JsonValue | undefined, shared: JsonObject): AppliedSchema[] {
  if (!isJsonObject(root)) return [];
  const applied: AppliedSchema[] = [];
  const pending = [{ schema: root as JsonSchema, root: root as JsonSchema }];
  const visited = new Set<JsonSchema>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { schema } = next;
    if (!isJsonObject(schema) || visited.has(schema)) continue;
    visited.add(schema);
    applied.push({ schema, root: next.root });
    const reference = textIn(schema, "$ref");
    const target = reference && resolveReference(next.root, reference, sharedSchemasIn(shared));
    if (target) pending.push(target);
    const branches = ownValue(schema, "allOf");
    for (const branch of Array.isArray(branches) ? branches : []) {
      if (isJsonObject(branch)) pending.push({ schema: branch, root: next.root });
    }
  }
  return applied;
}

const schemaOf = (value: JsonValue | undefined): JsonSchema | undefined =>
  isJsonObject(value) || typeof value === "boolean" ? value : undefined;
