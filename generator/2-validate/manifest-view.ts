import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";
import { ownValue } from "../schema/json-schema.js";
import { onceForEach } from "../model/once-for-each.js";

/**
 * Functions that read a manifest with possible errors. They skip values of another type than the
 * expected one, because the structure check reports these.
 */

/** A mapping of the manifest and its path. */
export interface Mapping {
  readonly path: ManifestPath;
  readonly value: JsonObject;
}

export const ITEM_LISTS = ["tools", "resources", "resourceTemplates", "prompts"] as const;
export type ItemList = (typeof ITEM_LISTS)[number];

/** The lists whose entries have scopes and groups. */
export const GUARDED_LISTS = [...ITEM_LISTS, "skills"] as const;

/** Transports whose clients do not connect over a network. */
export const LOCAL_TRANSPORTS: readonly string[] = ["stdio", "custom"];

const listsOf = onceForEach((_manifest: LoadedManifest) => new Map<string, readonly Mapping[]>());

/** The mappings of a list at the manifest's top level. Cached, because every rule reads them. */
export function itemsOf(manifest: LoadedManifest, list: string): readonly Mapping[] {
  const lists = listsOf(manifest);
  const items = lists.get(list) ?? mappingsIn({ path: [], value: manifest.value }, list);
  lists.set(list, items);
  return items;
}

/** The mappings in the list under a key. */
export function mappingsIn({ path, value }: Mapping, key: string): Mapping[] {
  const mappings: Mapping[] = [];
  for (const [index, item] of listIn(value, key).entries()) {
    if (isJsonObject(item)) mappings.push({ path: [...path, key, index], value: item });
  }
  return mappings;
}

/** The entries of the mapping under a key, each with its path. */
export function entriesIn(
  { path, value }: Mapping,
  key: string,
): [string, JsonValue, ManifestPath][] {
  const mapping = ownValue(value, key);
  if (!isJsonObject(mapping)) return [];
  return Object.entries(mapping).map(([name, item]) => [name, item, [...path, key, name]]);
}

/** The list under a key. Empty if there is none. */
export function listIn(value: JsonObject, key: string): readonly JsonValue[] {
  const list = ownValue(value, key);
  return Array.isArray(list) ? list : [];
}

/** The mapping under a key. Undefined if there is none. */
export function mappingIn({ path, value }: Mapping, key: string): Mapping | undefined {
  const found = ownValue(value, key);
  return isJsonObject(found) ? { path: [...path, key], value: found } : undefined;
}

/** True if a key has something else than a mapping: nobody knows what it was meant to declare. */
export function isNoMapping(value: JsonObject, key: string): boolean {
  return has(value, key) && !isJsonObject(ownValue(value, key));
}

/** The arguments of a prompt. Undefined if one has no name: nobody knows then what was meant. */
export function promptArguments(prompt: Mapping): Mapping[] | undefined {
  const declared = ownValue(prompt.value, "arguments");
  const arguments_ = mappingsIn(prompt, "arguments").filter(({ value }) => has(value, "name"));
  const isKnown = Array.isArray(declared) && arguments_.length === declared.length;
  return declared === undefined || isKnown ? arguments_ : undefined;
}

/** The text under a key. Undefined if there is none. */
export function textIn(value: JsonObject, key: string): string | undefined {
  const text = ownValue(value, key);
  return typeof text === "string" ? text : undefined;
}

/** The method of an `http` body, in capitals. */
export function methodOf(http: JsonObject): string {
  return (textIn(http, "method") ?? "GET").toUpperCase();
}

export function has(value: JsonObject, key: string): boolean {
  return Object.hasOwn(value, key);
}

/** The manifest itself. */
export function rootOf(manifest: LoadedManifest): Mapping {
  return { path: [], value: manifest.value };
}

/** True if any item requires scopes. */
export function namesScopes(manifest: LoadedManifest): boolean {
  return GUARDED_LISTS.some((list) =>
    itemsOf(manifest, list).some(({ value }) => {
      const scopes = value["scopes"];
      return Array.isArray(scopes) && scopes.length > 0;
    }),
  );
}
