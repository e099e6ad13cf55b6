import { isJsonObject, type JsonObject, type JsonSchema } from "../../model/json.js";
import { ownValue, type SchemaPath } from "../../schema/json-schema.js";
import { subschemasOf } from "../../schema/subschemas.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import { resolveReference, type SharedSchemas } from "../../schema/schema-reference.js";

/** A schema and the root within which its references are read. */
export interface SchemaPlace {
  readonly schema: JsonObject;
  readonly root: JsonObject;
  /** From the root. */
  readonly path: SchemaPath;
}

/** One schema applying another. */
export interface SchemaEdge {
  readonly to: SchemaPlace;
  /** Whether both apply to the same value; else the other applies to a part of it. */
  readonly samePlace: boolean;
  /** The text of the `$ref` or `$dynamicRef`, where the edge is one. */
  readonly reference?: string;
}

/** Keywords whose subschemas apply only where a reference leads to them. */
const DEFINITIONS: ReadonlySet<unknown> = new Set(["$defs", "definitions"]);

/** The schemas that a schema applies, directly or by reference. Booleans apply nothing. */
export function* edgesOf(place: SchemaPlace, shared: SharedSchemas): Generator<SchemaEdge> {
  const { schema, root, path } = place;
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const reference = ownValue(schema, keyword);
    if (typeof reference !== "string") continue;
    const target = resolveReference(root, reference, shared);
    if (target === undefined || !isJsonObject(target.schema) || !isJsonObject(target.root))
      continue;
    const to = { schema: target.schema, root: target.root, path: target.path };
    yield { to, samePlace: true, reference };
  }
  for (const [segments, subschema] of subschemasOf(schema)) {
    if (!isApplied(segments, subschema)) continue;
    const to = { schema: subschema, root, path: [...path, ...segments] };
    yield { to, samePlace: KEYWORDS.get(String(segments[0]))?.appliesInPlace === true };
  }
}

function isApplied(segments: SchemaPath, subschema: JsonSchema): subschema is JsonObject {
  return isJsonObject(subschema) && !DEFINITIONS.has(segments[0]);
}
