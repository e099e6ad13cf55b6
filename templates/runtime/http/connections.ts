import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { largestShare, sharesOf } from "../connections/fair-shares.js";
import type { RequestTimes } from "./half-closed.js";
import { clientOf } from "./rate-limit.js";

/** Most unanswered requests of a listener, for each connection that it may have. */
const maxUnansweredEach = 8;

/** A connection that may be closed for a new one. */
interface Connection {
  /** The client's address, as {@link clientOf} groups addresses. */
  readonly holder: string;
  /** Whether it has changed to another protocol. */
  isUpgraded: boolean;
  isClosed: boolean;
  readonly socket: Socket;
  /** The client's address and port, which no other connection has. */
  readonly peer: string;
  /** The number of requests whose headers have arrived and that are not answered. */
  unanswered: number;
  /** When the headers of the latest request arrived, of a monotonic clock, in milliseconds. */
  requestedAt: number;
  /** The latest unanswered request. */
  request: IncomingMessage | undefined;
  /** Called when all complete requests are answered; usually undefined. */
  answered: (() => void) | undefined;
  /** The number of its latest event, which is its start or an answer. A lower number is longer ago. */
  since: number;
}

/** What {@link Connections} does with those that are too many. */
interface ConnectionsOptions {
  /** Called with the address of a client that loses a connection which it uses, or gets none. */
  onLoss(address: string): void;
  /** Disconnects a client that gets none, without waiting for it. */
  refuse(socket: Socket): void;
}

/**
 * Limits the connections of a listener. If there are too many, a new one replaces the one that has waited
 * longest without a complete request, so that idle connections keep nobody out. If too many requests wait
 * for answers, the connection with most of them is closed.
 */
export class Connections {
  readonly #connections = new ConnectionMap();
  readonly #most: number;
  readonly #options: ConnectionsOptions;
  readonly #whenNone: (() => void)[] = [];
  #open = 0;
  #unanswered = 0;
  #clock = 0;

  /**
   * @param most Most open connections.
   */
  constructor(listener: Server, most: number, options: ConnectionsOptions) {
    this.#most = most;
    this.#options = options;
    listener.on("connection", (socket: Socket) => this.#add(socket));
  }

  /** The number of open connections. */
  get open(): number {
    return this.#open;
  }

  /** Resolves when no connection is open. */
  async whenNone(): Promise<void> {
    if (this.#open > 0) await new Promise<void>((resolve) => this.#whenNone.push(resolve));
  }

  #add(socket: Socket): void {
    // Node gets a connection again if it must read a request once more.
    if (this.#connections.has(socket)) return;
    const holder = clientOf(socket.remoteAddress ?? "");
    if (this.#open >= this.#most) {
      const replaced = connectionToEnd(this.#connections.values(), holder);
      if (replaced === undefined || !isWaiting(replaced)) {
        this.#options.onLoss(replaced?.holder ?? holder);
      }
      if (replaced === undefined) return this.#options.refuse(socket);
      this.#connections.delete(replaced);
      replaced.socket.destroy();
    }
    const connection: Connection = {
      socket,
      peer: peerOf(socket),
      holder,
      unanswered: 0,
      requestedAt: 0,
      since: this.#clock++,
      request: undefined,
      answered: undefined,
      isUpgraded: false,
      isClosed: false,
    };
    this.#open++;
    this.#connections.add(connection);
    socket.once("close", () => {
      this.#open--;
      if (this.#open === 0) for (const resolve of this.#whenNone.splice(0)) resolve();
      // Responses that wait behind others get no event when their connection closes.
      this.#unanswered -= connection.unanswered;
      connection.isClosed = true;
      this.#connections.delete(connection);
    });
  }

  /** Must be called for each request, when its headers have arrived. */
  follow(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined || connection.isClosed) return;
    connection.unanswered++;
    this.#unanswered++;
    connection.requestedAt = performance.now();
    connection.request = request;
    if (this.#unanswered > this.#most * maxUnansweredEach) {
      const busiest = busiestOf(this.#connections.values());
      if (busiest !== undefined) this.#options.onLoss(busiest.holder);
      busiest?.socket.destroy();
    }
    response.on("close", () => {
      if (connection.isClosed) return;
      connection.unanswered--;
      this.#unanswered--;
      connection.since = this.#clock++;
      // An idle connection must not keep its last request in memory.
      if (connection.request === request) connection.request = undefined;
      if (isWaiting(connection)) connection.answered?.();
    });
  }

  /** Calls back when all complete requests of a connection are answered, at once if they are already. */
  whenAnswered(socket: Socket, callback: () => void): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || isWaiting(connection)) return callback();
    connection.answered = () => {
      connection.answered = undefined;
      callback();
    };
  }

  /** Whether the headers of a request have arrived, and its body has not yet arrived completely. */
  isSendingBody(socket: Socket): boolean {
    return this.#connections.get(socket)?.request?.complete === false;
  }

  /** When the latest request of a connection came, and how many are not answered. */
  requestsOf(socket: Socket): RequestTimes | undefined {
    return this.#connections.get(socket);
  }

  /** Must be called for a connection that now has another protocol: it does not count as waiting. */
  markUpgraded(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection !== undefined) connection.isUpgraded = true;
  }
}

/**
 * The connection that a new one replaces, or undefined if there is none. It is the one that has waited longest
 * of the address with most connections, or else of all. A connection in use is replaced only if its address
 * must yield to `holder`.
 */
function connectionToEnd(
  connections: Iterable<Connection>,
  holder: string,
): Connection | undefined {
  const shares = sharesOf(connections);
  const { share = [], mustYield } = largestShare(shares, holder, ({ length }) => length);
  const waiting = oldest(share.filter(isWaiting));
  if (waiting !== undefined) return waiting;
  return mustYield ? oldest(share) : oldest([...connections].filter(isWaiting));
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
function oldest(connections: readonly Connection[]): Connection | undefined {
  let found: Connection | undefined;
  for (const connection of connections) {
    if (found === undefined || connection.since < found.since) found = connection;
  }
  return found;
}

/** Whether no request of a connection is running: all are answered or incomplete. */
function isWaiting({ unanswered, request, isUpgraded }: Connection): boolean {
  if (isUpgraded) return false;
  return unanswered === 0 || (unanswered === 1 && request?.complete === false);
}

/** Finds connections by socket. Over TLS a request has another socket, with the same address and port. */
class ConnectionMap {
  readonly #byPeer = new Map<string, Connection>();
  /** The connections by socket, which is faster to look up than the text of an address. */
  readonly #bySocket = new WeakMap<Socket, Connection>();

  add(connection: Connection): void {
    this.#byPeer.set(connection.peer, connection);
    this.#bySocket.set(connection.socket, connection);
  }

  /** Whether a connection with this same socket is known. */
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

/** The address and port of a client, which name its connection. */
export function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
