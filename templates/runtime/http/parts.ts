import { createAccess } from "../authentication/access.js";
import { authInfoOf, senderOf } from "../authentication/auth-info.js";
import { createScopes, guardMethods } from "../authentication/item-scopes.js";
import type { ServerDefinition } from "../engine/definition.js";
import { countRefusals } from "../observe/refusal-counts.js";
import { createMetrics } from "../observe/metrics.js";
import { metricsPage } from "../observe/metrics-page.js";
import { readyPage } from "./readiness.js";
import { compareHeaders, declaresHeader, repeatsArguments } from "../server/header-parameters.js";
import type { ServerPart } from "../server/server-part.js";
import type { HttpDefinition } from "./definition.js";
import { createRequestData } from "./request-data.js";

/** The parts that know the callers of a server: who they are, and what they may use. */
export const callerParts: ServerPart = (definition) => ({
  ...{ createAccess, authInfoOf, senderOf },
  ...(hasScopes(definition) && { createScopes, guardMethods }),
});

/** The parts of a server that listens on the network. */
export const networkParts: ServerPart = (definition) => ({
  ...callerParts(definition),
  countRefusals,
});

/** The parts of a server with the transport `http`. */
export function httpParts({ metrics, page, ready }: HttpDefinition): ServerPart {
  return (definition) => ({
    ...networkParts(definition),
    createRequestData,
    ...(metrics !== undefined && { createMetrics, metricsPage }),
    ...(ready !== undefined && { readyPage }),
    ...page?.part?.(definition),
    ...(definition.tools.some((tool) => declaresHeader(tool.definition.inputSchema)) && {
      ...{ compareHeaders, repeatsArguments },
    }),
  });
}

function hasScopes({ tools, resources, resourceTemplates, prompts }: ServerDefinition): boolean {
  return [tools, resources, resourceTemplates, prompts].some((items) =>
    items.some(({ scopes }) => scopes !== undefined),
  );
}
