import type { ItemSettings } from "../../templates/runtime/engine/item.js";
import type { ManifestCache } from "../model/manifest.js";
import type { CacheModel } from "../model/server-model.js";
import { deprecationOf } from "./deprecation.js";
import { pickDefined } from "../model/pick.js";

/** The settings that say how an item is served, as fields to spread. */
export function itemSettings(item: ItemSettings): ItemSettings {
  const scopes = [...new Set(item.scopes)];
  return {
    ...pickDefined(item, ["enabled", "timeoutMs", "groups"]),
    ...(scopes.length > 0 && { scopes }),
    ...deprecationOf(item),
  };
}

/** The settings of a resource or a resource template, as fields to spread. */
export function readSettings(
  item: ItemSettings & { readonly subscribe?: boolean; readonly cache?: ManifestCache },
): { readonly subscribe: boolean; readonly cache?: CacheModel } & ItemSettings {
  return {
    ...itemSettings(item),
    subscribe: item.subscribe ?? false,
    ...(item.cache !== undefined && { cache: cacheHints(item.cache) }),
  };
}

/** Caching hints without the author's `x-` keys. */
export function cacheHints(cache: ManifestCache): CacheModel {
  return pickDefined(cache, ["ttlMs", "cacheScope"]);
}
