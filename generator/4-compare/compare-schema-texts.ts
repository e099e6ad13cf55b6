import { canonicalText } from "../schema/values.js";
import { isJsonObject, type JsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { subschemaAt, subschemasOf } from "../schema/subschemas.js";
import type { SemanticChange } from "../model/plan.js";
import { defaultChanged } from "./catalogue/schemas.js";
import { compareTexts } from "./compare-texts.js";
import type { ChangePlace } from "./rule.js";
import type { SchemaNode } from "../schema/comparison/schema-node.js";

/** Parts within parts; manifests have fewer, a lock may have any number. */
const DEEPEST = 256;

/** Changes of titles, descriptions and defaults within a schema, where both schemas have the same part. */
export function compareSchemaTexts(before: SchemaNode, after: SchemaNode): SemanticChange[] {
  if (!isJsonObject(before.schema) || !isJsonObject(after.schema)) return [];
  return compareParts(before.schema, after.schema, after.source, DEEPEST);
}

function compareParts(
  before: JsonObject,
  after: JsonObject,
  { at, name }: ChangePlace,
  deepest: number,
): SemanticChange[] {
  const changes = [
    ...compareTexts(before, after, { at, name }),
    ...compareDefault(before, after, { at, name }),
  ];
  if (deepest === 0) return changes;
  for (const [path, part] of subschemasOf(after)) {
    const [keyword = "", key] = path;
    const former = subschemaAt(
      before,
      String(keyword),
      key === undefined ? undefined : String(key),
    );
    if (former === undefined || !isJsonObject(former[1]) || !isJsonObject(part)) continue;
    const place = { at: [...at, ...path], name: [...name, ...path] };
    changes.push(...compareParts(former[1], part, place, deepest - 1));
  }
  return changes;
}

function compareDefault(
  before: JsonObject,
  after: JsonObject,
  { at, name }: ChangePlace,
): SemanticChange[] {
  const [was, is] = [ownValue(before, "default"), ownValue(after, "default")];
  const isSame =
    was === undefined || is === undefined ? was === is : canonicalText(was) === canonicalText(is);
  const place = { at: [...at, "default"], name: [...name, "default"] };
  return isSame ? [] : [defaultChanged(place, { before: was, after: is })];
}
