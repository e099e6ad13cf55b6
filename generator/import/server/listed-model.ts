import { gatewayTools } from "../../../templates/runtime/search/gateway-tools.js";
import type { JsonObject } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";
import type { ListedServer } from "./listed-server.js";

/** The lists of a manifest's server right after its start. Pure. */
export function listedModel(model: ServerModel): ListedServer {
  const { resources, resourceTemplates, prompts, instructions } = model;
  return {
    about: about(model),
    ...(instructions !== undefined && { instructions }),
    capabilities: {},
    lists: {
      tools: listedTools(model),
      resources: listedItems(resources),
      resourceTemplates: listedItems(resourceTemplates),
      prompts: listedItems(prompts),
    },
  };
}

function about({ name, version, title, description, websiteUrl, icons }: ServerModel): JsonObject {
  return {
    name,
    ...(version !== undefined && { version }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons !== undefined && { icons: [...icons] }),
  };
}

/** The listed tools. Tools that clients find by searching are not listed; the tools for searching are. */
function listedTools({ tools, exposure }: ServerModel): JsonObject[] {
  if (exposure === undefined) return listedItems(tools);
  const { listed } = exposure;
  const gateways = gatewayTools as readonly unknown[] as readonly JsonObject[];
  return [...listedItems(tools.filter(({ name }) => listed.includes(name))), ...gateways];
}

interface Item {
  readonly wire: JsonObject;
  readonly enabled?: boolean;
}

function listedItems(items: readonly Item[]): JsonObject[] {
  return items.filter(({ enabled }) => enabled !== false).map(({ wire }) => wire);
}
