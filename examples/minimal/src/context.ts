import type { Env } from "./generated/index.ts";

/**
 * Made at start and given to every handler as `ctx.services`: database pools, clients, caches.
 * What you return here is typed there.
 */
export async function createServices(env: Env) {
  return {};
}

/** Called at stop, after the last request has been answered. */
export async function closeServices(services: Awaited<ReturnType<typeof createServices>>) {}
