import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Most bytes that all clients of the process together may leave unread. */
const mostOfAll = 96 * 1024 * 1024;

/** Most bytes that the clients of one address together may leave unread. */
const mostOfAddress = 64 * 1024 * 1024;

/** Less than this is not counted, in bytes: most answers are short, and soon read. */
const leastCounted = 64 * 1024;

/** How long a client may leave the rest of an answer without reading any of it, in milliseconds. */
const longestStallMs = 30_000;

/** Time between two checks of which clients read on, in milliseconds. */
const checkingMs = 1_000;

/** A connection whose client has not read all that was written for it. */
interface UnreadConnection {
  readonly socket: Socket;
  /** The client's. */
  readonly address: string;
  /** The bytes that waited in this process at the last count. */
  length: number;
  /** The written bytes that the system had taken at the last check. */
  taken: number;
  /** When its client last read something, in milliseconds of a clock that only goes forward. */
  readAt: number;
}

/**
 * Limits the memory of answers that clients do not read. Where an address has more than its share, or all
 * together have too much, the connection that has stalled longest is ended.
 */
export class UnreadAnswers {
  readonly #connections = new Map<Socket, UnreadConnection>();
  readonly #ofAddress = new Map<string, number>();
  #total = 0;
  /** Whether a connection was ended whose memory may not be free yet. */
  #isFull = false;
  #freed = Promise.resolve();
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * To be called after each write to a connection.
   * @param address The client's.
   */
  written(socket: Socket, address: () => string): void {
    if (socket.writableLength < leastCounted) return;
    const followed = this.#connections.get(socket);
    const connection = followed ?? this.#follow(socket, address());
    this.#count(connection);
    this.#makeRoom(connection, followed === undefined);
  }

  #follow(socket: Socket, address: string): UnreadConnection {
    const connection: UnreadConnection = {
      ...{ socket, address, length: 0 },
      ...{ taken: takenFrom(socket), readAt: performance.now() },
    };
    this.#connections.set(socket, connection);
    this.#timer ??= setInterval(() => this.#check(), checkingMs).unref();
    return connection;
  }

  #count(connection: UnreadConnection): void {
    const { socket, address } = connection;
    const length = socket.destroyed ? 0 : socket.writableLength;
    const ofAddress = (this.#ofAddress.get(address) ?? 0) + length - connection.length;
    this.#total += length - connection.length;
    connection.length = length;
    if (ofAddress === 0) this.#ofAddress.delete(address);
    else this.#ofAddress.set(address, ofAddress);
    if (length === 0) this.#connections.delete(socket);
  }

  /** Ends connections that have stalled for too long, and forgets those whose answers were read. */
  #check(): void {
    const now = performance.now();
    this.#look(now);
    for (const connection of this.#connections.values()) {
      if (now - connection.readAt > longestStallMs) this.#end(connection);
    }
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(now: number): void {
    for (const connection of this.#connections.values()) {
      const taken = takenFrom(connection.socket);
      if (taken > connection.taken) connection.readAt = now;
      connection.taken = taken;
      this.#count(connection);
    }
  }

  /** @param latest The connection that was written to last. @param isNew Whether nothing of it waited before. */
  #makeRoom(latest: UnreadConnection, isNew: boolean): void {
    const { address } = latest;
    const isOverShare = (): boolean => (this.#ofAddress.get(address) ?? 0) > mostOfAddress;
    if (this.#total <= mostOfAll && !isOverShare()) return;
    this.#look(performance.now());
    if (isNew) latest.readAt = performance.now();
    while (isOverShare() && this.#endLongestStalled(address));
    while (this.#total > mostOfAll && this.#endLongestStalled());
  }

  /** Ends one of several. @returns whether there were several: one alone may be as long as any answer. */
  #endLongestStalled(address?: string): boolean {
    let longest: UnreadConnection | undefined;
    let count = 0;
    for (const connection of this.#connections.values()) {
      if (address !== undefined && connection.address !== address) continue;
      count++;
      if (longest === undefined || connection.readAt < longest.readAt) longest = connection;
    }
    if (longest === undefined || count < 2) return false;
    this.#end(longest);
    return true;
  }

  #end(connection: UnreadConnection): void {
    connection.socket.destroy();
    this.#count(connection);
    this.#isFull = true;
    void this.turn();
  }

  /**
   * When the next request may be answered; undefined for at once. The memory of an ended connection is freed
   * some turns of the event loop later. Until then, requests are answered one by one.
   */
  turn(): Promise<void> | undefined {
    if (!this.#isFull) return undefined;
    this.#waiting++;
    this.#freed = this.#freed.then(connectionsClosed).then(() => {
      if (--this.#waiting === 0) this.#isFull = false;
    });
    return this.#freed;
  }
}

/** Resolves when connections that were ended have closed, with what they held. */
export async function connectionsClosed(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await nextTurn();
}

/** The unread answers of this process, of all its listeners. */
export const unreadAnswers = new UnreadAnswers();

/**
 * The written bytes that the system has taken. Node reports a write only when all of it was taken, so this
 * reads Node's own counter to find stalled connections.
 */
function takenFrom(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null;
  };
  if (handle?.bytesWritten === undefined) return socket.bytesWritten - socket.writableLength;
  return handle.bytesWritten - (handle.writeQueueSize ?? 0);
}
