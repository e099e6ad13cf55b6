import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { minCountedBytes, type AnswerConnection } from "../memory/accounts.js";
import { MemoryBudget } from "../memory/budget.js";
import { CallMemory, type SharedMemory } from "../memory/call-memory.js";
import { limitHeapGrowth } from "../memory/heap-growth.js";
import { ResultLengths } from "../memory/result-lengths.js";

/** The memory for the answers of all listeners of this process. */
export const answerMemory: SharedMemory<MemoryBudget> = {
  budget: new MemoryBudget(undefined, limitHeapGrowth),
  lengths: new ResultLengths(),
};

const connections = new WeakMap<Socket, SocketConnection>();

/**
 * The connection of a socket.
 * @param holder The client's address, under which its memory is counted.
 * @param onRefusal Called with that address when an answer gets no memory.
 */
export function connectionOf(
  socket: Socket,
  holder: string,
  onRefusal: (holder: string) => void,
): AnswerConnection {
  const found = connections.get(socket);
  if (found !== undefined) {
    // Behind a proxy, a connection has requests of several clients.
    found.holder = holder;
    return found;
  }
  const { budget } = answerMemory;
  const connection = new SocketConnection(socket, holder, onRefusal);
  connections.set(socket, connection);
  socket.on("drain", () => budget.drained(connection));
  socket.once("close", () => budget.closed(connection));
  return connection;
}

class SocketConnection implements AnswerConnection {
  readonly #socket: Socket;
  readonly #onRefusal: (holder: string) => void;
  holder: string;

  constructor(socket: Socket, holder: string, onRefusal: (holder: string) => void) {
    this.#socket = socket;
    this.holder = holder;
    this.#onRefusal = onRefusal;
  }

  refused(): void {
    this.#onRefusal(this.holder);
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  unread(): number {
    return this.#socket.destroyed ? 0 : this.#socket.writableLength;
  }

  /** Node reports a write only when all of it was taken, so this reads Node's internal counter. */
  taken(): number {
    const { _handle: handle } = this.#socket as Socket & {
      readonly _handle?: {
        readonly bytesWritten?: number;
        readonly writeQueueSize?: number;
      } | null;
    };
    if (handle?.bytesWritten === undefined) {
      return this.#socket.bytesWritten - this.#socket.writableLength;
    }
    return handle.bytesWritten - (handle.writeQueueSize ?? 0);
  }

  end(): void {
    this.#socket.destroy();
  }
}

/** Knows the address of the client that sends a request. */
interface ClientAddresses {
  addressOf(request: IncomingMessage): string;
  /** Reports that an answer to the client of an address got no memory. */
  reportNoMemory(address: string): void;
}

/** The memory of the calls of an HTTP request: usually one, and several for a batch. */
export class ResponseMemory extends CallMemory {
  readonly #response: ServerResponse;
  readonly #clients: ClientAddresses;
  /** The calls of a batch after the first. */
  #others: ResponseMemory[] | undefined;
  #isTaken = false;

  constructor(response: ServerResponse, clients: ClientAddresses) {
    super(answerMemory);
    this.#response = response;
    this.#clients = clients;
  }

  /** The memory of the next call of the request. */
  nextCall(): CallMemory {
    if (!this.#isTaken) {
      this.#isTaken = true;
      return this;
    }
    const other = new ResponseMemory(this.#response, this.#clients);
    (this.#others ??= []).push(other);
    return other;
  }

  override written(): void {
    const { socket } = this.#response.req;
    if (socket.writableLength >= minCountedBytes) super.written();
  }

  override shrink(written: number): number {
    const rest = super.shrink(written);
    return this.#others?.reduce((left, other) => other.shrink(left), rest) ?? rest;
  }

  protected connection(): AnswerConnection {
    const { req } = this.#response;
    return connectionOf(req.socket, this.#clients.addressOf(req), this.#clients.reportNoMemory);
  }

  protected whenOver(callback: () => void): void {
    if (this.#response.closed) callback();
    else this.#response.once("close", callback);
  }
}
