import type { JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { ownValue } from "../schema/json-schema.js";
import {
  resourceToolsAdded,
  resourceToolsRemoved,
  toolPutOnList,
  toolsMadeListed,
  toolsMadeSearchable,
  toolTakenOffList,
} from "./catalogue/exposure.js";
import { mappingOf, matchItems, textsOf } from "./manifest-items.js";
import { placeAt } from "../model/change-places.js";

const EXPOSURE = placeAt("exposure");

/** Whether the tools that list and read resources have come or gone. */
export function compareResourceTools(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [had, has] = [before, after].map(
    (manifest) => ownValue(manifest, "resourceTools") === true,
  );
  if (had === has) return [];
  return [(has ? resourceToolsAdded : resourceToolsRemoved)(placeAt("resourceTools"), {})];
}

/** The changes of which tools the server lists, and which clients find only by searching. */
export function compareExposure(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [wasSearched, isSearched] = [before, after].map(
    (manifest) => ownValue(manifest, "exposure") !== undefined,
  );
  if (!wasSearched && !isSearched) return [];
  if (wasSearched !== isSearched) {
    return [(isSearched ? toolsMadeSearchable : toolsMadeListed)(EXPOSURE, {})];
  }
  const [former, present] = [before, after].map(
    (manifest) => new Set(textsOf(mappingOf(manifest, "exposure"), "list")),
  );
  return matchItems(before, after, "tools").pairs.flatMap((pair) => {
    const [wasListed, isListed] = [former?.has(pair.before.name), present?.has(pair.after.name)];
    if (wasListed === isListed) return [];
    return [(isListed ? toolPutOnList : toolTakenOffList)(EXPOSURE, { name: pair.after.name })];
  });
}
