import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { ownValue } from "../schema/json-schema.js";
import {
  extensionAdded,
  extensionRemoved,
  extensionSettingsChanged,
} from "./catalogue/extensions.js";
import { mappingOf } from "./manifest-items.js";
import { placeAt } from "./places.js";

/** The changes of the extensions that clients are told of. */
export function compareExtensions(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [former, present] = [mappingOf(before, "extensions"), mappingOf(after, "extensions")];
  const ids = [...new Set([...Object.keys(former), ...Object.keys(present)])].sort();
  return ids.flatMap((id) => {
    const [was, is] = [ownValue(former, id), ownValue(present, id)];
    const place = placeAt("extensions", id);
    if (was === undefined) return [extensionAdded(place, { id })];
    if (is === undefined) return [extensionRemoved(placeAt("extensions"), { id })];
    return isDeepStrictEqual(was, is) ? [] : [extensionSettingsChanged(place, { id })];
  });
}
