/** Timers that fire when a test says so. */
export interface HeldTimers {
  /** Fires every held timer. Timers that start meanwhile are held until the next call. */
  end(): void;
  /** Restores the timer functions of Node. */
  release(): void;
}

/** Holds all timers of this many milliseconds that start from now on. Other timers run as usual. */
export function holdTimers(ms: number): HeldTimers {
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis;
  const held = new Set<HeldTimer>();
  const setOrHold = (callback: () => void, delayMs?: number, ...parameters: unknown[]): unknown =>
    delayMs === ms
      ? new HeldTimer(held, callback)
      : (realSet as (...parameters: unknown[]) => unknown)(callback, delayMs, ...parameters);
  globalThis.setTimeout = Object.assign(setOrHold, realSet) as typeof setTimeout;
  globalThis.clearTimeout = ((timer?: NodeJS.Timeout) =>
    timer instanceof HeldTimer ? void held.delete(timer) : realClear(timer)) as typeof clearTimeout;
  return {
    end: () => {
      for (const timer of [...held]) timer.end();
    },
    release: () => void Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear }),
  };
}

/** The timer that the code under test gets instead of one of Node. */
class HeldTimer {
  readonly #held: Set<HeldTimer>;
  readonly #callback: () => void;

  constructor(held: Set<HeldTimer>, callback: () => void) {
    this.#held = held;
    this.#callback = callback;
    held.add(this);
  }

  end(): void {
    this.#held.delete(this);
    this.#callback();
  }

  refresh(): this {
    this.#held.add(this);
    return this;
  }

  unref(): this {
    return this;
  }
}
