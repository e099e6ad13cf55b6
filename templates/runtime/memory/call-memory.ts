import { resultSize } from "../engine/result-size.js";
import { after, recover, type Awaitable } from "../engine/awaitable.js";
import { listenTo, type StopSignal } from "../engine/cancellation.js";
import { ToolError } from "../engine/errors.js";
import type { AnswerMemory, GrowingMemory } from "../context/answer-memory.js";
import { minCountedBytes, type AnswerConnection } from "./accounts.js";
import type { Reservation } from "./reservation.js";
import type { ResultLengths } from "./result-lengths.js";

/** The part of a budget that calls need. */
export interface AnswerBudget {
  /** A reservation for an answer, which has no memory yet. @throws ToolError if the connection has closed */
  reservation(connection: AnswerConnection): Reservation;
  /** Must be called after each write. @param grown called with the bytes that are unread now and were not before */
  written(connection: AnswerConnection, grown?: (bytes: number) => void): void;
}

/** What all calls of a process share. */
export interface SharedMemory<Budget extends AnswerBudget = AnswerBudget> {
  readonly budget: Budget;
  readonly lengths: ResultLengths;
}

/** The turn of one of the texts that a call reads. */
interface Turn {
  /** Resolves when it begins; undefined if it has begun. */
  readonly begun: Promise<void> | undefined;
  end(): void;
}

/** By how much bytes grow when they are sent as base64; escapes make JSON longer, too. */
const growth = 4 / 3;

/**
 * The memory of one call. For a short answer it reserves nothing. A reservation shrinks by what is written of the
 * answer, which is counted as unread from then on, and ends with the call.
 */
export abstract class CallMemory implements AnswerMemory {
  readonly #shared: SharedMemory;
  #item: object | undefined;
  #reservation: Reservation | undefined;
  /** Resolves when the long text that is being read, and those that wait for it, have been read. */
  #reading: Promise<void> | undefined;
  /** The length of the longest text that was read, in bytes. */
  #longestRead = 0;
  #expected = 0;
  #written = 0;
  /** How many copies of the answer are in memory until it is written. */
  #copies = 1;
  #isOver = false;
  #waitedMs = 0;
  /** Since when the call waits for memory; undefined if it does not. */
  #waitsSince: number | undefined;

  constructor(shared: SharedMemory) {
    this.#shared = shared;
  }

  /** The connection on which the answer goes. */
  protected abstract connection(): AnswerConnection;

  /** Calls back when the call is over: it was answered, or its connection has closed. */
  protected abstract whenOver(callback: () => void): void;

  /** From now on, reserves memory for this many copies of the answer. */
  withCopies(copies: number): this {
    this.#copies = copies;
    return this;
  }

  reserve(bytes: number): Awaitable<(actual: number) => void> {
    const { growTo, finish } = this.growing(bytes);
    return recover(
      () => after(growTo(bytes), () => finish),
      (error) => {
        finish(0);
        throw error;
      },
    );
  }

  growing(mostBytes: number): GrowingMemory {
    let turn: Turn | undefined;
    return {
      growTo: (bytes) => {
        if (bytes < minCountedBytes) return undefined;
        turn ??= this.#takeTurn();
        return after(turn.begun, () => this.#holdText(bytes, mostBytes));
      },
      finish: (actual) => {
        if (turn === undefined) return;
        this.#longestRead = Math.max(this.#longestRead, Math.ceil(actual * growth));
        this.#reservation?.resize(this.#copies * Math.max(this.#longestRead, this.#expected));
        this.#reservation?.arrived();
        turn.end();
      },
    };
  }

  expect(item: object): Awaitable<void> {
    this.#item = item;
    this.#expected = this.#shared.lengths.of(item);
    return this.#expected === 0 ? undefined : this.#hold(this.#expected);
  }

  foresee(bytes: number): Awaitable<void> {
    return this.#holdResult(bytes, false);
  }

  take(result: unknown): Awaitable<void> {
    return this.#holdResult(resultSize(result), true);
  }

  /** Must be called after each write of the answer. */
  written(): void {
    this.#shared.budget.written(this.connection(), (bytes) => this.shrink(bytes));
  }

  /** Gives back what was written, as far as it was reserved. @returns the rest */
  shrink(written: number): number {
    this.#written += written;
    if (this.#item !== undefined && written > 0) {
      this.#shared.lengths.add(this.#item, this.#written, this.#longestRead);
    }
    const { bytes = 0 } = this.#reservation ?? {};
    const replaced = Math.min(bytes / this.#copies, written);
    this.#reservation?.resize(bytes - replaced * this.#copies);
    return written - replaced;
  }

  /** Gives everything back that is reserved. From now on, nothing can be reserved. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#item !== undefined && this.#expected > 0 && this.#written === 0) {
      this.#shared.lengths.addShort(this.#item);
    }
    this.#reservation?.release();
    this.#reservation = undefined;
  }

  /** Ends when the call is cancelled. */
  endOn(signal: StopSignal): this {
    listenTo(signal, () => this.end());
    return this;
  }

  waitedMs(): number {
    const now = performance.now();
    return this.#waitedMs + now - (this.#waitsSince ?? now);
  }

  /** A turn begins when the texts of former turns have been read. */
  #takeTurn(): Turn {
    const begun = this.#reading;
    let end: () => void = ignore;
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.#reading = begun === undefined ? ended : begun.then(() => ended);
    return { begun, end };
  }

  /** Holds memory for so many bytes of a text that is being read. */
  #holdText(bytes: number, mostBytes: number): Awaitable<void> {
    const [length, mostLength] = [bytes, mostBytes].map(
      (count) => Math.ceil(count * growth) * this.#copies,
    ) as [number, number];
    return this.#waitFor(this.#reserved().grow(length, mostLength));
  }

  /** Holds memory for a result of this length, and remembers that its item has such results. @param isMade whether it is in memory already */
  #holdResult(bytes: number, isMade: boolean): Awaitable<void> {
    if (bytes < minCountedBytes) return undefined;
    if (this.#item !== undefined) this.#shared.lengths.add(this.#item, bytes, this.#longestRead);
    this.#expected = Math.max(this.#expected, bytes);
    return this.#hold(this.#expected, isMade);
  }

  /** @param length of the answer, in bytes @param isMade whether it is in memory already */
  #hold(length: number, isMade = false): Awaitable<void> {
    return this.#waitFor(this.#reserved().hold(length * this.#copies, isMade));
  }

  /** Passes on a wait for memory, and measures its time. */
  #waitFor<Granted>(granted: Awaitable<Granted>): Awaitable<Granted> {
    if (!(granted instanceof Promise)) return granted;
    this.#waitsSince ??= performance.now();
    const end = (): void => {
      this.#waitedMs = this.waitedMs();
      this.#waitsSince = undefined;
    };
    granted.then(end, end);
    return granted;
  }

  /** The reservation of the call. */
  #reserved(): Reservation {
    if (this.#isOver) throw new ToolError("The call was cancelled");
    if (this.#reservation !== undefined) return this.#reservation;
    const reservation = this.#shared.budget.reservation(this.connection());
    this.#reservation = reservation;
    this.whenOver(() => this.end());
    return reservation;
  }
}

function ignore(): void {}
