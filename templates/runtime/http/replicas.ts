import type { Server } from "node:http";
import type { Nonces } from "../consent/nonces.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { AccountStore } from "../linked-accounts/store.js";
import type { StartingProcess } from "../start/transport.js";
import type { RunningServer } from "../server/create-server.js";
import type { TaskStore } from "../tasks/store.js";
import type {} from "./transport.js";
import type { Connections } from "./connections.js";
import type { NetworkDefinition } from "./definition.js";
import type { SharedBudget } from "./rate-limit.js";

/** Where a listener gets its connections from. */
export interface Accepting {
  readonly port: number;
  /** Takes no more connections. Resolves when all are closed. Further calls do no more. */
  stop(): Promise<unknown>;
}

/** Passes the connections that another process accepts to a listener. */
export type Accept = (
  listener: Server,
  address: NetworkDefinition,
  connections: Connections,
) => Accepting;

/** The connection of a process with the other replicas of its server. */
export interface Replicas {
  /** Absent if each replica counts requests on its own. */
  readonly rates?: SharedBudget;
  /** Knows what was used once; absent if each replica knows that on its own. */
  readonly nonces?: Nonces;
  /** Keeps the tasks of all replicas; absent if each keeps its own. */
  readonly taskStore?: TaskStore;
  /** Keeps the accounts of the callers of all replicas; absent if each keeps its own. */
  readonly accountStore?: AccountStore;
  /** Accepts the connections of this process elsewhere; absent if it listens itself. */
  readonly accept?: Accept;
  /** Why the replicas do not share everything at the moment; undefined if they do. */
  readonly problem: string | undefined;
  /** Closes the connection. */
  close(): Promise<void>;
}

/** Connects a process with the other replicas; undefined if its environment does not say where they meet. */
export type JoinReplicas = (
  definition: ServerDefinition,
  process: StartingProcess,
) => Promise<Replicas | undefined>;

const connected = new WeakMap<RunningServer, Replicas>();

/** Sets the replicas of a server. Call it before the server's endpoints are made. */
export function connectReplicas(server: RunningServer, replicas: Replicas): void {
  connected.set(server, replicas);
  const help = "Whether everything is shared with the other replicas: 1 or 0.";
  server.metrics?.gauge("mcp_server_shared", help, () => (replicas.problem === undefined ? 1 : 0));
}

/** The replicas of a server; undefined if it has none. */
export function replicasOf(server: RunningServer): Replicas | undefined {
  return connected.get(server);
}
