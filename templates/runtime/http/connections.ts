import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientOf } from "./rate-limit.js";

/** Requests for each connection that may wait for their answers, all connections taken together. */
const UNANSWERED_EACH = 8;

/** The connections of a listener. */
export interface Connections {
  readonly open: number;
  /** Says that a request has begun to come; to be called for each. */
  follow(request: IncomingMessage, response: ServerResponse): void;
  /** Calls back once every request that has come whole on a connection is answered: at once, where all are. */
  whenAnswered(socket: Socket, callback: () => void): void;
  /** Says of a connection that it waits no more: one that speaks another protocol now. */
  waitsNoMore(socket: Socket): void;
}

/** A connection that may give way. */
interface Connection {
  /** Its client, as far as its address tells. */
  readonly holder: string;
  /** Whether it speaks another protocol now. */
  isUpgraded: boolean;
  isClosed: boolean;
  readonly socket: Socket;
  /** The address at its other end, which no other connection has. */
  readonly peer: string;
  /** Requests that have begun to come and are not answered. */
  unanswered: number;
  /** The latest of them. */
  request: IncomingMessage | undefined;
  /** What happens to it once none is left; mostly nothing. */
  answered: (() => void) | undefined;
  /** Where it stands among all that have begun to wait. */
  since: number;
}

/**
 * Bounds the connections of a listener. Where they are too many, the one that has waited longest
 * without a whole request gives way to a new one, so that idle connections keep nobody out. Where
 * too many requests wait for their answers, the connection that has sent most of them is ended.
 */
export function boundConnections(listener: Server, most: number): Connections {
  const connections = new ConnectionMap();
  let open = 0;
  let unanswered = 0;
  let clock = 0;
  listener.on("connection", (socket: Socket) => {
    // Node is given a connection anew whose request it is to read once more.
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
        // An idle connection is not to keep what it has sent.
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
 * The connection that gives way to a new one: of the address that has most of them, the one that has
 * waited longest, or any where the new one's address has fewer even then; undefined where there is none.
 * It is looked for only where there are too many, so that requests need keep no order.
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

/** The one that has sent most requests that are not answered. */
function busiestOf(connections: Iterable<Connection>): Connection | undefined {
  let busiest: Connection | undefined;
  for (const connection of connections) {
    if (connection.unanswered > (busiest?.unanswered ?? 0)) busiest = connection;
  }
  return busiest;
}

/** The one that has waited, or is in use, for the longest time. */
function first(connections: readonly Connection[]): Connection | undefined {
  let found: Connection | undefined;
  for (const connection of connections) {
    if (found === undefined || connection.since < found.since) found = connection;
  }
  return found;
}

/** Whether nothing runs for a connection: what it has sent is answered, or has not come whole. */
function isWaiting({ unanswered, request, isUpgraded }: Connection): boolean {
  if (isUpgraded) return false;
  return unanswered === 0 || (unanswered === 1 && request?.complete === false);
}

/** Connections by their sockets. Over TLS the socket of a request is another, at the same address. */
class ConnectionMap {
  readonly #byPeer = new Map<string, Connection>();
  /** What each request asks: the text of an address takes longer. */
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
