import { canonicalText } from "../schema/values.js";
import { isJsonObject, type JsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { subschemaAt, subschemasOf } from "../schema/subschemas.js";
import type { SemanticChange } from "../model/plan.js";
import { defaultChanged } from "./catalogue/schemas.js";
import { compareTexts } from "./compare-texts.js";
import { placeBelow } from "../model/change-places.js";
import type { ChangePlace } from "../model/semantic-rule.js";
import type { SchemaNode } from "../schema/comparison/schema-node.js";

/** The deepest level of subschemas that is compared. Manifests have fewer, a lock may have any number. */
const MAX_DEPTH = 256;

/** The changes of titles, descriptions and defaults in the subschemas that both schemas have. */
export function compareSchemaTexts(before: SchemaNode, after: SchemaNode): SemanticChange[] {
  if (!isJsonObject(before.schema) || !isJsonObject(after.schema)) return [];
  const { at, name } = after.source;
  return compareSubschemas(before.schema, after.schema, { at, name }, MAX_DEPTH);
}

function compareSubschemas(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  levelsLeft: number,
): SemanticChange[] {
  const changes = [
    ...compareTexts(before, after, place),
    ...compareDefault(before, after, placeBelow(place, "default")),
  ];
  if (levelsLeft === 0) return changes;
  for (const [path, subschema] of subschemasOf(after)) {
    const [keyword = "", key] = path;
    const former = subschemaAt(
      before,
      String(keyword),
      key === undefined ? undefined : String(key),
    );
    if (former === undefined || !isJsonObject(former[1]) || !isJsonObject(subschema)) continue;
    const below = placeBelow(place, ...path);
    changes.push(...compareSubschemas(former[1], subschema, below, levelsLeft - 1));
  }
  return changes;
}

function compareDefault(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
): SemanticChange[] {
  const [was, is] = [ownValue(before, "default"), ownValue(after, "default")];
  const isSame =
    was === undefined || is === undefined ? was === is : canonicalText(was) === canonicalText(is);
  return isSame ? [] : [defaultChanged(place, { before: was, after: is })];
}
