import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientOf } from "./rate-limit.js";

/** Requests for each connection that may wait for their answers, all connections taken together. */
const UNANSWERED_EACH = 8;

/** The connections of a listener. */
export interface Connections {
  readonly open: number;
  /** Must be called for each request, when its head has arrived. */
  follow(request: IncomingMessage, response: ServerResponse): void;
  /** Calls back when every request that has arrived whole on a connection is answered: at once, where all are. */
  whenAnswered(socket: Socket, callback: () => void): void;
  /** Must be called for a connection that speaks another protocol now: it does not count as waiting. */
  waitsNoMore(socket: Socket): void;
}

/** A connection that may be closed for a new one. */
interface Connection {
  /** Its client, by its address. */
  readonly holder: string;
  /** Whether it speaks another protocol now. */
  isUpgraded: boolean;
  isClosed: boolean;
  readonly socket: Socket;
  /** The address at its other end, which no other connection has. */
  readonly peer: string;
  /** Requests whose heads have arrived and that are not answered. */
  unanswered: number;
  /** The latest of them. */
  request: IncomingMessage | undefined;
  /** Called when none is left; usually undefined. */
  answered: (() => void) | undefined;
  /** Its place in the order in which connections have begun to wait. */
  since: number;
}

/**
 * Limits the connections of a listener. Where there are too many, a new one replaces the one that has waited
 * longest without a whole request, so that idle connections keep nobody out. Where too many requests wait for
 * answers, the connection that has sent most of them is closed.
 */
export function boundConnections(listener: Server, most: number): Connections {
  const connections = new ConnectionMap();
  let open = 0;
  let unanswered = 0;
  let clock = 0;
  listener.on("connection", (socket: Socket) => {
    // Node gets a connection again where it must read a request once more.
    if (connections.has(socket)) return;
    if (open >= most) {
      const leaving = connectionToEnd(connections.values(), clientOf(socket.remoteAddress ?? ""));
      if (leaving === undefined) return void socket.destroy();
      connections.delete(leaving);
      leaving.socket.destroy();
    }
    const peer = peerOf(socket);
    const connection: Connection = {
      ...{ socket, peer, unanswered: 0, since: clock++ },
      ...{ request: undefined, answered: undefined, isUpgraded: false, isClosed: false },
      holder: clientOf(socket.remoteAddress ?? ""),
    };
    open++;
    connections.add(connection);
    socket.once("close", () => {
      open--;
      // Answers that wait behind others are not closed with their connection.
      unanswered -= connection.unanswered;
      connection.isClosed = true;
      connections.delete(connection);
    });
  });
  return {
    get open() {
      return open;
    },
    follow: (request, response) => {
      const connection = connections.get(request.socket);
      if (connection === undefined || connection.isClosed) return;
      connection.unanswered++;
      unanswered++;
      connection.request = request;
      if (unanswered > most * UNANSWERED_EACH) busiestOf(connections.values())?.socket.destroy();
      response.on("close", () => {
        if (connection.isClosed) return;
        connection.unanswered--;
        unanswered--;
        connection.since = clock++;
        // An idle connection must not keep its last request in memory.
        if (connection.request === request) connection.request = undefined;
        if (isWaiting(connection)) connection.answered?.();
      });
    },
    whenAnswered: (socket, callback) => {
      const connection = connections.get(socket);
      if (connection === undefined || isWaiting(connection)) return callback();
      connection.answered = () => {
        connection.answered = undefined;
        callback();
      };
    },
    waitsNoMore: (socket) => {
      const connection = connections.get(socket);
      if (connection !== undefined) connection.isUpgraded = true;
    },
  };
}

/**
 * The connection that a new one replaces: of the address with most connections, the one that has waited
 * longest; any of them, where the new one's address still has fewer afterwards; undefined where there is
 * none. It is searched for only where there are too many, so that requests need not keep an order.
 */
function connectionToEnd(
  connections: Iterable<Connection>,
  holder: string,
): Connection | undefined {
  const byHolder = new Map<string, Connection[]>();
  for (const connection of connections) {
    const held = byHolder.get(connection.holder);
    if (held === undefined) byHolder.set(connection.holder, [connection]);
    else held.push(connection);
  }
  const own = byHolder.get(holder) ?? [];
  const [biggest = own] = [...byHolder.values()].sort((one, other) => other.length - one.length);
  const candidates = biggest.length > own.length ? biggest : own;
  const isOthers = candidates.length > own.length + 1;
  const waiting = first(candidates.filter(isWaiting));
  if (waiting !== undefined || isOthers) return waiting ?? first(candidates);
  return first([...connections].filter(isWaiting));
}

/** The connection with most unanswered requests. */
function busiestOf(connections: Iterable<Connection>): Connection | undefined {
  let busiest: Connection | undefined;
  for (const connection of connections) {
    if (connection.unanswered > (busiest?.unanswered ?? 0)) busiest = connection;
  }
  return busiest;
}

/** The connection that has waited, or been in use, for the longest time. */
function first(connections: readonly Connection[]): Connection | undefined {
  let found: Connection | undefined;
  for (const connection of connections) {
    if (found === undefined || connection.since < found.since) found = connection;
  }
  return found;
}

/** Whether nothing runs for a connection: its requests are answered, or have not arrived whole. */
function isWaiting({ unanswered, request, isUpgraded }: Connection): boolean {
  if (isUpgraded) return false;
  return unanswered === 0 || (unanswered === 1 && request?.complete === false);
}

/** Connections by their sockets. Over TLS the socket of a request is another, at the same address. */
class ConnectionMap {
  readonly #byPeer = new Map<string, Connection>();
  /** The connections by their sockets: making the text of an address takes longer. */
  readonly #bySocket = new WeakMap<Socket, Connection>();

  add(connection: Connection): void {
    this.#byPeer.set(connection.peer, connection);
    this.#bySocket.set(connection.socket, connection);
  }

  /** Whether a connection was added by this very socket. */
  has(socket: Socket): boolean {
    return this.#bySocket.has(socket);
  }

  get(socket: Socket): Connection | undefined {
    const found = this.#bySocket.get(socket);
    if (found !== undefined) return found;
    const connection = this.#byPeer.get(peerOf(socket));
    if (connection !== undefined) this.#bySocket.set(socket, connection);
    return connection;
  }

  delete(connection: Connection): void {
    this.#byPeer.delete(connection.peer);
  }

  values(): Iterable<Connection> {
    return this.#byPeer.values();
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
