import { once } from "node:events";
import { chmod, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { CustomTransport } from "../generated/index.ts";

/**
 * Accepts clients on a Unix-domain socket that only the user who runs the server may open. A
 * connection is one client; messages are lines, as they are on stdio.
 */
export const unixSocketTransport: CustomTransport = async ({ connect, env, log }) => {
  const path = env.SOCKET_PATH;
  const listener = createServer((socket) => {
    socket.on("error", (error) => log.warning("socket failed", { error: error.message }));
    connect(new SocketTransport(socket));
  });
  // A server that was killed leaves its socket behind.
  await rm(path, { force: true });
  listener.listen(path);
  await once(listener, "listening");
  await chmod(path, 0o600);
  return { close: () => new Promise((resolve) => listener.close(resolve)) };
};

/** The SDK reads and writes lines, but leaves the streams open. */
class SocketTransport extends StdioServerTransport {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super(socket, socket);
    this.#socket = socket;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#socket.end();
  }
}
