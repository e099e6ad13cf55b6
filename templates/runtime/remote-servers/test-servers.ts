import { missingBackends } from "../backends/missing-backends.js";
import type { ServerDefinition } from "../engine/definition.js";
import { loggerOf } from "../observe/log.js";
import { MissingServicesError } from "../testing/test-context.js";
import type { ConnectServer } from "./definition.js";
import { createServers } from "./remote-servers.js";

/**
 * Creates `ctx.servers` for the test of a handler.
 *
 * @param connect connects to the replacement of each server; without it, a handler that uses a server fails with a
 *   `MissingServicesError`
 */
export function testServers<Servers>(
  definition: Pick<ServerDefinition, "servers">,
  env: unknown,
  connect: ConnectServer | undefined,
  signal: AbortSignal = new AbortController().signal,
): Servers {
  if (connect === undefined)
    return missingBackends((name) => new MissingServerError(name)) as Servers;
  const call = { signal, log: SILENT, progress: async () => undefined };
  const options = { env, root: ".", servers: connect };
  return createServers(definition, options, { resultLength: Infinity }).bind(call) as Servers;
}

/** Discards the log messages of servers. */
const SILENT = loggerOf(() => () => undefined);

class MissingServerError extends MissingServicesError {
  constructor(name: string) {
    super(
      `asks the MCP server ${name}: pass what stands in for it, createTestContext({ servers })`,
    );
  }
}
