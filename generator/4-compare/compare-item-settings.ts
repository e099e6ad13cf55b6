import type { SemanticChange } from "../model/plan.js";
import { isJsonObject, type JsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { clientFeatureNewlyUsed, limitLowered } from "./catalogue/abilities.js";
import { scopeNewlyRequired, scopeNoLongerRequired } from "./catalogue/access.js";
import { compareDeprecations } from "./compare-deprecations.js";
import { compareGroups } from "./compare-restrictions.js";
import { mappingOf, onlyIn, placeIn, textsOf, type ItemPair } from "./manifest-items.js";

/** The changes of what items of every kind need from their callers: scopes, features and time. */
export function compareItemSettings(pair: ItemPair): SemanticChange[] {
  return [
    ...compareScopes(pair),
    ...compareGroups(pair),
    ...compareDeprecations(pair),
    ...compareFeatures(pair),
    ...compareTimeout(pair),
  ];
}

function compareScopes({ before, after }: ItemPair): SemanticChange[] {
  const [former, present] = [textsOf(before.value, "scopes"), textsOf(after.value, "scopes")];
  const place = placeIn(after, "scopes");
  return [
    ...onlyIn(present, former).map((scope) => scopeNewlyRequired(place, { scope })),
    ...onlyIn(former, present).map((scope) => scopeNoLongerRequired(place, { scope })),
  ];
}

function compareFeatures({ before, after }: ItemPair): SemanticChange[] {
  const former = featuresOf(before.value);
  return [...featuresOf(after.value)]
    .filter(([feature]) => !former.has(feature))
    .map(([feature, key]) => clientFeatureNewlyUsed(placeIn(after, key), { feature }));
}

/** Maps each client feature that a handler may use to the key of the item that declares it. */
function featuresOf(item: JsonObject): Map<string, string> {
  const questions = Object.values(mappingOf(item, "elicitations")).filter(isJsonObject);
  const asks = (key: string): boolean => questions.some((question) => Object.hasOwn(question, key));
  return new Map([
    ...textsOf(item, "uses").map((feature) => [feature, "uses"] as const),
    ...(asks("requestedSchema") ? [["elicitation", "elicitations"] as const] : []),
    ...(asks("url") ? [["elicitation by URL", "elicitations"] as const] : []),
  ]);
}

function compareTimeout({ before, after }: ItemPair): SemanticChange[] {
  const [was, is] = [before, after].map(({ value }) => ownValue(value, "timeoutMs"));
  if (typeof was !== "number" || typeof is !== "number" || is >= was) return [];
  return [limitLowered(placeIn(after, "timeoutMs"), { name: "timeoutMs", before: was, after: is })];
}
