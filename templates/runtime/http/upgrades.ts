import type { IncomingMessage, Server, ServerOptions } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import type { UpgradePage } from "./transport.js";
import type { Connections } from "./connections.js";
import { pageAt } from "./request-path.js";
import { recover } from "../engine/awaitable.js";
import { unforeseenError } from "../engine/errors.js";
import type { Logger } from "../observe/log.js";

/** Takes over a connection whose client asks for another protocol. */
type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * The options of a server with such a listener. From Node.js 24.9 on, the callback decides which requests the
 * listener gets. Version 26 reads a body before it passes the connection on, so a request with a body is
 * answered as if it had not asked for another protocol. Older versions ignore the option.
 */
export const upgradeOptions = {
  shouldUpgradeCallback: ({ headers }: IncomingMessage): boolean =>
    headers["content-length"] === undefined && headers["transfer-encoding"] === undefined,
} as ServerOptions;

/**
 * Passes a request for a WebSocket to the page at its path. A request for another protocol, such as the
 * `h2c` that some clients ask for with each request, is answered as if it had not asked, and its
 * connection is closed. Both wait until the requests before them on the connection are answered.
 */
export function upgradeListener(
  listener: Server | TlsServer,
  pages: ReadonlyMap<string, UpgradePage>,
  connections: Connections,
  log: Logger,
): UpgradeListener {
  return (request, socket, head) => {
    const page = isWebSocket(request) ? pageAt(pages, request) : undefined;
    // Node no longer listens to errors of this connection.
    socket.on("error", () => undefined);
    connections.whenAnswered(request.socket, () => {
      if (!socket.writable) return;
      if (page === undefined) return answerOnce(listener, request, head);
      connections.markUpgraded(request.socket);
      void recover(
        () => page(request, socket, head),
        (error) => {
          unforeseenError(error, log, "connection failed");
          socket.destroy();
        },
      );
    });
  };
}

/** Lets Node read a request again without its `upgrade` header, as the last one of its connection. */
function answerOnce(listener: Server | TlsServer, request: IncomingMessage, head: Buffer): void {
  const { socket } = request;
  // The previous answer has set a timeout, which Node does not remove when it reads the connection again.
  socket.setTimeout(0);
  socket.unshift(Buffer.concat([Buffer.from(lastRequestHead(request), "latin1"), head]));
  listener.emit(socket instanceof TLSSocket ? "secureConnection" : "connection", socket);
}

/** The head of a request without `upgrade`, and with `connection: close`. */
function lastRequestHead({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`, "Connection: close"];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    if (!/^(connection|upgrade|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  return [...lines, "", ""].join("\r\n");
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}
