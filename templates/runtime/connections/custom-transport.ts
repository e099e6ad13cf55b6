import type { Transport } from "@modelcontextprotocol/server";
import { serveConnection, type Connection } from "./connection.js";
import type { Logger } from "../observe/log.js";
import {
  drainMs,
  writeMs,
  type RunningTransport,
  type TransportGroup,
} from "../start/transport.js";
import type { RunningServer } from "../server/create-server.js";

/** What the server gives a custom transport. */
export interface TransportHost<Env> {
  /** The environment variables that the manifest declares, checked and converted at start. */
  readonly env: Env;
  /** The log of the server. */
  readonly log: Logger;
  /**
   * Starts a transport and serves its client, of either era, until the transport closes. When the server
   * stops, it answers the open requests and then closes the transport.
   */
  connect(transport: Transport): void;
}

/** Begins to accept clients. When the server stops, it first closes the returned object. */
export type CustomTransport<Env> = (
  host: TransportHost<Env>,
) => AcceptingTransport | Promise<AcceptingTransport>;

/** A transport that accepts clients. */
export interface AcceptingTransport {
  /** Stops accepting clients. A returned promise may wait until the present clients have left. */
  close(): unknown;
}

/** The project's own transport, as a group of transports that `start` can start. */
export function serveCustom<Env>(open: CustomTransport<Env>): TransportGroup {
  return {
    choose: (_declared, chosen) =>
      chosen.has("custom")
        ? {
            start: async (server, { env, add }) => add(await serveCustomClients(open, server, env)),
          }
        : undefined,
  };
}

/** Serves clients on a custom transport. */
export async function serveCustomClients<Env>(
  open: CustomTransport<Env>,
  server: RunningServer,
  env: object,
): Promise<RunningTransport> {
  const connections = new Set<Connection>();
  const accepting = await open({
    env: env as Env,
    log: server.log,
    connect: (transport) => {
      const connection = serveConnection(server, transport, "custom");
      connections.add(connection);
      const { onclose } = transport;
      transport.onclose = () => {
        connections.delete(connection);
        onclose?.();
      };
    },
  });
  const [definition] = server.definition.transports.filter(
    (transport) => transport.type === "custom",
  );
  server.log.info("serving", { transport: "custom", name: definition?.name });
  return {
    close: async () => {
      const acceptingClosed = Promise.resolve(accepting.close());
      await server.drain(drainMs);
      const openConnections = [...connections];
      await Promise.all(openConnections.map(({ unanswered }) => unanswered.doneWithin(writeMs)));
      await Promise.all(openConnections.map((connection) => connection.close()));
      await acceptingClosed;
    },
  };
}
