import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";
import { ownValue } from "../schema/json-schema.js";
import { onceForEach } from "../model/once-for-each.js";

/**
 * Reading access to a manifest that may still be wrong: what has another type than asked for is
 * passed over, since the structure check reports it.
 */

/** A mapping of the manifest and where it stands. */
export interface Mapping {
  readonly path: ManifestPath;
  readonly value: JsonObject;
}

export const ITEM_LISTS = ["tools", "resources", "resourceTemplates", "prompts"] as const;
export type ItemList = (typeof ITEM_LISTS)[number];

const listsOf = onceForEach((_manifest: LoadedManifest) => new Map<string, readonly Mapping[]>());

/** The mappings of a list at the manifest's top level, found once: every rule asks for them. */
export function itemsOf(manifest: LoadedManifest, list: string): readonly Mapping[] {
  const lists = listsOf(manifest);
  const items = lists.get(list) ?? mappingsIn({ path: [], value: manifest.value }, list);
  lists.set(list, items);
  return items;
}

/** The mappings in a list that stands under a key. */
export function mappingsIn({ path, value }: Mapping, key: string): Mapping[] {
  const mappings: Mapping[] = [];
  for (const [index, item] of listIn(value, key).entries()) {
    if (isJsonObject(item)) mappings.push({ path: [...path, key, index], value: item });
  }
  return mappings;
}

/** The entries of a mapping that stands under a key, each with its own path. */
export function entriesIn(
  { path, value }: Mapping,
  key: string,
): [string, JsonValue, ManifestPath][] {
  const mapping = ownValue(value, key);
  if (!isJsonObject(mapping)) return [];
  return Object.entries(mapping).map(([name, item]) => [name, item, [...path, key, name]]);
}

export function listIn(value: JsonObject, key: string): readonly JsonValue[] {
  const list = ownValue(value, key);
  return Array.isArray(list) ? list : [];
}

/** The mapping under a key; undefined where there is none. */
export function mappingIn({ path, value }: Mapping, key: string): Mapping | undefined {
  const found = ownValue(value, key);
  return isJsonObject(found) ? { path: [...path, key], value: found } : undefined;
}

export function textIn(value: JsonObject, key: string): string | undefined {
  const text = ownValue(value, key);
  return typeof text === "string" ? text : undefined;
}

export function has(value: JsonObject, key: string): boolean {
  return Object.hasOwn(value, key);
}

/** The manifest itself. */
export function rootOf(manifest: LoadedManifest): Mapping {
  return { path: [], value: manifest.value };
}

/** Whether any item needs scopes. */
export function namesScopes(manifest: LoadedManifest): boolean {
  const lists = ["tools", "resources", "resourceTemplates", "prompts"] as const;
  return lists.some((list) =>
    itemsOf(manifest, list).some(({ value }) => {
      const scopes = value["scopes"];
      return Array.isArray(scopes) && scopes.length > 0;
    }),
  );
}
