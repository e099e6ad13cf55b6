import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";
import { ownValue } from "../model/json-schema.js";

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

/** The mappings of a list at the manifest's top level. */
export function itemsOf(manifest: LoadedManifest, list: string): Mapping[] {
  return mappingsIn({ path: [], value: manifest.value }, list);
}

/** The mappings in a list that stands under a key. */
export function mappingsIn({ path, value }: Mapping, key: string): Mapping[] {
  return listIn(value, key).flatMap((item, index) =>
    isJsonObject(item) ? [{ path: [...path, key, index], value: item }] : [],
  );
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
