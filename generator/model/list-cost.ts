import type { ItemModel } from "./server-model.js";

/** What one item of a list costs a model that reads it. */
export interface ItemCost {
  readonly kind: ItemModel["kind"];
  readonly name: string;
  /** The number of tokens of the item as the server lists it. */
  readonly tokens: number;
  /** The member of the listed item that takes most of them, such as `outputSchema`. */
  readonly costliest: { readonly member: string; readonly tokens: number };
}

/** What the lists of a server cost a model that reads all of them. */
export interface ListCost {
  /** The number of tokens of all items. */
  readonly tokens: number;
  /** In the order of the lists. */
  readonly items: readonly ItemCost[];
}
