import { ToolError } from "../engine/errors.js";
import { answerMemoryBytes } from "../engine/limits.js";
import type { Awaitable } from "../engine/awaitable.js";
import {
  Accounts,
  minCountedBytes,
  type Account,
  type AnswerConnection,
} from "../memory/accounts.js";
import type { AnswerBudget } from "../memory/call-memory.js";
import { Reservation, type Keeper } from "../memory/reservation.js";
import { Share } from "../memory/share.js";
import { busy, maxMadeBytes, maxWaiting, maxWaitMs, type Need } from "../memory/waiting-answers.js";

/** Time between two looks of an answer that waits, in milliseconds. */
const checkingMs = 50;

/** A waiting answer that has not looked for this time is gone: its runtime has ended its request. */
const goneMs = 2_000;

/** A client that has read nothing for this time makes room for an answer that waits, in milliseconds. */
const yieldingMs = 1_000;

/** What an answer reserved so long ago is given back: its request has ended without a word, in milliseconds. */
const forgottenMs = 15 * 60_000;

interface Waiter extends Need {
  /** When it looked last. */
  seenAt: number;
}

/**
 * The memory for answers where a timer ends with the request that set it, as in workers. So nothing is done for other requests
 * later: an answer that waits looks itself, and what others have left is found then. The bounds are those of `MemoryBudget`.
 */
export class IsolateBudget implements AnswerBudget {
  readonly #all = new Share(answerMemoryBytes.ofAll);
  readonly #accounts = new Accounts(this.#all);
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiter>();
  readonly #now: () => number;
  readonly #keeper: Keeper = {
    all: this.#all,
    admit: (need, grant) => this.#admit(need, grant),
    freed: () => undefined,
    released: (reservation) => {
      for (const waiter of this.#waiting) {
        if (waiter.reservation === reservation) this.#waiting.delete(waiter);
      }
      this.#accounts.closeIfUnused(reservation.account);
    },
  };

  /** @param now the time of a monotonic clock, in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The number of bytes that are reserved or unread. */
  get held(): number {
    return this.#all.held;
  }

  reservation(connection: AnswerConnection): Reservation {
    if (connection.isClosed) throw new ToolError(closed);
    return new Reservation(this.#accounts.open(connection, this.#now()), this.#keeper);
  }

  written(connection: AnswerConnection, grown?: (bytes: number) => void): void {
    if (connection.unread() < minCountedBytes) return;
    const now = this.#now();
    const account = this.#accounts.open(connection, now);
    const grownBytes = this.#accounts.countWritten(account, now);
    if (grownBytes > 0) grown?.(grownBytes);
    const { holder } = account;
    if (holder.held <= holder.limit && this.#all.held <= this.#all.limit) return;
    this.#accounts.look(now);
    this.#accounts.makeRoom(holder, (stalled) => this.#end(stalled));
  }

  /** Counts anew what a client has not read. */
  drained(connection: AnswerConnection): void {
    const account = this.#accounts.of(connection);
    if (account !== undefined) this.#accounts.count(account);
  }

  /** Frees what a connection held. */
  closed(connection: AnswerConnection): void {
    const account = this.#accounts.of(connection);
    if (account !== undefined) this.#accounts.close(account);
  }

  /** An answer that has memory already does not wait for those that have none. */
  #admit(need: Need, grant: () => void): Awaitable<void> {
    const isFirst = this.#waiting.size === 0 || need.reservation.isAdmitted;
    if (isFirst && this.#hasRoom(need)) return grant();
    return this.#wait({ ...need, seenAt: this.#now() }, grant);
  }

  async #wait(waiter: Waiter, grant: () => void): Promise<void> {
    const { connection } = waiter.account;
    const since = waiter.seenAt;
    if (this.#mayWait(waiter)) this.#waiting.add(waiter);
    try {
      while (this.#waiting.has(waiter) && this.#now() - since < maxWaitMs) {
        await new Promise((resolve) => setTimeout(resolve, checkingMs));
        if (connection.isClosed) throw new ToolError(closed);
        waiter.seenAt = this.#now();
        this.#forget();
        if (this.#isNext(waiter)) return grant();
      }
    } finally {
      this.#waiting.delete(waiter);
    }
    connection.refused?.();
    throw busy(waiter.isMade);
  }

  #mayWait({ bytes, isMade }: Need): boolean {
    if (this.#waiting.size >= maxWaiting) return false;
    const finished = [...this.#waiting].filter((waiter) => waiter.isMade);
    return !isMade || finished.reduce((sum, waiter) => sum + waiter.bytes, bytes) <= maxMadeBytes;
  }

  /** Whether an answer is the first of those for which there is memory. Those that have some already come first. */
  #isNext(waiter: Waiter): boolean {
    this.#makeRoomFor(waiter);
    const all = [...this.#waiting];
    const isAdmitted = ({ reservation }: Waiter): boolean => reservation.isAdmitted;
    const inOrder = [...all.filter(isAdmitted), ...all.filter((one) => !isAdmitted(one))];
    return inOrder.find((one) => this.#hasRoom(one)) === waiter;
  }

  /** Breaks off answers that their clients have stopped to read. */
  #makeRoomFor(need: Need): void {
    const { account, reservation, bytes } = need;
    const isStalled = ({ readAt }: Account): boolean => this.#now() - readAt >= yieldingMs;
    while (!this.#hasRoom(need)) {
      const isOfHolder = !account.holder.hasRoom(reservation, bytes);
      const [longest] = this.#accounts.unread(isOfHolder ? account.holder : undefined);
      if (longest === undefined || !isStalled(longest)) return;
      this.#end(longest.connection);
    }
  }

  /** Forgets answers and clients that are gone without a word. */
  #forget(): void {
    const now = this.#now();
    for (const other of this.#waiting) {
      if (now - other.seenAt > goneMs) this.#waiting.delete(other);
    }
    this.#accounts.look(now);
    for (const account of this.#accounts.values()) {
      if (now - account.readAt > forgottenMs) this.#accounts.close(account);
    }
  }

  #hasRoom({ account: { holder }, reservation, bytes }: Need): boolean {
    return holder.hasRoom(reservation, bytes) && this.#all.hasRoom(reservation, bytes);
  }

  #end(connection: AnswerConnection): void {
    connection.end();
    this.closed(connection);
  }
}

const closed = "The connection has closed";
