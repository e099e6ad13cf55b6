import { readFileSync } from "node:fs";
import { isJsonObject, type JsonValue } from "../model/json.js";
import type { ManifestPath } from "../model/loaded-manifest.js";
import { ownValue } from "../schema/json-schema.js";
import { isOfType } from "../schema/keywords/index.js";
import { packageRoot } from "../text/package-root.js";

/** The keywords that `schemas/manifest.schema.json` uses. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly examples?: readonly JsonValue[];
  /** A format of this project, which `text-formats.ts` checks, or one of JSON Schema. */
  readonly format?: string;
  readonly pattern?: string;
  /** The message of editors and mcpwright if `pattern` does not match. */
  readonly patternErrorMessage?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly items?: SchemaNode;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly propertyNames?: SchemaNode;
  readonly oneOf?: readonly SchemaNode[];
  readonly $defs?: Readonly<Record<string, SchemaNode>>;
}

/** The definition that stands for a JSON Schema inside a manifest. Such schemas have rules of their own. */
const EMBEDDED_SCHEMA = "#/$defs/jsonSchema";

let root: SchemaNode | undefined;

/** `schemas/manifest.schema.json`, read once. */
export function manifestSchema(): SchemaNode {
  root ??= JSON.parse(
    readFileSync(new URL("schemas/manifest.schema.json", packageRoot), "utf8"),
  ) as SchemaNode;
  return root;
}

/** True if the node's values are JSON Schemas. */
export function isEmbeddedSchema(node: SchemaNode): boolean {
  return node.$ref === EMBEDDED_SCHEMA;
}

const resolved = new WeakMap<SchemaNode, SchemaNode>();

/** The types that a node states. */
export function typesOf({ type }: SchemaNode): readonly string[] {
  if (type === undefined) return [];
  return typeof type === "string" ? [type] : type;
}

/** Merges a node with the target of its `$ref`. Keywords beside the `$ref` override those of the target. */
export function resolveNode(node: SchemaNode): SchemaNode {
  if (node.$ref === undefined) return node;
  const cached = resolved.get(node);
  if (cached !== undefined) return cached;
  const { $ref, ...beside } = node;
  const target = manifestSchema().$defs?.[$ref.replace("#/$defs/", "")];
  if (target === undefined) throw new Error(`the manifest's schema has no ${$ref}`);
  const merged = { ...resolveNode(target), ...beside };
  resolved.set(node, merged);
  return merged;
}

/** The node for the value of a key. Undefined if the mapping has no such key or any value is allowed. */
export function childNode(node: SchemaNode, key: string): SchemaNode | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties } = node;
  if (Object.hasOwn(properties, key)) return properties[key];
  for (const [pattern, child] of Object.entries(patternProperties)) {
    if (new RegExp(pattern, "u").test(key)) return child;
  }
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** True if the node accepts values of this type. Values of an enumeration are compared later. */
export function accepts(node: SchemaNode, value: JsonValue): boolean {
  const types = typesOf(node);
  if (types.length > 0) return types.some((type) => isOfType(value, type));
  if (node.oneOf === undefined) return true;
  return node.oneOf.map(resolveNode).some((branch) => {
    return branch.const === undefined ? accepts(branch, value) : branch.const === value;
  });
}

/** The types that a node accepts, with those of its alternatives. */
export function acceptedTypes(node: SchemaNode): Set<string> {
  const types = typesOf(node);
  if (types.length > 0) return new Set(types);
  return new Set((node.oneOf ?? []).flatMap((branch) => [...acceptedTypes(resolveNode(branch))]));
}

/** True if mappings of a node have this key. */
export const hasProperty = ({ properties = {} }: SchemaNode, key: string): boolean =>
  Object.hasOwn(properties, key);

/** A node and the alternatives that it lists, resolved. */
export function alternativesOf(node: SchemaNode): SchemaNode[] {
  const resolved = resolveNode(node);
  return [resolved, ...(resolved.oneOf ?? []).map(resolveNode)];
}

/**
 * The alternative of a node that a value is meant as: the one whose `type` key equals the value's, or which
 * accepts the value's type. The node itself if it has no alternatives.
 */
export function alternativeFor(node: SchemaNode, value: JsonValue): SchemaNode | undefined {
  if (node.oneOf === undefined) return node;
  const branches = node.oneOf.map(resolveNode);
  if (!isJsonObject(value) || node.required === undefined) {
    return branches.find((branch) => accepts(branch, value));
  }
  const type = ownValue(value, "type");
  return branches.find((branch) => typeConstantOf(branch) === type);
}

/** The value of `type` that distinguishes an alternative from the others. */
export function typeConstantOf(branch: SchemaNode): JsonValue {
  return branch.properties?.["type"]?.const ?? null;
}

/** The node for the value at a path of a manifest. Undefined if any value is allowed there, or none. */
export function nodeAt(manifest: JsonValue, path: ManifestPath): SchemaNode | undefined {
  let node: SchemaNode | undefined = manifestSchema();
  let value: JsonValue = manifest;
  for (const step of path) {
    const child: SchemaNode | undefined =
      typeof step === "number" ? node.items : childNode(node, step);
    if (child === undefined || isEmbeddedSchema(child)) return undefined;
    if (Array.isArray(value)) value = value[Number(step)] ?? null;
    else value = isJsonObject(value) ? (ownValue(value, String(step)) ?? null) : null;
    node = alternativeFor(resolveNode(child), value);
    if (node === undefined) return undefined;
  }
  return node;
}
