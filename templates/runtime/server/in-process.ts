import {
  createServer as createRunningServer,
  type RunningServer,
  type ServerOptions,
} from "./create-server.js";
import type { Server } from "./define-server.js";
import type { ReplaceHandler } from "./replaced-handlers.js";
import { loadParts } from "./late-parts.js";

/** Options of a server in process. All may be left out. */
export type InProcessOptions<Env, Services> = Partial<Omit<ServerOptions, "env" | "services">> & {
  /** The values of the environment variables, as handlers get them; none by default. */
  readonly env?: Env;
  /** The services of handlers, as `ctx.services`. */
  readonly services?: Services;
  /** Returns a handler that replaces an item's own, for tests. If undefined, all items keep theirs. */
  readonly replaceHandler?: ReplaceHandler;
};

/**
 * Makes a running server without a transport, for calls in process or for a transport of your own. It checks no environment
 * variables and makes no services: the options have them. Close it at the end.
 */
export async function createServer<Env, Services>(
  { definition, root }: Server<Env, Services>,
  { replaceHandler, ...options }: InProcessOptions<Env, Services> = {},
): Promise<RunningServer> {
  const whole = await loadParts(definition);
  const replaced =
    replaceHandler === undefined
      ? whole
      : (await import("./replaced-handlers.js")).withReplacedHandlers(whole, replaceHandler);
  return createRunningServer(replaced, { root, ...options });
}
