import type { JsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { SemanticChange } from "../model/plan.js";
import {
  cacheMadePublic,
  pagesSmaller,
  startsDisabled,
  startsEnabled,
  subscriptionAdded,
  subscriptionRemoved,
} from "./catalogue/serving.js";
import { mappingOf, placeIn, type ItemPair } from "./manifest-items.js";
import { placeAt } from "../model/change-places.js";
import type { ChangePlace } from "../model/semantic-rule.js";

/** The changes of whether an item is enabled, can be subscribed to, and is cached for all users. */
export function compareItemServing(pair: ItemPair): SemanticChange[] {
  const { before, after } = pair;
  const cache = placeIn(after, "cache");
  return [
    ...compareEnabled(pair),
    ...compareSubscription(pair),
    ...compareCache(before.value, after.value, cache),
  ];
}

/** The changes of the size of pages, and of whether the server's answers are cached for all users. */
export function compareServing(before: JsonObject, after: JsonObject): SemanticChange[] {
  return [...comparePages(before, after), ...compareCache(before, after, placeAt("cache"))];
}

function compareEnabled({ before, after }: ItemPair): SemanticChange[] {
  const [wasOff, isOff] = [before, after].map(({ value }) => ownValue(value, "enabled") === false);
  if (wasOff === isOff) return [];
  const place = placeIn(after, "enabled");
  return [(isOff ? startsDisabled : startsEnabled)(place, { name: after.name })];
}

function compareSubscription({ before, after }: ItemPair): SemanticChange[] {
  const [was, is] = [before, after].map(({ value }) => ownValue(value, "subscribe") === true);
  if (was === is) return [];
  return [(is ? subscriptionAdded : subscriptionRemoved)(placeIn(after, "subscribe"), {})];
}

function compareCache(before: JsonObject, after: JsonObject, place: ChangePlace): SemanticChange[] {
  const [was, is] = [before, after].map((value) =>
    ownValue(mappingOf(value, "cache"), "cacheScope"),
  );
  return is === "public" && was !== "public" ? [cacheMadePublic(place, {})] : [];
}

function comparePages(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was = Infinity, is = Infinity] = [before, after].map((manifest) => {
    const size = ownValue(manifest, "pageSize");
    return typeof size === "number" ? size : undefined;
  });
  if (is >= was) return [];
  return [pagesSmaller(placeAt("pageSize"), { items: is })];
}
