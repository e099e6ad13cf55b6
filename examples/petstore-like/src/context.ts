import type { Env, ServerControls } from "./generated/index.ts";

/**
 * Made at start and given to every handler as `ctx.services`: database pools, clients, caches.
 * What you return here is typed there.
 *
 * @param env the variables that the manifest names, checked
 * @param controls what services may do while the server runs, such as telling clients of a change
 */
export async function createServices(env: Env, controls: ServerControls) {
  return {};
}

/** Called at stop, after the last request has been answered. */
export async function closeServices(services: Awaited<ReturnType<typeof createServices>>) {}
