import {
  createServer as createRunningServer,
  type RunningServer,
  type ServerOptions,
} from "./create-server.js";
import type { Server } from "./define-server.js";

/** Options of a server in process. All may be left out. */
export type InProcessOptions<Env, Services> = Partial<Omit<ServerOptions, "env" | "services">> & {
  /** The values of the environment variables, as handlers get them; none by default. */
  readonly env?: Env;
  /** The services of handlers, as `ctx.services`. */
  readonly services?: Services;
};

/** Makes a running server without a transport, for calls in process or for a transport of your own. */
export function createServer<Env, Services>(
  { definition, root }: Server<Env, Services>,
  options: InProcessOptions<Env, Services> = {},
): RunningServer {
  return createRunningServer(definition, { root, ...options });
}
