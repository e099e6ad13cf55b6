import type { Readable, Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import {
  serveConnection,
  type Connection,
  type ConnectionOptions,
} from "../connections/connection.js";
import type { RunningServer } from "../server/create-server.js";

/** The streams of one client. */
export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Called once, when the transport has closed. */
  onEnd(): void;
}

/**
 * Lets the SDK answer the messages of an input.
 * @param longestLine Longest line of the input, with its line end, in bytes.
 */
export function connectStdio(
  server: RunningServer,
  { input, output, onEnd }: StdioStreams,
  longestLine: number,
  options: ConnectionOptions,
): Connection {
  const transport = new StdioServerTransport(input, output, { maxBufferSize: longestLine });
  const connection = serveConnection(server, transport, "stdio", options);
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    onEnd();
  };
  return connection;
}
