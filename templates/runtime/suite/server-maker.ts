import type { ServerDefinition } from "../engine/definition.js";
import { createServer, type RunningServer } from "../server/create-server.js";
import type { InProcessOptions } from "../server/define-server.js";
import { withReplacedHandlers } from "../server/replaced-handlers.js";

/** Returns the function by which tests make servers of a definition in process, with handlers of their own. */
export function serverMaker<Env, Services>(
  definition: ServerDefinition,
  root: string,
): (options?: InProcessOptions<Env, Services>) => RunningServer {
  return ({ replaceHandler, ...options } = {}) => {
    const replaced = replaceHandler && withReplacedHandlers(definition, replaceHandler);
    return createServer(replaced ?? definition, { root, tasks: false, ...options });
  };
}
