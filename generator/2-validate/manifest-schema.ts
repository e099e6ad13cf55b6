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
  /** For the formats of this project, see the checks of text formats. */
  readonly format?: string;
  readonly pattern?: string;
  /** What editors and mcpwright say where `pattern` does not match. */
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

/** Where the JSON Schemas inside a manifest begin; they have rules of their own. */
const EMBEDDED_SCHEMA = "#/$defs/jsonSchema";

let root: SchemaNode | undefined;

/** `schemas/manifest.schema.json`, read once. */
export function manifestSchema(): SchemaNode {
  root ??= JSON.parse(
    readFileSync(new URL("schemas/manifest.schema.json", packageRoot), "utf8"),
  ) as SchemaNode;
  return root;
}

export function isEmbeddedSchema(node: SchemaNode): boolean {
  return node.$ref === EMBEDDED_SCHEMA;
}

const resolved = new WeakMap<SchemaNode, SchemaNode>();

/** The node with what its `$ref` leads to; keywords beside the `$ref` come first. */
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
