import type { ItemModel, ServerModel } from "../../../model/server-model.js";

/** What tests expect of the items that they call with stand-ins of one kind. */
export interface BodyContracts {
  /** The name of the contract, and of the folder of its files. */
  readonly name: string;
  items(model: ServerModel): readonly ItemModel[];
  contract(item: ItemModel, model: ServerModel): object;
  /** The bodies that complete arguments or list instances. */
  sources?(model: ServerModel): readonly { readonly name: string; readonly contract: object }[];
  /** What all items have in common. */
  index?(model: ServerModel): object;
}
