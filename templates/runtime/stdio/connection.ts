import type { Writable } from "node:stream";
import {
  serveConnection,
  type Connection,
  type ConnectionOptions,
} from "../connections/connection.js";
import type { RunningServer } from "../server/create-server.js";
import { LineTransport } from "./line-transport.js";

/** The connection of a client whose messages the SDK answers. */
export interface StdioConnection extends Connection {
  /** Takes a line of the client. */
  receive(line: Buffer): void;
}

/**
 * Lets the SDK answer the messages of a client.
 * @param onEnd Called once, when the transport has closed.
 */
export function connectStdio(
  server: RunningServer,
  output: Writable,
  onEnd: () => void,
  options: ConnectionOptions,
): StdioConnection {
  const transport = new LineTransport(output, server.observer);
  const connection = serveConnection(server, transport, "stdio", options);
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    onEnd();
  };
  return { ...connection, receive: (line) => transport.receive(line) };
}
