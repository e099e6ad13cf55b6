import { ToolError } from "../engine/errors.js";
import { answerMemoryInWords } from "../engine/limits.js";
import { hasRead, type Account, type Holder, type Reservation, type Waiter } from "./accounts.js";

/** Longest time for which an answer waits for memory, in milliseconds. */
export const maxWaitMs = 40_000;

/** Most answers that wait for memory. */
export const maxWaiting = 512;

/** Most bytes of results that are in memory already and wait until they can be written. */
export const maxMadeBytes = 64 * 1024 * 1024;

/** An answer that begins to wait. */
interface NewAnswer {
  readonly account: Account;
  readonly bytes: number;
  /** Whether it is in memory already. */
  readonly isMade: boolean;
  /** The time, of a monotonic clock, in milliseconds. */
  readonly since: number;
  /** Reserves its memory when its turn has come. */
  grant(): Reservation;
  /** Called when it has got no memory and waits no more. */
  refused(): void;
}

/** The answers of all holders that wait for memory. */
export class WaitingAnswers {
  #size = 0;
  /** The number of bytes of those answers that are in memory already. */
  #madeBytes = 0;

  /** The number of answers. */
  get size(): number {
    return this.#size;
  }

  /** Whether another answer that is in memory already may wait. */
  hasRoomFor(bytes: number): boolean {
    return this.#madeBytes + bytes <= maxMadeBytes;
  }

  /**
   * Lets an answer wait until it is granted memory.
   * @throws ToolError if it is refused
   */
  add({ account, bytes, isMade, since, grant, refused }: NewAnswer): Promise<Reservation> {
    return new Promise((resolve, reject) => {
      const { waiting } = account.holder;
      const count = (change: 1 | -1): void => {
        account.uses += change;
        this.#size += change;
        if (isMade) this.#madeBytes += change * bytes;
      };
      const leave = (): void => {
        waiting.delete(waiter);
        count(-1);
      };
      const waiter: Waiter = {
        ...{ account, bytes, since },
        grant: () => {
          leave();
          resolve(grant());
        },
        refuse: () => {
          leave();
          refused();
          reject(busy(isMade));
        },
      };
      waiting.add(waiter);
      count(1);
    });
  }

  /** The first answer of each holder that has some; the holder with the least memory comes first. */
  firstOfEach(holders: Iterable<Holder>): readonly Waiter[] {
    return [...holders]
      .filter(({ waiting }) => waiting.size > 0)
      .sort((one, other) => one.held - other.held)
      .map((holder) => firstOf(holder));
  }

  /** If too many answers wait, refuses the one that has waited longest, of the holder with most of them. */
  refuseOneTooMany(holders: Iterable<Holder>): void {
    if (this.#size <= maxWaiting) return;
    const [most] = [...holders].sort((one, other) => other.waiting.size - one.waiting.size);
    const [longest] = most?.waiting ?? [];
    longest?.refuse();
  }

  /** Refuses answers that have waited too long. */
  refuseLate(holders: Iterable<Holder>, now: number): void {
    for (const { waiting } of holders) {
      for (const waiter of waiting) if (now - waiter.since > maxWaitMs) waiter.refuse();
    }
  }

  /** Refuses the answers to a connection. */
  refuseAll(account: Account): void {
    for (const waiter of account.holder.waiting) if (waiter.account === account) waiter.refuse();
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
 * The first of a holder's answers that wait: the one for the connection whose client has read most so far. Of several,
 * it is the earliest; or in turn the earliest and the latest if others of the holder did not read, so that neither their
 * earlier nor their later requests keep a client from its answer.
 */
function firstOf({ waiting, hasStalled, firstGrants }: Holder): Waiter {
  const read = ({ account }: Waiter): number => {
    if (account.unread > 0) return -1;
    return hasRead(account) ? account.taken : 0;
  };
  const most = Math.max(...[...waiting].map(read));
  const first = [...waiting].filter((waiter) => read(waiter) === most);
  return first.at(hasStalled && firstGrants % 2 === 1 ? -1 : 0) as Waiter;
}
