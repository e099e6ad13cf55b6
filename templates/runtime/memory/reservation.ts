import type { Awaitable } from "../engine/awaitable.js";
import { ToolError } from "../engine/errors.js";
import type { Account } from "./accounts.js";
import type { Reserved, Share } from "./share.js";
import type { Need } from "./waiting-answers.js";

/** The functions of a budget that its reservations call. */
export interface Keeper {
  /** The share of all addresses together. */
  readonly all: Share;
  /**
   * Calls `grant` when there is room for what a reservation needs.
   * @throws ToolError if there is none in time
   */
  admit(need: Need, grant: () => void): Awaitable<void>;
  /** Called when a reservation has given something back. */
  freed(): void;
  /** Called when a reservation has given back all that it had, and needs nothing any more. */
  released(reservation: Reservation): void;
}

/** Memory that is reserved for an answer. It must be released. */
export class Reservation implements Reserved {
  readonly account: Account;
  readonly #keeper: Keeper;
  readonly #shares: readonly Share[];
  #bytes = 0;
  #mostBytes: number | undefined;
  #isAdmitted = false;
  #isReleased = false;
  /** Settles when memory that it waits for is granted or refused; undefined if it waits for none. */
  #waiting: Promise<void> | undefined;

  constructor(account: Account, keeper: Keeper) {
    this.account = account;
    this.#keeper = keeper;
    this.#shares = [account.holder, keeper.all];
    account.reservations.add(this);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get mostBytes(): number | undefined {
    return this.#mostBytes;
  }

  get isAdmitted(): boolean {
    return this.#isAdmitted;
  }

  /**
   * Reserves so many bytes. One that has memory already gets more for its result without waiting.
   * @param isMade Whether the result is in memory already.
   * @throws ToolError if they do not become free in time
   */
  hold(bytes: number, isMade = false): Awaitable<void> {
    return this.#inTurn(() =>
      this.#isAdmitted ? this.resize(Math.max(this.#bytes, bytes)) : this.#admit(bytes, isMade),
    );
  }

  /**
   * Reserves so many bytes for a text that arrives, and may reserve more until {@link arrived} is called.
   * @param mostBytes The number of bytes up to which it may grow.
   * @throws ToolError if they do not become free in time
   */
  grow(bytes: number, mostBytes: number): Awaitable<void> {
    return this.#inTurn(() => {
      if (bytes <= this.#bytes) return undefined;
      this.#mostBytes = mostBytes;
      if (this.#isAdmitted) for (const { growing } of this.#shares) growing.add(this);
      return this.#admit(bytes, false);
    });
  }

  /** Must be called when a text has arrived for which this has grown. */
  arrived(): void {
    this.#mostBytes = undefined;
    for (const { growing } of this.#shares) growing.delete(this);
    this.#keeper.freed();
  }

  /** Changes the number of bytes. More are granted without waiting. */
  resize(bytes: number): void {
    if (this.#isReleased) return;
    const more = bytes - this.#bytes;
    for (const share of this.#shares) share.held += more;
    this.#bytes = bytes;
    if (more < 0) this.#keeper.freed();
  }

  /** Gives everything back. What it waits for is refused. */
  release(): void {
    if (this.#isReleased) return;
    this.arrived();
    this.resize(0);
    this.#isReleased = true;
    this.account.reservations.delete(this);
    this.#keeper.released(this);
  }

  #inTurn(next: () => Awaitable<void>): Awaitable<void> {
    return this.#waiting === undefined ? next() : this.#waiting.then(next, next);
  }

  #admit(bytes: number, isMade: boolean): Awaitable<void> {
    if (this.#isReleased) throw new ToolError("The call was cancelled");
    const grant = (): void => {
      this.resize(bytes);
      this.#isAdmitted = true;
      if (this.#mostBytes !== undefined) for (const { growing } of this.#shares) growing.add(this);
    };
    const need = { account: this.account, reservation: this, bytes: bytes - this.#bytes, isMade };
    const admitted = this.#keeper.admit(need, grant);
    if (!(admitted instanceof Promise)) return undefined;
    this.#waiting = admitted.finally(() => (this.#waiting = undefined));
    return this.#waiting;
  }
}
