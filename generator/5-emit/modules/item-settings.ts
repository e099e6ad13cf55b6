import type { JsonObject } from "../../model/json.js";
import type { ItemModel, ResourceModel, ResourceTemplateModel } from "../../model/server-model.js";
import { writeLiteral } from "../../text/literal.js";

type Entry = readonly [key: string, expression: string];

/** The members of a table entry that say how an item is served; only those that the manifest states. */
export function itemSettings({ enabled, timeoutMs, scopes }: ItemModel): Entry[] {
  return [
    ...(enabled === undefined ? [] : [["enabled", writeLiteral(enabled)] as const]),
    ...(timeoutMs === undefined ? [] : [["timeoutMs", writeLiteral(timeoutMs)] as const]),
    ...(scopes === undefined ? [] : [["scopes", writeLiteral([...scopes])] as const]),
  ];
}

/** The same for what can be read. */
export function readSettings(item: ResourceModel | ResourceTemplateModel): Entry[] {
  const { subscribe, cache } = item;
  return [
    ...itemSettings(item),
    ...(subscribe ? [["subscribe", "true"] as const] : []),
    ...(cache === undefined ? [] : [["cache", writeLiteral(cache as JsonObject)] as const]),
  ];
}
