import { readFileSync } from "node:fs";
import type { JsonValue } from "../model/json.js";
import { packageRoot } from "../text/package-root.js";

/** The keywords that `schemas/manifest.schema.json` uses. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: JsonValue;
  readonly enum?: readonly JsonValue[];
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
