/** A time limit that does not count the time for which the server itself lets something wait. */
export class TimeLimit {
  readonly #over: () => void;
  #remainingMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  /** @param over called when the time has run out */
  constructor(milliseconds: number, over: () => void) {
    this.#over = over;
    this.#remainingMs = milliseconds;
    this.#start();
  }

  /** Waits for some work of the server, whose time does not count. */
  async without<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    clearTimeout(this.#timer);
    this.#remainingMs -= performance.now() - this.#startedAt;
    try {
      return await work();
    } finally {
      if (!this.#isEnded) this.#start();
    }
  }

  /** Must be called when the limited work has ended. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#over(), Math.max(0, this.#remainingMs));
  }
}
