import { serveStdio as serveSdk, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { RunningServer } from "./create-server.js";
import { printable } from "./printable.js";
import { drainMs, type RunningTransport } from "./transport.js";

/**
 * Serves one client on stdin and stdout.
 * @param onEnd Called once when the client has closed its end, or a line was too long to read.
 */
export function serveStdio(server: RunningServer, onEnd: () => void): RunningTransport {
  const transport = new StdioServerTransport();
  const connection = serveSdk(server.factory, {
    transport,
    onerror: (error) =>
      server.log.warning("protocol error", { error: printable(error.message, 500) }),
  });
  const closeConnection = transport.onclose;
  transport.onclose = () => {
    closeConnection?.();
    onEnd();
  };
  return {
    close: async () => {
      await server.drain(drainMs);
      await connection.close();
    },
  };
}
