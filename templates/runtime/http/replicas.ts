import type { NetworkStart } from "../start/transport.js";
import type { RunningServer } from "../server/create-server.js";
import type {} from "./transport.js";
import type { SharedBudget } from "./rate-limit.js";

/** The connection of a process with the others that serve the same. */
export interface Replicas {
  /** Absent where each replica counts requests for itself. */
  readonly rates?: SharedBudget;
  /** Why not everything is shared at the moment; undefined where it is. */
  readonly problem: string | undefined;
  /** Gives the connection up. */
  close(): Promise<void>;
}

/** Connects a process with the other replicas; undefined where it is to stand alone. */
export type JoinReplicas = (
  ...parameters: Parameters<NetworkStart["join"]>
) => Promise<Replicas | undefined>;

const connected = new WeakMap<RunningServer, Replicas>();

/** Remembers with whom a server shares what it knows. Before its endpoints are made. */
export function connectReplicas(server: RunningServer, replicas: Replicas): void {
  connected.set(server, replicas);
  const help = "Whether everything is shared with the other replicas: 1 or 0.";
  server.metrics?.gauge("mcp_server_shared", help, () => (replicas.problem === undefined ? 1 : 0));
}

/** With whom a server shares what it knows; undefined where it stands alone. */
export function replicasOf(server: RunningServer): Replicas | undefined {
  return connected.get(server);
}
