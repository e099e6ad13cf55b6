import { answerMemoryBytes } from "../engine/limits.js";
import { ToolError } from "../engine/errors.js";
import type { Awaitable } from "../engine/awaitable.js";
import {
  hasRead,
  minCountedBytes,
  type Account,
  type AnswerConnection,
  type Holder,
  type Reservation,
  type Waiter,
} from "./accounts.js";
import { busy, WaitingAnswers } from "./waiting-answers.js";

/** Most bytes that all clients of the process together, or those of one address, may have reserved or left unread. */
const { ofAll: maxBytesOfAll, ofAddress } = answerMemoryBytes;
export const maxBytesOfHolder = ofAddress;

/** Longest time for which a client may read nothing of an answer, in milliseconds. */
const maxStallMs = 30_000;

/**
 * A client that has read nothing for this time makes room for an answer that waits, in milliseconds; the shorter time
 * is for an address at which another client did not read.
 */
const yieldingMs = { usual: 1_000, stalled: 300 };

/** Time between two checks of whether clients read, in milliseconds; the shorter one while answers wait. */
const checkingMs = { usual: 1_000, waiting: 50 };

/**
 * A check may come so much too late, in milliseconds. What it comes later than that, this process was busy and took
 * nothing from its own buffers, so it is no time for which a client did not read.
 */
const latenessMs = 100;

/**
 * The memory for answers, which all clients of the process share. It is reserved before an answer is made, and
 * counted until the client has read it. When there is none, answers wait, and clients that do not read lose their
 * connections. So no address can take it all, and at one address those who read come before those who do not.
 */
export class MemoryBudget {
  readonly #accounts = new Map<AnswerConnection, Account>();
  readonly #holders = new Map<string, Holder>();
  readonly #now: () => number;
  readonly #limitHeap: (hasLongAnswers: boolean) => void;
  #held = 0;
  readonly #waiting = new WaitingAnswers();
  /** Whether an answer was granted some turns of the event loop ago. Between two of them, short calls get their turns. */
  #isGranted = false;
  #timer: NodeJS.Timeout | undefined;
  #timerMs = 0;
  /** The time of the latest update of what clients have read. */
  #updatedAt = 0;
  /** The number of connections that were closed and whose memory is not free yet. */
  #closings = 0;

  /**
   * @param now the time of a monotonic clock, in milliseconds
   * @param limitHeap called when there are long answers, and when there are none any more
   */
  constructor(
    now: () => number = () => performance.now(),
    limitHeap: (hasLongAnswers: boolean) => void = () => undefined,
  ) {
    this.#now = now;
    this.#limitHeap = limitHeap;
  }

  /** The number of bytes that are reserved or unread. */
  get held(): number {
    return this.#held;
  }

  /**
   * Reserves memory for an answer.
   * @param isMade whether it is in memory already, as a handler's result of unforeseen length is: few of them may wait
   * @throws ToolError if none becomes free in time, or the connection closes
   */
  reserve(bytes: number, connection: AnswerConnection, isMade = false): Awaitable<Reservation> {
    if (connection.isClosed) throw new ToolError("The connection has closed");
    const account = this.#open(connection);
    const isFree = !this.#isGranted && this.#waiting.size + this.#closings === 0;
    if (isFree && this.#fits(account.holder, bytes)) return this.#grant(account, bytes);
    if (isMade && !this.#waiting.hasRoomFor(bytes)) {
      this.#closeIfUnused(account);
      connection.refused?.();
      throw busy(isMade);
    }
    return this.#wait(account, bytes, isMade);
  }

  #wait(account: Account, bytes: number, isMade: boolean): Promise<Reservation> {
    const { connection } = account;
    const waiting = this.#waiting.add({
      ...{ account, bytes, isMade },
      since: this.#now(),
      grant: () => this.#grant(account, bytes),
      refused: () => {
        if (!connection.isClosed) connection.refused?.();
        this.#closeIfUnused(account);
      },
    });
    this.#waiting.refuseOneTooMany(this.#holders.values());
    this.#watch();
    this.#grantNextSoon();
    return waiting;
  }

  /**
   * Counts what a connection's client has not read. Must be called after each write to it.
   * @param grown called with the number of bytes by which that has grown, which are not reserved any more
   */
  written(connection: AnswerConnection, grown?: (bytes: number) => void): void {
    if (connection.unread() < minCountedBytes) return;
    const isNew = !this.#accounts.has(connection);
    const account = this.#open(connection);
    const before = account.unread;
    if (before === 0) account.readAt = this.#now();
    this.#count(account);
    if (account.unread > before) grown?.(account.unread - before);
    this.#makeRoom(account, isNew);
  }

  /** Counts anew what a client has not read. To be called when it has read all that was written. */
  drained(connection: AnswerConnection): void {
    const account = this.#accounts.get(connection);
    if (account === undefined) return;
    this.#count(account);
    if (this.#waiting.size > 0) this.#grantNextSoon();
  }

  /** Frees what a connection held. To be called when it has closed. */
  closed(connection: AnswerConnection): void {
    const account = this.#accounts.get(connection);
    if (account === undefined) return;
    this.#waiting.refuseAll(account);
    this.#add(account, -account.reserved - account.unread);
    account.isClosed = true;
    this.#forget(account);
    if (this.#waiting.size > 0) this.#grantNextSoon();
  }

  /** Refuses answers that have waited too long, and closes connections that have stalled for too long. */
  check(): void {
    const now = this.#now();
    this.#update(now);
    for (const { connection, readAt, unread } of this.#accounts.values()) {
      if (unread > 0 && now - readAt > maxStallMs) this.#end(connection);
    }
    this.#waiting.refuseLate(this.#holders.values(), now);
    if (this.#waiting.size > 0) this.#grantNext();
    this.#watch();
  }

  #open(connection: AnswerConnection): Account {
    const found = this.#accounts.get(connection);
    if (found !== undefined) return found;
    const { holder: name } = connection;
    const holder = this.#holders.get(name) ?? {
      ...{
        name,
        accounts: 0,
        held: 0,
        firstGrants: 0,
        waiting: new Set<Waiter>(),
        hasStalled: false,
      },
    };
    this.#holders.set(name, holder);
    holder.accounts++;
    const account: Account = {
      ...{ connection, holder, reserved: 0, uses: 0, unread: 0, isClosed: false },
      taken: connection.taken(),
      readAt: this.#now(),
    };
    this.#accounts.set(connection, account);
    this.#watch();
    return account;
  }

  #closeIfUnused(account: Account): void {
    if (account.uses === 0 && account.unread === 0) this.#forget(account);
  }

  #forget({ connection, holder }: Account): void {
    if (this.#accounts.delete(connection)) holder.accounts--;
    if (holder.accounts === 0) this.#holders.delete(holder.name);
  }

  #add({ holder }: Account, bytes: number): void {
    holder.held += bytes;
    this.#held += bytes;
  }

  #count(account: Account): void {
    const unread = account.connection.unread();
    this.#add(account, unread - account.unread);
    account.unread = unread;
    this.#closeIfUnused(account);
  }

  /** Moves the times when clients last read something by the time for which this process was busy since the last update. */
  #leaveOutBusyTime(now: number): void {
    const busyMs = now - this.#updatedAt - this.#timerMs - latenessMs;
    this.#updatedAt = now;
    if (busyMs <= 0) return;
    for (const account of this.#accounts.values()) {
      account.readAt = Math.min(now, account.readAt + busyMs);
    }
  }

  #update(now: number): void {
    this.#leaveOutBusyTime(now);
    for (const account of this.#accounts.values()) {
      const taken = account.connection.taken();
      if (taken > account.taken) account.readAt = now;
      account.taken = taken;
      this.#count(account);
    }
  }

  #fits(holder: Holder, bytes: number): boolean {
    const isInShare = holder.held === 0 || holder.held + bytes <= maxBytesOfHolder;
    return isInShare && (this.#held === 0 || this.#held + bytes <= maxBytesOfAll);
  }

  #grant(account: Account, granted: number): Reservation {
    let bytes = 0;
    const resize = (wanted: number): void => {
      // What a closed connection held was given back already.
      if (account.isClosed) return;
      account.reserved += wanted - bytes;
      this.#add(account, wanted - bytes);
      bytes = wanted;
    };
    const release = (): void => {
      if (account.isClosed) return;
      resize(0);
      account.uses--;
      this.#closeIfUnused(account);
      if (this.#waiting.size > 0) this.#grantNextSoon();
    };
    account.uses++;
    if (!hasRead(account)) account.holder.firstGrants++;
    resize(granted);
    this.#isGranted = true;
    void someTurns().then(() => {
      this.#isGranted = false;
      this.#grantNext();
    });
    return {
      get bytes() {
        return bytes;
      },
      resize,
      release,
    };
  }

  #grantNextSoon(): void {
    setImmediate(() => this.#grantNext());
  }

  /** Grants memory to the next answer that waits, if there is some or clients that do not read can make room. */
  #grantNext(): void {
    if (this.#isGranted || this.#closings > 0 || this.#waiting.size === 0) return;
    const now = this.#now();
    this.#update(now);
    const next = this.#waiting.firstOfEach(this.#holders.values());
    const granted = next.find(({ account: { holder }, bytes }) => this.#fits(holder, bytes));
    if (granted !== undefined) granted.grant();
    // What the closed connections held is granted when they are gone.
    else next.some((waiter) => this.#yieldTo(waiter, now));
  }

  /** Closes connections whose clients do not read, until an answer fits. @returns whether it does */
  #yieldTo({ account: { holder }, bytes }: Waiter, now: number): boolean {
    const isStalled = ({ readAt, holder: { hasStalled } }: Account): boolean =>
      now - readAt >= (hasStalled ? yieldingMs.stalled : yieldingMs.usual);
    while (!this.#fits(holder, bytes)) {
      const isOverShare = holder.held > 0 && holder.held + bytes > maxBytesOfHolder;
      const longest = this.#longestStalled(isOverShare ? holder : undefined);
      if (longest === undefined || !isStalled(longest)) return false;
      this.#end(longest.connection);
    }
    return true;
  }

  /** The connection that has stalled longest, of one holder or of all. */
  #longestStalled(holder?: Holder): Account | undefined {
    let longest: Account | undefined;
    for (const account of this.#accounts.values()) {
      if (account.unread === 0 || (holder !== undefined && account.holder !== holder)) continue;
      if (longest === undefined || account.readAt < longest.readAt) longest = account;
    }
    return longest;
  }

  /** @param latest The connection that was written to last. @param isNew Whether it had nothing unread before. */
  #makeRoom(latest: Account, isNew: boolean): void {
    const { holder } = latest;
    const isOverShare = (): boolean => holder.held > maxBytesOfHolder;
    if (this.#held <= maxBytesOfAll && !isOverShare()) return;
    this.#update(this.#now());
    if (isNew) latest.readAt = this.#now();
    while (isOverShare() && this.#endLongestStalled(holder));
    while (this.#held > maxBytesOfAll && this.#endLongestStalled());
  }

  /** Closes a connection, unless there is only one: a single answer may have any length. @returns whether it did */
  #endLongestStalled(holder?: Holder): boolean {
    const longest = this.#longestStalled(holder);
    const others = [...this.#accounts.values()].filter(
      (account) => account.unread > 0 && (holder === undefined || account.holder === holder),
    );
    if (longest === undefined || others.length < 2) return false;
    this.#end(longest.connection);
    return true;
  }

  #end(connection: AnswerConnection): void {
    const account = this.#accounts.get(connection);
    if (account !== undefined) account.holder.hasStalled = true;
    connection.end();
    this.closed(connection);
    this.#closings++;
    void someTurns().then(() => {
      this.#closings--;
      this.#grantNext();
    });
  }

  /** Checks connections from time to time, as long as there are any. */
  #watch(): void {
    const wantedMs = this.#waiting.size > 0 ? checkingMs.waiting : checkingMs.usual;
    const milliseconds = this.#accounts.size === 0 ? 0 : wantedMs;
    if (milliseconds === this.#timerMs) return;
    if (milliseconds === 0 || this.#timerMs === 0) this.#limitHeap(milliseconds > 0);
    clearInterval(this.#timer);
    this.#leaveOutBusyTime(this.#now());
    this.#timerMs = milliseconds;
    this.#timer =
      milliseconds === 0 ? undefined : setInterval(() => this.check(), milliseconds).unref();
  }
}

/** Resolves when connections that were closed before are gone and their memory is free, some turns of the event loop later. */
export async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
