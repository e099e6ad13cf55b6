import { SettingError } from "../engine/errors.js";
import type { Logger } from "../observe/log.js";
import type { Server } from "../server/define-server.js";
import type { ListenAddress } from "../start/transport.js";
import type { WorkerProcess } from "../start/worker-process.js";

/** The variable that has the id of the primary process, in the environment of its workers only. */
const MARKER = "MCP_PRIMARY_PROCESS";

/**
 * Divides a server among several processes. In a worker it returns what the worker has and does beside a process that
 * serves alone. In the primary process it starts the workers, and returns undefined when all serve.
 * @throws SettingError if a setting is wrong
 */
export async function divide(
  server: Pick<Server, "definition" | "environment" | "root">,
  count: number,
  address: ListenAddress,
  log: Logger,
): Promise<WorkerProcess | undefined> {
  // Not imported with this module: a server in one file would load it at each start.
  const { default: cluster } = await import("node:cluster");
  if (cluster.isPrimary) {
    const { runPrimary } = await import("./primary.js");
    await runPrimary(cluster, server, { count, address, log, marker: MARKER });
    return undefined;
  }
  if (process.env[MARKER] !== String(process.ppid)) {
    throw new SettingError(
      "this process is a worker of another program already, such as pm2; serve without --workers",
    );
  }
  // Programs that the worker runs are no workers.
  delete process.env[MARKER];
  const { joinPrimary } = await import("./worker.js");
  return joinPrimary(server.environment ?? process.env, log);
}
