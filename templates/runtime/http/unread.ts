import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Most bytes that all clients of the process together may leave unread. */
const maxBytesOfAll = 96 * 1024 * 1024;

/** Most bytes that the clients of one address together may leave unread. */
export const maxBytesOfAddress = 64 * 1024 * 1024;

/** Fewer unread bytes of a connection are not counted: most answers are short and read soon. */
const minCountedBytes = 64 * 1024;

/** Longest time for which a client may read nothing of an answer, in milliseconds. */
const maxStallMs = 30_000;

/** Time between two checks of whether clients read, in milliseconds. */
const checkingMs = 1_000;

/** A connection with written bytes that its client has not read. */
interface UnreadConnection {
  readonly socket: Socket;
  /** The client's address. */
  readonly address: string;
  /** The number of bytes in this process's buffers at the last count. */
  length: number;
  /** The number of written bytes that the operating system had taken at the last check. */
  taken: number;
  /** The time when its client last read something, of a monotonic clock, in milliseconds. */
  readAt: number;
}

/**
 * Limits the memory of answers that clients do not read. If an address has more than its share, or all
 * addresses together have too much, the connection that has stalled longest is closed.
 */
export class UnreadAnswers {
  readonly #connections = new Map<Socket, UnreadConnection>();
  readonly #lengthByAddress = new Map<string, number>();
  #total = 0;
  /** Resolves when the last of {@link #waits} ends. */
  #freed = Promise.resolve();
  /** The number of waits, one after another, for the memory of closed connections to be free. */
  #waits = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Must be called after each write to a connection.
   * @param address Returns the client's address.
   */
  written(socket: Socket, address: () => string): void {
    if (socket.writableLength < minCountedBytes) return;
    const followed = this.#connections.get(socket);
    const connection = followed ?? this.#follow(socket, address());
    this.#count(connection);
    this.#makeRoom(connection, followed === undefined);
  }

  #follow(socket: Socket, address: string): UnreadConnection {
    const connection: UnreadConnection = {
      socket,
      address,
      length: 0,
      taken: takenFrom(socket),
      readAt: performance.now(),
    };
    this.#connections.set(socket, connection);
    this.#timer ??= setInterval(() => this.#check(), checkingMs).unref();
    return connection;
  }

  #count(connection: UnreadConnection): void {
    const { socket, address } = connection;
    const length = socket.destroyed ? 0 : socket.writableLength;
    const addressLength = (this.#lengthByAddress.get(address) ?? 0) + length - connection.length;
    this.#total += length - connection.length;
    connection.length = length;
    if (addressLength === 0) this.#lengthByAddress.delete(address);
    else this.#lengthByAddress.set(address, addressLength);
    if (length === 0) this.#connections.delete(socket);
  }

  /** Closes connections that have stalled for too long, and forgets those whose answers were read. */
  #check(): void {
    const now = performance.now();
    this.#update(now);
    for (const connection of this.#connections.values()) {
      if (now - connection.readAt > maxStallMs) this.#end(connection);
    }
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #update(now: number): void {
    for (const connection of this.#connections.values()) {
      const taken = takenFrom(connection.socket);
      if (taken > connection.taken) connection.readAt = now;
      connection.taken = taken;
      this.#count(connection);
    }
  }

  /** @param latest The connection that was written to last. @param isNew Whether it had no unread bytes before. */
  #makeRoom(latest: UnreadConnection, isNew: boolean): void {
    const { address } = latest;
    const isOverShare = (): boolean =>
      (this.#lengthByAddress.get(address) ?? 0) > maxBytesOfAddress;
    if (this.#total <= maxBytesOfAll && !isOverShare()) return;
    this.#update(performance.now());
    if (isNew) latest.readAt = performance.now();
    while (isOverShare() && this.#endLongestStalled(address));
    while (this.#total > maxBytesOfAll && this.#endLongestStalled());
  }

  /** Closes a connection, unless there is only one: a single answer may have any length. @returns whether it did */
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
    void this.#waitForMemory();
  }

  /**
   * Resolves when the next request may be answered; undefined if it may be answered immediately. The memory of
   * a closed connection is freed some turns of the event loop later. Until then, requests are answered singly.
   */
  whenAnswerable(): Promise<void> | undefined {
    return this.#waits === 0 ? undefined : this.#waitForMemory();
  }

  /** Waits until memory is free, after all who wait already. */
  #waitForMemory(): Promise<void> {
    this.#waits++;
    this.#freed = this.#freed.then(connectionsClosed).then(() => void this.#waits--);
    return this.#freed;
  }
}

/** Resolves when destroyed connections have closed and their memory is free. */
export async function connectionsClosed(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await nextTurn();
}

/** The unread answers of all listeners of this process. */
export const unreadAnswers = new UnreadAnswers();

/**
 * The number of written bytes that the operating system has taken. Node reports a write only when all of it
 * was taken, so this function reads Node's internal counter.
 */
function takenFrom(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null;
  };
  if (handle?.bytesWritten === undefined) return socket.bytesWritten - socket.writableLength;
  return handle.bytesWritten - (handle.writeQueueSize ?? 0);
}
