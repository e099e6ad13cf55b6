/** Timers that end when a test says so. */
export interface HeldTimers {
  /** Ends every timer that runs, as when their time is up; those that start again then run on. */
  end(): void;
  /** Lets other timers be as they were. */
  release(): void;
}

/** Holds the timers of this many milliseconds that start from now on; all others run as ever. */
export function holdTimers(ms: number): HeldTimers {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const held = new Set<HeldTimer>();
  const holding = (callback: () => void, after?: number, ...rest: unknown[]): unknown =>
    after === ms
      ? new HeldTimer(held, callback)
      : (set as (...parameters: unknown[]) => unknown)(callback, after, ...rest);
  globalThis.setTimeout = Object.assign(holding, set) as typeof setTimeout;
  globalThis.clearTimeout = ((timer?: NodeJS.Timeout) =>
    timer instanceof HeldTimer ? void held.delete(timer) : clear(timer)) as typeof clearTimeout;
  return {
    end: () => {
      for (const timer of [...held]) timer.end();
    },
    release: () => void Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }),
  };
}

/** What the code under test takes for a timer of Node. */
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
