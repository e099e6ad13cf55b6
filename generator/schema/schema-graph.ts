import { isJsonObject, type JsonObject, type JsonSchema } from "../model/json.js";
import { ownValue, type SchemaPath } from "./json-schema.js";
import { subschemasOf } from "./subschemas.js";
import { KEYWORDS } from "./keywords/index.js";
import { resolveReference, type SharedSchemas } from "./schema-reference.js";

/** A schema, and the root that its references are relative to. */
export interface SchemaPlace {
  readonly schema: JsonObject;
  readonly root: JsonObject;
  /** From the root. */
  readonly path: SchemaPath;
}

/** The step from a schema to another one that it applies. */
export interface SchemaEdge {
  readonly to: SchemaPlace;
  /** True if both apply to the same value. Otherwise the other schema applies to a part of the value. */
  readonly samePlace: boolean;
  /** The text of the `$ref` or `$dynamicRef`. Absent if the edge is no reference. */
  readonly reference?: string;
}

/** Keywords whose subschemas apply only if a reference leads to them. */
const DEFINITIONS: ReadonlySet<unknown> = new Set(["$defs", "definitions"]);

/** The schemas that a schema applies, directly or by reference. Booleans apply nothing. */
export function edgesOf(place: SchemaPlace, shared: SharedSchemas): SchemaEdge[] {
  const { schema, root, path } = place;
  const edges = referenceEdgesOf(place, shared);
  for (const [segments, subschema] of subschemasOf(schema)) {
    if (!isApplied(segments, subschema)) continue;
    const to = { schema: subschema, root, path: [...path, ...segments] };
    const samePlace = KEYWORDS.get(String(segments[0]))?.appliesInPlace === true;
    edges.push({ to, samePlace });
  }
  return edges;
}

/** The schemas to which a schema refers, without those to which its subschemas refer. */
export function referenceEdgesOf(
  { schema, root }: Pick<SchemaPlace, "schema" | "root">,
  shared: SharedSchemas = () => undefined,
): SchemaEdge[] {
  const edges: SchemaEdge[] = [];
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const reference = ownValue(schema, keyword);
    if (typeof reference !== "string") continue;
    const target = resolveReference(root, reference, shared);
    if (target === undefined || !isJsonObject(target.schema) || !isJsonObject(target.root))
      continue;
    const to = { schema: target.schema, root: target.root, path: target.path };
    edges.push({ to, samePlace: true, reference });
  }
  return edges;
}

/** The keyword through which a schema applies another. Undefined for a reference. */
export function keywordOf({ reference, to }: SchemaEdge, { path }: SchemaPlace): unknown {
  return reference === undefined ? to.path[path.length] : undefined;
}

/** True if values must fit the other schema. Under `not`, for example, they need not. */
export function isBinding(edge: SchemaEdge, from: SchemaPlace): boolean {
  return KEYWORDS.get(String(keywordOf(edge, from)))?.isTentative !== true;
}

function isApplied(segments: SchemaPath, subschema: JsonSchema): subschema is JsonObject {
  return isJsonObject(subschema) && !DEFINITIONS.has(segments[0]);
}
