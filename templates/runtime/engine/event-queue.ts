import { WorkSlices } from "./work-slices.js";

/** How long events are collected before they are handled, in milliseconds: usually, and during a flood. */
const PERIOD_MS = 50;
const FLOOD_PERIOD_MS = 1_000;

/** More events per millisecond than this are a flood. */
const FLOOD_RATE = 2;

/** The maximum number of events that wait. */
const MAX_WAITING = 1_000;

/**
 * Collects events that come from outside the server, as many of them may come at once. Equal events are handled once
 * in a period. Events are handled in slices, so that a flood of them leaves the event loop to others.
 */
export class EventQueue {
  /** What handles the events, by their keys. */
  readonly #waiting = new Map<string, () => void>();
  readonly #onDrop: (count: number) => void;
  readonly #slices = new WorkSlices();
  #added = 0;
  #dropped = 0;
  #periodMs = PERIOD_MS;
  /** Set while a period or the handling of its events goes on. */
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param onDrop is called at the end of a period in which too many events came. Its events are dropped, so that
   *   anything may have happened. It must not throw.
   */
  constructor(onDrop: (count: number) => void) {
    this.#onDrop = onDrop;
  }

  /** Adds an event, in place of a waiting one with the same key. @param handle is called later; it must not throw */
  add(key: string, handle: () => void): void {
    if (this.#dropped > 0) return this.drop();
    this.#added += 1;
    // The event that came last is handled last.
    this.#waiting.delete(key);
    this.#waiting.set(key, handle);
    if (this.#waiting.size > MAX_WAITING) this.#dropWaiting();
    this.#startPeriod();
  }

  /** Counts an event that cannot wait, for example because it is too long. */
  drop(): void {
    this.#added += 1;
    this.#dropped += 1;
    this.#dropWaiting();
    this.#startPeriod();
  }

  /** Handles a waiting event now. */
  handleNow(key: string): void {
    const handle = this.#waiting.get(key);
    this.#waiting.delete(key);
    handle?.();
  }

  /** Forgets all events. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
    this.#added = 0;
    this.#dropped = 0;
  }

  #dropWaiting(): void {
    this.#dropped += this.#waiting.size;
    this.#waiting.clear();
  }

  #startPeriod(): void {
    this.#timer ??= setTimeout(() => void this.#endPeriod(), this.#periodMs).unref();
  }

  async #endPeriod(): Promise<void> {
    const timer = this.#timer;
    const handlers = [...this.#waiting.values()];
    const dropped = this.#dropped;
    this.#periodMs = this.#added > FLOOD_RATE * this.#periodMs ? FLOOD_PERIOD_MS : PERIOD_MS;
    this.#waiting.clear();
    this.#added = 0;
    this.#dropped = 0;
    if (dropped > 0) this.#onDrop(dropped);
    for (const handle of handlers) {
      await this.#slices.pause();
      if (this.#timer !== timer) return;
      handle();
    }
    this.#timer = undefined;
    if (this.#added > 0) this.#startPeriod();
  }
}
