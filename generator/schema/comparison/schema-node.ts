import type { JsonSchema, JsonObject, JsonValue } from "../../model/json.js";
import { isJsonObject } from "../../model/json.js";
import { isJsonSchema, ownValue, type Dialect, type SchemaPath } from "../json-schema.js";
import { KEYWORDS } from "../keywords/index.js";
import type { ManifestPath } from "../../model/loaded-manifest.js";
import { resolveReference, type SharedSchemas } from "../schema-reference.js";

/** A root schema of a manifest: a tool's `inputSchema` or `outputSchema`, or an entry of `schemas`. */
export interface SchemaSource {
  readonly root: JsonSchema;
  /** The dialect of the tool's schema from which the comparison began; it holds in shared schemas too. */
  readonly dialect: Dialect;
  readonly shared: SharedSchemas;
  /** The path to the root in its manifest. */
  readonly at: ManifestPath;
  /** The same path for people, with the names of items instead of indexes. */
  readonly name: ManifestPath;
}

/** A place in a schema. */
export interface SchemaPlace {
  readonly source: SchemaSource;
  /** The path from the root. */
  readonly path: SchemaPath;
}

/** A schema with the place where it is. */
export interface SchemaNode extends SchemaPlace {
  readonly schema: JsonSchema;
}

/** A node whose schema is not a boolean. */
export interface ObjectNode extends SchemaPlace {
  readonly schema: JsonObject;
}

export function rootNode(source: SchemaSource): SchemaNode {
  return { source, path: [], schema: source.root };
}

export function isObjectNode(node: SchemaNode): node is ObjectNode {
  return isJsonObject(node.schema);
}

/** The value of a keyword; undefined if it is absent or the dialect ignores it. */
export function keyword({ schema, source }: ObjectNode, name: string): JsonValue | undefined {
  const isSibling = source.dialect === "draft-07" && Object.hasOwn(schema, "$ref");
  if (isSibling && name !== "$ref") return undefined;
  return KEYWORDS.get(name)?.dialects.includes(source.dialect) ? ownValue(schema, name) : undefined;
}

/** The schema under a keyword such as `not`. */
export function schemaUnder(node: ObjectNode, name: string): SchemaNode | undefined {
  const value = keyword(node, name);
  return isJsonSchema(value) ? below(node, [name], value) : undefined;
}

/** The schemas under a keyword such as `allOf`. */
export function schemasIn(node: ObjectNode, name: string): SchemaNode[] {
  const value = keyword(node, name);
  if (!Array.isArray(value)) return [];
  return value.flatMap((schema, index) =>
    isJsonSchema(schema) ? [below(node, [name, index], schema)] : [],
  );
}

/** One of the schemas under a keyword such as `properties`. */
export function schemaNamed(node: ObjectNode, name: string, key: string): SchemaNode | undefined {
  const value = keyword(node, name);
  const schema = isJsonObject(value) ? ownValue(value, key) : undefined;
  return isJsonSchema(schema) ? below(node, [name, key], schema) : undefined;
}

/** The schemas under a keyword such as `properties`, by their keys. */
export function schemasByName(node: ObjectNode, name: string): Map<string, SchemaNode> {
  const value = keyword(node, name);
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return new Map(
    entries.flatMap(([key, schema]) =>
      isJsonSchema(schema) ? [[key, below(node, [name, key], schema)] as const] : [],
    ),
  );
}

function below({ source, path }: ObjectNode, steps: SchemaPath, schema: JsonSchema): SchemaNode {
  return { source, path: [...path, ...steps], schema };
}

/** The texts under `$ref` and `$dynamicRef`. */
export function referencesOf(node: ObjectNode): string[] {
  return ["$ref", "$dynamicRef"]
    .map((name) => keyword(node, name))
    .filter((reference) => typeof reference === "string");
}

/** The node to which a reference leads; undefined if it leads nowhere. */
export function follow({ source }: ObjectNode, reference: string): SchemaNode | undefined {
  const target = resolveReference(source.root, reference, source.shared);
  if (target === undefined) return undefined;
  const { schema, path, root, sharedName } = target;
  if (sharedName === undefined) return { source, path, schema };
  const at = ["schemas", sharedName];
  return { source: { ...source, root, at, name: at }, path, schema };
}
