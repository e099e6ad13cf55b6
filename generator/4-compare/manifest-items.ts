import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { onceForEach } from "../model/once-for-each.js";
import type { ListName } from "./catalogue/items.js";
import type { ChangePlace } from "./rule.js";

/** An entry of one of a manifest's lists. */
export interface ManifestItem {
  readonly list: ListName;
  readonly name: string;
  readonly index: number;
  readonly value: JsonObject;
}

/** The items of a list that have a name, in their order. */
export function itemsOf(manifest: JsonObject, list: ListName): readonly ManifestItem[] {
  const read = itemsReadOf(manifest);
  const items = read.get(list) ?? readItems(manifest, list);
  read.set(list, items);
  return items;
}

/** Each comparison asks for the items that it is about. */
const itemsReadOf = onceForEach(
  (_manifest: JsonObject) => new Map<ListName, readonly ManifestItem[]>(),
);

function readItems(manifest: JsonObject, list: ListName): ManifestItem[] {
  const values = ownValue(manifest, list);
  const items: ManifestItem[] = [];
  if (!Array.isArray(values)) return items;
  for (const [index, value] of values.entries()) {
    const name = isJsonObject(value) ? ownValue(value, "name") : undefined;
    if (isJsonObject(value) && typeof name === "string") items.push({ list, name, index, value });
  }
  return items;
}

/** A place in an item of the new manifest. */
export function placeIn(
  { list, name, index }: ManifestItem,
  ...path: readonly (string | number)[]
): ChangePlace {
  return { at: [list, index, ...path], name: [list, name, ...path] };
}

/** What both manifests have of one item. */
export interface ItemPair {
  readonly before: ManifestItem;
  readonly after: ManifestItem;
}

export interface MatchedItems {
  /** Items of the same name, and renamed ones; in the new order. */
  readonly kept: readonly ItemPair[];
  readonly added: readonly ManifestItem[];
  readonly removed: readonly ManifestItem[];
}

/** Pairs the items of two manifests by name, or by `renamedFrom`. */
export function matchItems(before: JsonObject, after: JsonObject, list: ListName): MatchedItems {
  const former = new Map(itemsOf(before, list).map((item) => [item.name, item]));
  const present = itemsOf(after, list);
  const names = new Set(present.map(({ name }) => name));
  const kept: ItemPair[] = [];
  const added: ManifestItem[] = [];
  for (const item of present) {
    const origin = former.get(item.name) ?? renamedOrigin(item, former, names);
    if (origin === undefined) {
      added.push(item);
    } else {
      kept.push({ before: origin, after: item });
      former.delete(origin.name);
    }
  }
  return { kept, added, removed: [...former.values()] };
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

/** The texts of a member that is one text or a list of them. */
export function textsOf(value: JsonObject, name: string): string[] {
  const found = ownValue(value, name);
  const list: JsonValue[] = Array.isArray(found) ? found : found === undefined ? [] : [found];
  return list.filter((text) => typeof text === "string");
}

export function textOf(value: JsonObject, name: string): string | undefined {
  const found = ownValue(value, name);
  return typeof found === "string" ? found : undefined;
}

/** A member that is a mapping, or an empty one. */
export function mappingOf(value: JsonObject, name: string): JsonObject {
  const found = ownValue(value, name);
  return isJsonObject(found) ? found : {};
}
