import type { Trail } from "../audit/trail.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Replicas } from "../http/replicas.js";
import type { Logger } from "../observe/log.js";
import type { RunningServer } from "../server/create-server.js";
import type { Environment } from "./env.js";
import type { ShutDown } from "./shut-down.js";

/** What a process has and does that serves together with others, as a worker of a primary process. */
export interface WorkerProcess {
  /** The log, whose lines name the worker. */
  readonly log: Logger;
  /** The environment, with what the primary process has chosen for all workers. */
  readonly environment: Environment;
  /** Where the audit trail of all workers is written. */
  readonly trail: Trail;
  /** The definition of this worker's part of the server. @param env The values of the manifest's variables. */
  partOf(definition: ServerDefinition, env: object): ServerDefinition;
  /**
   * Shares the state of the server with the other workers.
   * @param replicas What the server shares through Redis already.
   */
  join(
    definition: ServerDefinition,
    controls: object | undefined,
    replicas: Replicas | undefined,
  ): Promise<Replicas>;
  /** Tells the primary process that this worker serves, and stops when that says so. */
  serve(server: RunningServer, shutDown: ShutDown): void;
}
