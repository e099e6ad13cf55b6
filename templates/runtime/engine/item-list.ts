import type { CacheHint } from "@modelcontextprotocol/server";
import type { Caller } from "../context/context.js";
import type { ItemSettings } from "./item.js";
import { invalidParams } from "./errors.js";
import type { RequestParameters } from "./request-parameters.js";
import type { Runtime } from "./runtime.js";

/** The result of a list method: the items under the list's key, and the cursor of the next page. */
export type Page<Key extends string, Item> = { [K in Key]: Item[] } & { nextCursor?: string };

/** The list of one kind of item. */
export interface ItemList<Key extends string, Item> {
  /**
   * The page that a caller requests. It may be the same object for several calls.
   * @throws ProtocolError -32602 for a cursor that was not made for this caller
   */
  page(parameters: RequestParameters, caller: Caller): Page<Key, Item>;
  /** Whether clients can use the item of this name now. */
  isOn(name: string): boolean;
  /** Whether the list can change while the server runs. */
  readonly canChange: boolean;
}

/** The part of an item that its list needs. */
export interface ListEntry<Item> extends ItemSettings {
  readonly definition: Item & { readonly name: string };
}

/** Makes the list of one kind of item: `tools`, `resources`, `resourceTemplates` or `prompts`. */
export type CreateItemList = <Key extends string, Item>(
  key: Key,
  entries: readonly ListEntry<Item>[],
  runtime: Runtime,
) => ItemList<Key, Item>;

/** Makes the list of items that are never switched off, all on one page. */
export const createItemList: CreateItemList = (key, entries) => {
  const items = entries.map(({ definition }) => definition);
  const page = Object.freeze<object>({ [key]: items }) as Page<typeof key, (typeof items)[0]>;
  return {
    page: ({ cursor }) => {
      if (cursor !== undefined && cursor !== "") throw invalidParams("Unknown cursor");
      return page;
    },
    isOn: () => true,
    canChange: false,
  };
};

/**
 * The members that all list methods share. `cursor` is not among the parameters, so requests for later pages go to
 * the SDK.
 */
export function listMethod({ cache = {} }: { readonly cache?: CacheHint }) {
  return { parameters: [], isShared: true, caching: cache };
}
