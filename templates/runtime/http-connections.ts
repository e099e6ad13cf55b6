import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { hasBody } from "./http-linger.js";

/** The connections of a listener. */
export interface Connections {
  readonly open: number;
  /** Says of a connection that it waits no more: one that speaks another protocol now. */
  waitsNoMore(socket: Socket): void;
}

/**
 * Bounds the connections of a listener. Where they are too many, the one that has waited longest
 * without a whole request gives way to a new one, so that idle connections keep nobody out.
 */
export function boundConnections(listener: Server, most: number): Connections {
  /** In the order in which they began to wait. */
  const waiting = new Map<string, Socket>();
  let open = 0;
  listener.on("connection", (socket: Socket) => {
    if (open >= most) {
      const [longest] = waiting;
      if (longest === undefined) return void socket.destroy();
      waiting.delete(longest[0]);
      longest[1].destroy();
    }
    const peer = peerOf(socket);
    open++;
    waiting.set(peer, socket);
    socket.once("close", () => {
      open--;
      waiting.delete(peer);
    });
  });
  listener.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const peer = peerOf(socket);
    const arrived = (): void => void waiting.delete(peer);
    if (hasBody(request)) request.on("end", arrived);
    else arrived();
    response.on("close", () => {
      if (!socket.destroyed) waiting.set(peer, socket);
    });
  });
  return {
    get open() {
      return open;
    },
    waitsNoMore: (socket) => void waiting.delete(peerOf(socket)),
  };
}

const peers = new WeakMap<Socket, string>();

/** The socket of a request over TLS is another than that of its connection, at the same address. */
function peerOf(socket: Socket): string {
  const known = peers.get(socket);
  if (known !== undefined) return known;
  const peer = `${socket.remoteAddress} ${socket.remotePort}`;
  peers.set(socket, peer);
  return peer;
}
