import type { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { peerOf } from "./connections.js";
import { endConnection } from "./linger.js";

/**
 * Most connections beyond the limit that are greeted over TLS in {@link placeMs}, each of which costs about a millisecond
 * of CPU and some memory.
 */
const mostGreeted = 8;

/** How long a greeted connection has its place, and may last at most, in milliseconds. */
const placeMs = 1_000;

/** A fatal alert of TLS, `internal_error`, which a server without resources sends (RFC 8446, 6.2). */
const ALERT = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x50]);

/** Disconnects a new client with an answer, and waits for nothing, so that a client that opens many connections keeps none. */
export function refusePlainly(socket: Socket, answer: string | Buffer): void {
  socket.on("error", () => undefined);
  socket.end(answer);
  socket.destroySoon();
}

/**
 * Refuses new connections of a listener with TLS. Some of them are greeted, so that their clients can read an answer; the
 * clients of all others read an alert, which costs nothing.
 */
export function refuserOverTls(listener: TlsServer, answer: string): (socket: Socket) => void {
  const greeted = new Map<string, Socket>();
  listener.on("secureConnection", (secure: TLSSocket) => {
    if (greeted.has(peerOf(secure))) endConnection(secure, answer);
  });
  return (socket) => {
    if (greeted.size >= mostGreeted) return refusePlainly(socket, ALERT);
    const peer = peerOf(socket);
    greeted.set(peer, socket);
    // The place is kept if the client is gone earlier, so that there is a limit on the handshakes in a second.
    setTimeout(() => {
      greeted.delete(peer);
      socket.destroy();
    }, placeMs).unref();
  };
}
