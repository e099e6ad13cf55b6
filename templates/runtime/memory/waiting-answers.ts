import { ToolError } from "../engine/errors.js";
import { answerMemoryInWords } from "../engine/limits.js";
import { hasRead, type Account, type Holder } from "./accounts.js";
import type { Reserved } from "./share.js";

/** Longest time for which an answer waits for memory, in milliseconds. */
export const maxWaitMs = 40_000;

/** Most answers that wait for memory. */
export const maxWaiting = 512;

/** Most bytes of results that are in memory already and wait until they can be written. */
export const maxMadeBytes = 64 * 1024 * 1024;

/** The memory that an answer asks for. */
export interface Need {
  readonly account: Account;
  readonly reservation: Reserved;
  /** The number of bytes that the reservation gets, in addition to those that it has. */
  readonly bytes: number;
  /** Whether the answer is in memory already: the result of a handler, whose length was not known before. */
  readonly isMade: boolean;
}

/** An answer that waits for memory. */
interface Waiter extends Need {
  /** The time, of a monotonic clock, in milliseconds. */
  readonly since: number;
  /** Lets it have the memory. */
  grant(): void;
  /** Refuses it the memory. */
  refuse(): void;
  /** Lets it wait no more, since its call is over. */
  withdraw(): void;
}

/** The answers of all holders that wait for memory. */
export class WaitingAnswers {
  /** Of each holder, in the order in which they began to wait. */
  readonly #byHolder = new Map<Holder, Set<Waiter>>();
  #size = 0;
  /** The number of bytes of those answers that are in memory already. */
  #madeBytes = 0;

  /** The number of answers. */
  get size(): number {
    return this.#size;
  }

  /** Whether another answer may wait: there is a bound for those that are in memory already. */
  mayWait({ bytes, isMade }: Need): boolean {
    return !isMade || this.#madeBytes + bytes <= maxMadeBytes;
  }

  /**
   * Lets an answer wait until it is granted memory. If too many wait then, the one of them is refused that has waited
   * longest, of the holder with most of them.
   * @throws ToolError if it is refused
   */
  add(need: Need, since: number, grant: () => void): Promise<void> {
    const waiting = this.#wait(need, since, grant);
    if (this.#size > maxWaiting) {
      const [most] = [...this.#byHolder.values()].sort((one, other) => other.size - one.size);
      const [longest] = most ?? [];
      longest?.refuse();
    }
    return waiting;
  }

  #wait(need: Need, since: number, grant: () => void): Promise<void> {
    const { account, bytes, isMade } = need;
    const { connection, holder } = account;
    const waiting = this.#byHolder.get(holder) ?? new Set();
    this.#byHolder.set(holder, waiting);
    this.#size++;
    if (isMade) this.#madeBytes += bytes;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(waiter);
        if (waiting.size === 0) this.#byHolder.delete(holder);
        this.#size--;
        if (isMade) this.#madeBytes -= bytes;
      };
      const waiter: Waiter = {
        ...need,
        since,
        grant: () => {
          leave();
          grant();
          resolve();
        },
        refuse: () => {
          leave();
          connection.refused?.();
          reject(busy(isMade));
        },
        withdraw: () => {
          leave();
          reject(new ToolError("The call is over"));
        },
      };
      waiting.add(waiter);
    });
  }

  /** The first answer of each holder that has some; the holder with the least memory comes first. */
  firstOfEach(): readonly Waiter[] {
    return [...this.#byHolder]
      .sort(([one], [other]) => one.held - other.held)
      .map(([holder, waiting]) => firstOf(holder, waiting));
  }

  /** Refuses answers that have waited too long. */
  refuseLate(now: number): void {
    for (const waiter of this.#all()) if (now - waiter.since > maxWaitMs) waiter.refuse();
  }

  /** Lets nothing wait for a reservation any more. */
  withdraw(reservation: Reserved): void {
    for (const waiter of this.#all()) if (waiter.reservation === reservation) waiter.withdraw();
  }

  #all(): readonly Waiter[] {
    return [...this.#byHolder.values()].flatMap((waiting) => [...waiting]);
  }
}

/** The error of an answer for which there is no memory. @param isMade whether the call was carried out for it */
export function busy(isMade = false): ToolError {
  const now = "now, since clients have not read theirs";
  return new ToolError(
    isMade
      ? `The call was carried out, but the server has no memory for its long answer ${now}: do not try again unless it may be repeated (${answerMemoryInWords})`
      : `The server has no memory for a long answer ${now}: try again later (${answerMemoryInWords})`,
  );
}

/**
 * The first of a holder's answers that wait. What has memory already and needs more comes first, in the order in which
 * it began to grow. Then comes the answer for the connection whose client has read most so far. Of several, it is the
 * earliest; or in turn the earliest and the latest if others of the holder did not read, so that neither their earlier
 * nor their later requests keep a client from its answer.
 */
function firstOf({ growing, hasStalled, firstGrants }: Holder, waiting: Iterable<Waiter>): Waiter {
  const waiters = [...waiting];
  for (const reservation of growing) {
    const waiter = waiters.find((one) => one.reservation === reservation);
    if (waiter !== undefined) return waiter;
  }
  const read = ({ account }: Waiter): number => {
    if (account.unread > 0) return -1;
    return hasRead(account) ? account.taken : 0;
  };
  const most = Math.max(...waiters.map(read));
  const first = waiters.filter((waiter) => read(waiter) === most);
  return first.at(hasStalled && firstGrants % 2 === 1 ? -1 : 0) as Waiter;
}
