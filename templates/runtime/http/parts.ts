import { createAccess } from "../authentication/access.js";
import { authInfoOf, senderOf } from "../authentication/auth-info.js";
import type { RuntimeParts, ServerDefinition } from "../engine/definition.js";
import { countRefusals } from "../observe/refusals.js";
import type { LatePart } from "../server/server-part.js";
import type { HttpDefinition } from "./definition.js";
import { createRequestData } from "./request-data.js";

/** The parts that know the callers of a server: who they are, and what they may use. */
export const callerParts: LatePart = async (definition) => ({
  ...{ createAccess, authInfoOf, senderOf },
  ...(hasScopes(definition) && (await scopeParts())),
});

/** The parts of a server that listens on the network. */
export const networkParts: LatePart = async (definition) => ({
  ...(await callerParts(definition)),
  countRefusals,
});

/** The parts of a server with the transport `http`. */
export function httpParts({ card, metrics, page, ready }: HttpDefinition): LatePart {
  return async (definition) => ({
    ...(await networkParts(definition)),
    createRequestData,
    ...(metrics !== undefined && (await metricsParts())),
    ...(ready !== undefined && { readyPage: (await import("./readiness.js")).readyPage }),
    ...(card !== undefined && { cardPage: (await import("./server-card.js")).cardPage }),
    ...page?.part?.(definition),
    ...(repeatsInHeaders(definition) && (await headerParts())),
  });
}

async function scopeParts(): Promise<RuntimeParts> {
  const { createScopes, guardMethods } = await import("../authentication/item-scopes.js");
  return { createScopes, guardMethods };
}

async function metricsParts(): Promise<RuntimeParts> {
  const { createMetrics } = await import("../observe/metrics.js");
  const { metricsPage } = await import("../observe/metrics-page.js");
  return { createMetrics, metricsPage };
}

async function headerParts(): Promise<RuntimeParts> {
  const { compareHeaders, repeatsArguments } = await import("../server/header-parameters.js");
  return { compareHeaders, repeatsArguments };
}

function hasScopes({ tools, resources, resourceTemplates, prompts }: ServerDefinition): boolean {
  return [tools, resources, resourceTemplates, prompts].some((items) =>
    items.some(({ scopes }) => scopes !== undefined),
  );
}

/** True if request headers may repeat arguments of a tool. */
function repeatsInHeaders({ tools }: ServerDefinition): boolean {
  return tools.some(({ definition }) =>
    JSON.stringify(definition.inputSchema).includes('"x-mcp-header"'),
  );
}
