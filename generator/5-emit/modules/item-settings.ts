import type { JsonObject } from "../../model/json.js";
import type { ItemModel, ResourceModel, ResourceTemplateModel } from "../../model/server-model.js";
import { literalOf, type Code } from "../../text/code.js";

/** A member of an object literal. */
export type Entry = readonly [key: string, value: Code];

/** The members of an entry for settings that items of every kind have, as far as the manifest states them. */
export function itemSettings(item: ItemModel): Entry[] {
  const { enabled, timeoutMs, scopes, groups, deprecated } = item;
  return [
    ...(enabled === undefined ? [] : [["enabled", literalOf(enabled)] as const]),
    ...(timeoutMs === undefined ? [] : [["timeoutMs", literalOf(timeoutMs)] as const]),
    ...(scopes === undefined ? [] : [["scopes", literalOf([...scopes])] as const]),
    ...(groups === undefined ? [] : [["groups", literalOf([...groups])] as const]),
    ...(deprecated === undefined
      ? []
      : [["deprecated", literalOf({ ...deprecated } as JsonObject)] as const]),
  ];
}

/** The members of an entry for settings of resources and templates, as far as the manifest states them. */
export function readSettings(item: ResourceModel | ResourceTemplateModel): Entry[] {
  const { subscribe, cache } = item;
  return [
    ...itemSettings(item),
    ...(subscribe ? [["subscribe", "true"] as const] : []),
    ...(cache === undefined ? [] : [["cache", literalOf(cache as JsonObject)] as const]),
  ];
}
