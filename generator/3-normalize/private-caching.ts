import { needsAuthentication } from "../model/authentication.js";
import type { CacheModel, ServerModel } from "../model/server-model.js";

/** Makes all cache hints private if callers must authenticate, so that no cache gives an answer to another caller. */
export function withPrivateCaching(model: ServerModel): ServerModel {
  if (!needsAuthentication(model)) return model;
  const { cache, resources, resourceTemplates } = model;
  return {
    ...model,
    ...(cache && { cache: toPrivate(cache) }),
    resources: resources.map(privateItem),
    resourceTemplates: resourceTemplates.map(privateItem),
  };
}

function privateItem<Item extends { readonly cache?: CacheModel }>(item: Item): Item {
  return item.cache === undefined ? item : { ...item, cache: toPrivate(item.cache) };
}

/** Hints without `cacheScope` are private already. */
function toPrivate(cache: CacheModel): CacheModel {
  return cache.cacheScope === undefined ? cache : { ...cache, cacheScope: "private" };
}
