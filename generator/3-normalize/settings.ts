import type { ManifestCache } from "../model/manifest.js";
import type { CacheModel } from "../model/server-model.js";
import { pickDefined } from "./pick.js";

interface ManifestSettings {
  readonly enabled?: boolean;
  readonly timeoutMs?: number;
  readonly scopes?: readonly string[];
}

/** What an item says about how it is served, as fields to spread. */
export function itemSettings(item: ManifestSettings): {
  readonly enabled?: boolean;
  readonly timeoutMs?: number;
  readonly scopes?: readonly string[];
} {
  const scopes = [...new Set(item.scopes)];
  return {
    ...pickDefined(item, ["enabled", "timeoutMs"]),
    ...(scopes.length > 0 && { scopes }),
  };
}

/** The same for what can be read. */
export function readSettings(
  item: ManifestSettings & { readonly subscribe?: boolean; readonly cache?: ManifestCache },
): { readonly subscribe: boolean; readonly cache?: CacheModel } & ReturnType<typeof itemSettings> {
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
