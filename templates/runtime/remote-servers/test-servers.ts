import type { ServerDefinition } from "../engine/definition.js";
import { loggerOf } from "../observe/log.js";
import { MissingServicesError } from "../testing/test-context.js";
import type { ConnectServer } from "./definition.js";
import { createServers } from "./remote-servers.js";

/**
 * `ctx.servers` of a handler's own test.
 *
 * @param connect to what stands in for each server; without it, a handler that asks one fails
 */
export function testServers<Servers>(
  definition: Pick<ServerDefinition, "servers">,
  env: unknown,
  connect: ConnectServer | undefined,
  signal = new AbortController().signal,
): Servers {
  if (connect === undefined) return missingServers() as Servers;
  const call = { signal, log: SILENT, progress: async () => undefined };
  const options = { env, root: ".", servers: connect };
  return createServers(definition, options, { resultLength: Infinity }).bind(call) as Servers;
}

/** What servers send beside their answers is left out. */
const SILENT = loggerOf(() => () => undefined);

/** Says what a test has to pass. */
function missingServers(): object {
  return new Proxy(
    {},
    {
      get(target, name) {
        if (typeof name === "string") throw new MissingServerError(name);
        return Reflect.get(target, name) as unknown;
      },
    },
  );
}

class MissingServerError extends MissingServicesError {
  constructor(name: string) {
    super(
      `asks the MCP server ${name}: pass what stands in for it, createTestContext({ servers })`,
    );
  }
}
