/** A time limit that does not count the time for which the server itself lets something wait. */
export class TimeLimit {
  readonly #milliseconds: number;
  readonly #over = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
    this.#start();
  }

  /** Is aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Waits for some work of the server. The time limit begins anew after it. */
  async without<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    clearTimeout(this.#timer);
    try {
      return await work();
    } finally {
      if (!this.#isEnded) this.#start();
    }
  }

  /** Must be called at the end of what is limited. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#timer = setTimeout(() => this.#over.abort(), this.#milliseconds);
  }
}
