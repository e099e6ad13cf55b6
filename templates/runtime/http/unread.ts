import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

/** What all clients of the process together may leave unread, in bytes. */
const mostOfAll = 96 * 1024 * 1024;

/** What the clients of one address may, together. */
const mostOfAddress = 64 * 1024 * 1024;

/** Less than this is not counted, in bytes: most answers are short, and are soon gone. */
const leastCounted = 64 * 1024;

/** How long a client may leave the rest of an answer without reading any of it, in milliseconds. */
const longestStallMs = 30_000;

/** How often it is looked which clients read on, in milliseconds. */
const checkingMs = 1_000;

/** A connection whose client has not read all that was written for it. */
interface UnreadConnection {
  readonly socket: Socket;
  /** The client's. */
  readonly address: string;
  /** How much waits in this process, in bytes, when it was last counted. */
  length: number;
  /** How much of all that was written the system had taken when it was last looked at, in bytes. */
  taken: number;
  /** When its client was last seen to read, in milliseconds of a clock that only goes forward. */
  readAt: number;
}

/**
 * Bounds the memory that answers take whose clients do not read them. Where an address has more than
 * its share, or all have too much together, the connection is ended that has stalled longest.
 */
export class UnreadAnswers {
  readonly #connections = new Map<Socket, UnreadConnection>();
  readonly #ofAddress = new Map<string, number>();
  #total = 0;
  /** Whether something was ended, and may not be freed yet. */
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

  /** Ends what has stalled for too long, and forgets what was read. */
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

  /** @param latest What was written to last. @param isNew Whether nothing of it waited before. */
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
   * When the next request may be answered; undefined for at once. What a connection that was ended
   * takes up is freed only some turns of the event loop later, so until then requests go on one by one.
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

/** Those of this process, whatever the number of its listeners. */
export const unreadAnswers = new UnreadAnswers();

/**
 * How much the system has taken of what was written, in bytes. Node tells of a write only when it has
 * gone out whole, so it looks here itself for whether a connection has stalled.
 */
function takenFrom(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null;
  };
  if (handle?.bytesWritten === undefined) return socket.bytesWritten - socket.writableLength;
  return handle.bytesWritten - (handle.writeQueueSize ?? 0);
}
