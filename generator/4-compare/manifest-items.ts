import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { onceForEach } from "../model/once-for-each.js";
import type { ListName } from "./catalogue/items.js";
import type { ChangePlace } from "../model/semantic-rule.js";

/** A list whose entries are matched by their names. */
export type ComparedList = ListName | "skills";

/** A tool, resource, resource template or prompt of a manifest, or a folder of skills. */
export interface ManifestItem {
  readonly list: ComparedList;
  readonly name: string;
  readonly index: number;
  readonly value: JsonObject;
}

/** The items of a list that have a name, in the order of the manifest. */
export function itemsOf(manifest: JsonObject, list: ComparedList): readonly ManifestItem[] {
  const cache = itemCacheOf(manifest);
  const items = cache.get(list) ?? readItems(manifest, list);
  cache.set(list, items);
  return items;
}

/** The lists that were already read, since several comparisons ask for the same list. */
const itemCacheOf = onceForEach(
  (_manifest: JsonObject) => new Map<ComparedList, readonly ManifestItem[]>(),
);

function readItems(manifest: JsonObject, list: ComparedList): ManifestItem[] {
  const values = ownValue(manifest, list);
  const items: ManifestItem[] = [];
  if (!Array.isArray(values)) return items;
  for (const [index, value] of values.entries()) {
    const name = isJsonObject(value) ? ownValue(value, "name") : undefined;
    if (isJsonObject(value) && typeof name === "string") items.push({ list, name, index, value });
  }
  return items;
}

/** The place of an item of the new manifest, or of what the path leads to within it. */
export function placeIn(
  { list, name, index }: ManifestItem,
  ...path: readonly (string | number)[]
): ChangePlace {
  return { at: [list, index, ...path], name: [list, name, ...path] };
}

/** One item as both manifests have it. */
export interface ItemPair {
  readonly before: ManifestItem;
  readonly after: ManifestItem;
}

export interface MatchedItems {
  /** Items of the same name, and renamed ones; in the order of the new manifest. */
  readonly pairs: readonly ItemPair[];
  readonly added: readonly ManifestItem[];
  readonly removed: readonly ManifestItem[];
}

/** Pairs the items of two manifests by name, or by `renamedFrom`. */
export function matchItems(
  before: JsonObject,
  after: JsonObject,
  list: ComparedList,
): MatchedItems {
  const former = new Map(itemsOf(before, list).map((item) => [item.name, item]));
  const present = itemsOf(after, list);
  const names = new Set(present.map(({ name }) => name));
  const pairs: ItemPair[] = [];
  const added: ManifestItem[] = [];
  for (const item of present) {
    const origin = former.get(item.name) ?? renamedOrigin(item, former, names);
    if (origin === undefined) {
      added.push(item);
    } else {
      pairs.push({ before: origin, after: item });
      former.delete(origin.name);
    }
  }
  return { pairs, added, removed: [...former.values()] };
}

function renamedOrigin(
  { value }: ManifestItem,
  former: ReadonlyMap<string, ManifestItem>,
  names: ReadonlySet<string>,
): ManifestItem | undefined {
  const renamed = textsOf(value, "renamedFrom").find(
    (name) => !names.has(name) && former.has(name),
  );
  return renamed === undefined ? undefined : former.get(renamed);
}

/** The texts of a property whose value is one text or a list of texts; other values are left out. */
export function textsOf(value: JsonObject, key: string): string[] {
  const property = ownValue(value, key) ?? [];
  const list: JsonValue[] = Array.isArray(property) ? property : [property];
  return list.filter((text) => typeof text === "string");
}

/** The value of a property; undefined if it is absent or no text. */
export function textOf(value: JsonObject, key: string): string | undefined {
  const property = ownValue(value, key);
  return typeof property === "string" ? property : undefined;
}

/** The value of a property; an empty mapping if it is absent or no mapping. */
export function mappingOf(value: JsonObject, key: string): JsonObject {
  const property = ownValue(value, key);
  return isJsonObject(property) ? property : {};
}

/** The texts of one list that another list does not have. */
export function onlyIn(texts: readonly string[], others: readonly string[]): string[] {
  return texts.filter((text) => !others.includes(text));
}
