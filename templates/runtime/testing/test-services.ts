import type { Server } from "../server/define-server.js";
import type { StatedDefinition } from "../server/server-part.js";
import { MissingServicesError, strictServices } from "./missing-services.js";

/** Limits on the traffic of clients. Tests send more than clients do, and would exceed those of a manifest. */
const TRAFFIC_LIMITS = [
  "bodyBytes",
  "ratePerSecond",
  "sessions",
  "sessionIdleMs",
  "connections",
  "headersTimeoutMs",
  "bodyTimeoutMs",
] as const;

/**
 * The server as tests start it: with other services than those that `src/context.ts` opens, with the default limits
 * on traffic, and without other replicas. If a handler uses a service that is not among the new ones, the test of
 * that call is skipped and the reason is logged.
 *
 * @param test the exports of `test/services.ts`, with the new `services`
 */
export function withTestServices<Env, Services>(
  server: Server<Env, Services>,
  test: object,
): Server<Env, Services> {
  const { services = {} } = test as { readonly services?: object };
  const testServices = strictServices(services, (name) => {
    const message = `needs ctx.services.${name}: give it in test/services.ts`;
    console.error(message);
    return new MissingServicesError(message);
  });
  return {
    definition: definitionForTests(server.definition),
    transports: server.transports,
    root: server.root,
    ...(server.environment !== undefined && { environment: server.environment }),
    context: async () => ({
      ...(await server.context()),
      createServices: () => testServices as Services,
      closeServices: () => undefined,
    }),
  };
}

function definitionForTests(definition: StatedDefinition): StatedDefinition {
  const { joinReplicas: _joinReplicas, limits = {}, ...rest } = definition;
  const kept = Object.entries(limits).filter(
    ([name]) => !(TRAFFIC_LIMITS as readonly string[]).includes(name),
  );
  return { ...rest, ...(definition.limits !== undefined && { limits: Object.fromEntries(kept) }) };
}
