import type { Env, ServerControls } from "./generated/index.ts";

/** What all handlers share, such as database pools, clients and caches. Name here what `createServices` returns. */
export interface Services {}

/**
 * Creates the services. Runs once, at the start. Handlers get the returned object, with its type, as `ctx.services`.
 *
 * @param _env the environment variables of the manifest, already checked
 * @param _controls for use while the server runs, such as notifying clients of a change
 */
export async function createServices(_env: Env, _controls: ServerControls): Promise<Services> {
  return {};
}

/** Called when the server stops, after the last answer. */
export async function closeServices(_services: Services): Promise<void> {}
