import type { Transport } from "@modelcontextprotocol/server";
import { serveConnection, type Connection } from "./connection.js";
import type { Logger } from "../observe/log.js";
import { drainMs, writeMs, type ServeCustom } from "../start/transport.js";

declare module "../engine/definition.js" {
  interface TransportDefinitions {
    /** A transport of the project's own, in `src/transports/<name>.ts`. */
    readonly custom: { readonly type: "custom"; readonly name: string };
  }
}

/** What a transport of the project's own gets. */
export interface TransportHost<Env> {
  /** The environment variables that the manifest declares, checked and converted at start. */
  readonly env: Env;
  readonly log: Logger;
  /**
   * Serves a client, whichever era it is of, until its transport closes. The transport is started
   * here; when the server stops it is closed, once the client has its answers.
   */
  connect(transport: Transport): void;
}

/** Begins to accept clients. What it returns is closed first when the server stops. */
export type CustomTransport<Env> = (
  host: TransportHost<Env>,
) => AcceptingTransport | Promise<AcceptingTransport>;

export interface AcceptingTransport {
  /** Accepts no more clients. It may resolve when the clients that it has are gone. */
  close(): unknown;
}

/** Puts a transport of the project's own behind the server. */
export function serveCustom<Env>(open: CustomTransport<Env>): ServeCustom {
  return async (server, env) => {
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
    const [own] = server.definition.transports.filter((transport) => transport.type === "custom");
    server.log.info("serving", { transport: "custom", name: own?.name });
    return {
      close: async () => {
        const closed = Promise.resolve(accepting.close());
        await server.drain(drainMs);
        const open = [...connections];
        await Promise.all(open.map(({ unanswered }) => unanswered.doneWithin(writeMs)));
        await Promise.all(open.map((connection) => connection.close()));
        await closed;
      },
    };
  };
}
