import type { ItemModel, ServerModel } from "../../../model/server-model.js";
import { databaseContracts, databaseItemContract, databaseItems } from "./database-contracts.js";
import { directoryContract, directoryTemplates } from "./directory-contracts.js";
import { programContract, programTools } from "./program-contracts.js";
import { remoteContract, remoteItems } from "./remote-contracts.js";
import { databaseSources, upstreamSources } from "./source-contracts.js";
import { upstreamContract, upstreamItems } from "./upstream-contracts.js";

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

/** The contracts of bodies, in the order in which they are tested. */
export const bodyContracts: readonly BodyContracts[] = [
  {
    name: "bodies",
    items: upstreamItems,
    contract: upstreamContract,
    sources: upstreamSources,
  },
  {
    name: "databases",
    items: databaseItems,
    contract: databaseItemContract,
    sources: databaseSources,
    index: (model) => ({ databases: databaseContracts(model) }),
  },
  { name: "programs", items: programTools, contract: programContract },
  { name: "directories", items: directoryTemplates, contract: directoryContract },
  { name: "remote-servers", items: remoteItems, contract: remoteContract },
];
