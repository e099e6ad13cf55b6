import type { Awaitable } from "../engine/awaitable.js";
import { ToolError } from "../engine/errors.js";
import { answerMemoryBytes } from "../engine/limits.js";
import {
  Accounts,
  hasRead,
  wasSeenReading,
  minCountedBytes,
  type Account,
  type AnswerConnection,
} from "./accounts.js";
import { Reservation, type Keeper } from "./reservation.js";
import { Share } from "./share.js";
import { busy, WaitingAnswers, type Need } from "./waiting-answers.js";

/** Longest time for which a client may read nothing of an answer, in milliseconds. */
const maxStallMs = 30_000;

/**
 * A client that has read nothing for this time makes room for an answer that waits, in milliseconds. The shorter time
 * is for clients that were never seen to read, at an address at which another one did not read either.
 */
const yieldingMs = { usual: 1_000, stalled: 300 };

/** Time between two checks of whether clients read, in milliseconds; the shorter one while answers wait. */
const checkingMs = { usual: 1_000, waiting: 50 };

/**
 * The memory for answers, which all clients of the process share. It is reserved before an answer is made, and
 * counted until the client has read it. When there is none, answers wait, and clients that do not read lose their
 * connections. So no address can take it all, and at one address those who read come before those who do not.
 */
export class MemoryBudget {
  readonly #all = new Share(answerMemoryBytes.ofAll);
  readonly #accounts = new Accounts(this.#all);
  readonly #waiting = new WaitingAnswers();
  readonly #now: () => number;
  readonly #limitHeap: (hasLongAnswers: boolean) => void;
  readonly #keeper: Keeper = {
    all: this.#all,
    admit: (need, grant) =>
      need.reservation.isAdmitted ? this.#admitMore(need, grant) : this.#admitFirst(need, grant),
    freed: () => this.#grantNextSoon(),
    released: (reservation) => this.#released(reservation),
  };
  /** Whether an answer was admitted some turns of the event loop ago. Between two of them, short calls get their turns. */
  #hasAdmitted = false;
  /** Whether the next answer that waits is tried in the next turn of the event loop. */
  #isGrantDue = false;
  /** The number of connections that were closed and whose memory is not free yet. */
  #closings = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerMs = 0;

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
    return this.#all.held;
  }

  /** A reservation for an answer, which has no memory yet. @throws ToolError if the connection has closed */
  reservation(connection: AnswerConnection): Reservation {
    if (connection.isClosed) throw new ToolError("The connection has closed");
    const reservation = new Reservation(this.#open(connection), this.#keeper);
    this.#watch();
    return reservation;
  }

  /**
   * Counts what a connection's client has not read. Must be called after each write to it.
   * @param grown called with the number of bytes by which that has grown, which are not reserved any more
   */
  written(connection: AnswerConnection, grown?: (bytes: number) => void): void {
    if (connection.unread() < minCountedBytes) return;
    const account = this.#open(connection);
    const now = this.#now();
    const grownBytes = this.#accounts.countWritten(account, now);
    if (grownBytes > 0) grown?.(grownBytes);
    const { holder } = account;
    if (holder.held <= holder.limit && this.#all.held <= this.#all.limit) return;
    this.#accounts.update(now, this.#timerMs);
    this.#accounts.makeRoom(holder, (stalled) => this.#end(stalled));
  }

  /** Counts anew what a client has not read. To be called when it has read all that was written. */
  drained(connection: AnswerConnection): void {
    const account = this.#accounts.of(connection);
    if (account === undefined) return;
    this.#accounts.count(account);
    this.#grantNextSoon();
  }

  /** Frees what a connection held. To be called when it has closed. */
  closed(connection: AnswerConnection): void {
    const account = this.#accounts.of(connection);
    if (account === undefined) return;
    this.#accounts.close(account);
    this.#grantNextSoon();
  }

  /** Refuses answers that have waited too long, and closes connections that have stalled for too long. */
  check(): void {
    const now = this.#now();
    this.#accounts.update(now, this.#timerMs);
    for (const { connection, readAt } of this.#accounts.unread()) {
      if (now - readAt > maxStallMs) this.#end(connection);
    }
    this.#waiting.refuseLate(now);
    this.#grantNext();
    this.#watch();
  }

  #open(connection: AnswerConnection): Account {
    const account = this.#accounts.open(connection, this.#now());
    this.#watch();
    return account;
  }

  /** Grants an answer its first memory when it is its turn. */
  #admitFirst(need: Need, grant: () => void): Awaitable<void> {
    const { account } = need;
    const admit = (): void => {
      grant();
      if (!hasRead(account)) account.holder.firstGrants++;
      this.#hasAdmitted = true;
      void someTurns().then(() => {
        this.#hasAdmitted = false;
        this.#grantNext();
      });
    };
    const isFree = !this.#hasAdmitted && this.#waiting.size + this.#closings === 0;
    if (isFree && this.#hasRoom(need)) return admit();
    if (!this.#waiting.mayWait(need)) {
      account.connection.refused?.();
      throw busy(need.isMade);
    }
    return this.#wait(need, admit);
  }

  /** Grants more memory to an answer that has some. It does not wait for those that have none yet. */
  #admitMore(need: Need, grant: () => void): Awaitable<void> {
    if (this.#closings === 0 && this.#hasRoom(need)) return grant();
    return this.#wait(need, () => {
      grant();
      this.#grantNextSoon();
    });
  }

  #wait(need: Need, grant: () => void): Promise<void> {
    const waiting = this.#waiting.add(need, this.#now(), grant);
    this.#watch();
    this.#grantNextSoon();
    return waiting;
  }

  #released(reservation: Reservation): void {
    this.#waiting.withdraw(reservation);
    this.#accounts.closeIfUnused(reservation.account);
  }

  #hasRoom({ account: { holder }, reservation, bytes }: Need): boolean {
    return holder.hasRoom(reservation, bytes) && this.#all.hasRoom(reservation, bytes);
  }

  #grantNextSoon(): void {
    if (this.#waiting.size === 0 || this.#isGrantDue) return;
    this.#isGrantDue = true;
    setImmediate(() => {
      this.#isGrantDue = false;
      this.#grantNext();
    });
  }

  /** Grants memory to the next answer that waits, if there is some or clients that do not read can make room. */
  #grantNext(): void {
    if (this.#hasAdmitted || this.#closings > 0 || this.#waiting.size === 0) return;
    const now = this.#now();
    this.#accounts.update(now, this.#timerMs);
    const next = this.#waiting.firstOfEach();
    const granted = next.find((waiter) => this.#hasRoom(waiter));
    if (granted !== undefined) granted.grant();
    // What the closed connections held is granted when they are gone.
    else next.some((waiter) => this.#yieldTo(waiter, now));
  }

  /** Closes connections whose clients do not read, until an answer fits. @returns whether it does */
  #yieldTo(need: Need, now: number): boolean {
    const { account, reservation, bytes } = need;
    const isStalled = (found: Account): boolean =>
      now - found.readAt >=
      (found.holder.hasStalled && !wasSeenReading(found) ? yieldingMs.stalled : yieldingMs.usual);
    while (!this.#hasRoom(need)) {
      const isOfHolder = !account.holder.hasRoom(reservation, bytes);
      const stalled = this.#accounts
        .unread(isOfHolder ? account.holder : undefined)
        .find(isStalled);
      if (stalled === undefined) return false;
      this.#end(stalled.connection);
    }
    return true;
  }

  #end(connection: AnswerConnection): void {
    const account = this.#accounts.of(connection);
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
    this.#accounts.leaveOutBusyTime(this.#now(), this.#timerMs);
    this.#timerMs = milliseconds;
    this.#timer =
      milliseconds === 0 ? undefined : setInterval(() => this.check(), milliseconds).unref();
  }
}

/** Resolves when connections that were closed before are gone and their memory is free, some turns of the event loop later. */
export async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
