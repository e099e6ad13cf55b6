import { CREDENTIALS } from "../../credentials/index.js";
import type { ItemModel, ServerModel } from "../../model/server-model.js";
import { NETWORK_TRANSPORTS } from "../../model/transports.js";
import { customTransportNames } from "./custom-transport-names.js";
import { itemModulePath } from "./module-names.js";

/** The items of one kind, in the order of the protocol's list. */
export interface ItemList {
  /** Name of the member of the server's definition. */
  readonly name: "tools" | "resources" | "resourceTemplates" | "prompts";
  readonly items: readonly ListedItem[];
}

/** An item, as the module of the server imports it. */
interface ListedItem {
  /** Path of its module relative to `src/generated/`, without extension. */
  readonly module: string;
  /** A name that no other import of the module has. */
  readonly localName: string;
}

/** What the name of an item gets at its end where another import has it. */
const KIND_NAMES = {
  tools: "Tool",
  resources: "Resource",
  resourceTemplates: "Template",
  prompts: "Prompt",
} as const;

/** Names that the module of the server imports from the runtime, or declares. */
const TAKEN = [
  ...["asking", "audit", "changes", "consent", "custom"],
  ...["defineServer"],
  ...["filteredLists", "packageVersion", "page", "postgres"],
  ...[
    "linkedAccounts",
    "programServers",
    "redis",
    "resourceTools",
    "restrict",
    "server",
    "skills",
    "sqlite",
    "stdio",
  ],
  ...["telemetry", "toolSearch", "upstreams", "urlServers"],
  ...Object.values(CREDENTIALS).flatMap(({ factories }) => factories),
  ...Object.values(NETWORK_TRANSPORTS).map(({ factory }) => factory),
];

/** The lists that have items. */
export function itemLists(model: ServerModel): ItemList[] {
  const { tools, resources, resourceTemplates, prompts } = model;
  const transports = model.transports.flatMap((transport) =>
    transport.type === "custom" ? [customTransportNames(transport.name).identifier] : [],
  );
  const taken = new Set<string>([...TAKEN, ...transports]);
  const lists = Object.entries({ tools, resources, resourceTemplates, prompts });
  return lists.flatMap(([key, items]: [string, readonly ItemModel[]]) => {
    const name = key as ItemList["name"];
    if (items.length === 0) return [];
    const listed = items.map((item) => ({
      module: itemModulePath(item),
      localName: freeName(item.identifier, KIND_NAMES[name], taken),
    }));
    return [{ name, items: listed }];
  });
}

function freeName(identifier: string, kind: string, taken: Set<string>): string {
  let name = identifier;
  for (let count = 1; taken.has(name); count++) {
    name = `${identifier}${kind}${count === 1 ? "" : count}`;
  }
  taken.add(name);
  return name;
}
