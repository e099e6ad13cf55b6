import type { Readable, Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { serveConnection, type Connection, type ConnectionOptions } from "./connection.js";
import type { RunningServer } from "./create-server.js";

/**
 * Has the SDK serve what comes on an input.
 * @param onEnd Called once when the input has ended, or a line was too long to read.
 */
export function connectStdio(
  server: RunningServer,
  input: Readable,
  output: Writable,
  options: ConnectionOptions,
  onEnd: () => void,
): Connection {
  const transport = new StdioServerTransport(input, output);
  const connection = serveConnection(server, transport, "stdio", options);
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    onEnd();
  };
  return connection;
}
