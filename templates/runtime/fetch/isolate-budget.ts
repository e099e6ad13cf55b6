import { ToolError } from "../engine/errors.js";
import { answerMemoryBytes } from "../engine/limits.js";
import type { Awaitable } from "../engine/awaitable.js";
import { minCountedBytes, type AnswerConnection, type Reservation } from "../memory/accounts.js";
import type { AnswerBudget } from "../memory/call-memory.js";
import { busy, maxMadeBytes, maxWaiting, maxWaitMs } from "../memory/waiting-answers.js";

const { ofAll, ofAddress } = answerMemoryBytes;

/** Time between two looks of an answer that waits, in milliseconds. */
const checkingMs = 50;

/** A waiting answer that has not looked for this time is gone: its runtime has ended its request. */
const goneMs = 2_000;

/** A client that has read nothing for this time makes room for an answer that waits, in milliseconds. */
const yieldingMs = 1_000;

/** What an answer reserved so long ago is given back: its request has ended without a word, in milliseconds. */
const forgottenMs = 15 * 60_000;

interface Account {
  reserved: number;
  unread: number;
  taken: number;
  /** When its client last read something, or it was opened. */
  readAt: number;
}

interface Waiter {
  readonly holder: string;
  readonly bytes: number;
  /** Whether it is in memory already. */
  readonly isMade: boolean;
  seenAt: number;
}

/**
 * The memory for answers where a timer ends with the request that set it, as in workers. So nothing is done for other requests
 * later: an answer that waits looks itself, and what others have left is found then. The bounds are those of `MemoryBudget`.
 */
export class IsolateBudget implements AnswerBudget {
  readonly #accounts = new Map<AnswerConnection, Account>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiter>();
  readonly #now: () => number;

  /** @param now the time of a monotonic clock, in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The number of bytes that are reserved or unread. */
  get held(): number {
    return this.#sum(() => true);
  }

  reserve(bytes: number, connection: AnswerConnection, isMade = false): Awaitable<Reservation> {
    if (connection.isClosed) throw new ToolError(closed);
    if (this.#waiting.size === 0 && this.#fits(connection.holder, bytes)) {
      return this.#grant(connection, bytes);
    }
    return this.#wait(connection, {
      holder: connection.holder,
      bytes,
      isMade,
      seenAt: this.#now(),
    });
  }

  written(connection: AnswerConnection, grown?: (bytes: number) => void): void {
    if (connection.unread() < minCountedBytes) return;
    const account = this.#accountOf(connection);
    const before = account.unread;
    account.unread = connection.unread();
    if (account.unread > before) grown?.(account.unread - before);
    const { holder } = connection;
    while (this.#heldBy(holder) > ofAddress && this.#endLongestUnread(holder));
    while (this.held > ofAll && this.#endLongestUnread());
  }

  /** Counts anew what a client has not read. */
  drained(connection: AnswerConnection): void {
    const account = this.#accounts.get(connection);
    if (account === undefined) return;
    this.#count(connection, account);
    if (account.reserved + account.unread === 0) this.#accounts.delete(connection);
  }

  /** Frees what a connection held. */
  closed(connection: AnswerConnection): void {
    this.#accounts.delete(connection);
  }

  async #wait(connection: AnswerConnection, waiter: Waiter): Promise<Reservation> {
    const since = waiter.seenAt;
    if (this.#mayWait(waiter)) this.#waiting.add(waiter);
    try {
      while (this.#waiting.has(waiter) && this.#now() - since < maxWaitMs) {
        await new Promise((resolve) => setTimeout(resolve, checkingMs));
        if (connection.isClosed) throw new ToolError(closed);
        waiter.seenAt = this.#now();
        this.#forget();
        if (this.#isNext(waiter)) return this.#grant(connection, waiter.bytes);
      }
    } finally {
      this.#waiting.delete(waiter);
    }
    connection.refused?.();
    throw busy(waiter.isMade);
  }

  #mayWait({ bytes, isMade }: Waiter): boolean {
    if (this.#waiting.size >= maxWaiting) return false;
    const made = [...this.#waiting].filter((waiter) => waiter.isMade);
    return !isMade || made.reduce((sum, waiter) => sum + waiter.bytes, bytes) <= maxMadeBytes;
  }

  /** Whether an answer is the first of those for which there is memory. */
  #isNext(waiter: Waiter): boolean {
    this.#makeRoomFor(waiter);
    for (const other of this.#waiting) {
      if (this.#fits(other.holder, other.bytes)) return other === waiter;
    }
    return false;
  }

  /** Breaks off answers that their clients have stopped to read. */
  #makeRoomFor({ holder, bytes }: Waiter): void {
    const limit = this.#now() - yieldingMs;
    while (!this.#fits(holder, bytes)) {
      const isOverShare = this.#heldBy(holder) + bytes > ofAddress;
      if (!this.#endLongestUnread(isOverShare ? holder : undefined, limit)) return;
    }
  }

  /** Forgets answers and clients that are gone without a word. */
  #forget(): void {
    const now = this.#now();
    for (const other of this.#waiting) {
      if (now - other.seenAt > goneMs) this.#waiting.delete(other);
    }
    for (const [connection, account] of this.#accounts) {
      this.#count(connection, account);
      if (now - account.readAt > forgottenMs) this.#accounts.delete(connection);
    }
  }

  #count(connection: AnswerConnection, account: Account): void {
    account.unread = connection.unread();
    const taken = connection.taken();
    if (taken > account.taken) account.readAt = this.#now();
    account.taken = taken;
  }

  /** @param holder whose answers count; by default all @param readBefore only those that were not read since @returns whether there was one */
  #endLongestUnread(holder?: string, readBefore = Infinity): boolean {
    let longest: [AnswerConnection, Account] | undefined;
    let others = 0;
    for (const entry of this.#accounts) {
      const [connection, account] = entry;
      this.#count(connection, account);
      if (account.unread === 0 || (holder !== undefined && connection.holder !== holder)) continue;
      others++;
      if (account.readAt <= readBefore && account.readAt < (longest?.[1].readAt ?? Infinity)) {
        longest = entry;
      }
    }
    // A single answer may have any length.
    if (longest === undefined || (others < 2 && readBefore === Infinity)) return false;
    longest[0].end();
    this.#accounts.delete(longest[0]);
    return true;
  }

  /** An answer that is too long for its share gets memory when its client holds nothing else. */
  #fits(holder: string, bytes: number): boolean {
    const own = this.#heldBy(holder);
    if (own > 0 && own + bytes > ofAddress) return false;
    const { held } = this;
    return held === 0 || held + bytes <= ofAll;
  }

  #heldBy(holder: string): number {
    return this.#sum((connection) => connection.holder === holder);
  }

  #sum(isCounted: (connection: AnswerConnection) => boolean): number {
    let bytes = 0;
    for (const [connection, { reserved, unread }] of this.#accounts) {
      if (isCounted(connection)) bytes += reserved + unread;
    }
    return bytes;
  }

  #accountOf(connection: AnswerConnection): Account {
    const account = this.#accounts.get(connection) ?? {
      ...{ reserved: 0, unread: 0 },
      ...{ taken: connection.taken(), readAt: this.#now() },
    };
    this.#accounts.set(connection, account);
    return account;
  }

  #grant(connection: AnswerConnection, granted: number): Reservation {
    const account = this.#accountOf(connection);
    let bytes = 0;
    const resize = (wanted: number): void => {
      account.reserved += wanted - bytes;
      bytes = wanted;
    };
    resize(granted);
    return {
      get bytes() {
        return bytes;
      },
      resize,
      release: () => {
        resize(0);
        if (account.reserved + account.unread === 0) this.#accounts.delete(connection);
      },
    };
  }
}

const closed = "The connection has closed";
