import { ToolError } from "./errors.js";
import { Pending } from "./pending.js";

/**
 * The handlers that are running: so many at most, each with a time limit, and all can be waited for
 * or stopped.
 */
export class CallsInFlight {
  readonly #running = new Pending<AbortController>();
  readonly #most: number;
  #stopping = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many handlers run now. */
  get size(): number {
    return this.#running.size;
  }

  /**
   * Runs a handler until it settles, its time is up, the caller cancels, or the server stops. In the
   * last three cases `signal` fires and the call fails at once, whether the handler heeds it or not.
   * A call beyond the limit fails before its handler runs.
   */
  async run<Result>(
    caller: AbortSignal,
    timeoutMs: number,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    if (this.#stopping) throw new ToolError("The server is stopping");
    if (this.size >= this.#most) throw new ToolError("The server is busy: try again later");
    const controller = new AbortController();
    const cancel = (): void => controller.abort(new ToolError("The call was cancelled"));
    const timer = setTimeout(() => {
      controller.abort(new ToolError(`The call took longer than ${timeoutMs / 1000} s`));
    }, timeoutMs);
    if (caller.aborted) cancel();
    caller.addEventListener("abort", cancel, { once: true });
    this.#running.add(controller);
    try {
      return await Promise.race([rejectOnAbort(controller.signal), work(controller.signal)]);
    } finally {
      clearTimeout(timer);
      caller.removeEventListener("abort", cancel);
      this.#running.delete(controller);
    }
  }

  /** Refuses new calls, gives the running ones `graceMs` to finish, then aborts what is left. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    await this.#running.doneWithin(graceMs);
    for (const controller of this.#running) {
      controller.abort(new ToolError("The server is stopping"));
    }
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
