import { Cancellation } from "./cancellation.js";
import { ToolError } from "./errors.js";
import { Pending } from "./pending.js";

/**
 * The handlers that are running: so many at most, each with a time limit, and all can be waited for
 * or stopped.
 */
export class CallsInFlight {
  readonly #running = new Pending<Cancellation>();
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
   * last three cases the call is cancelled and fails at once, whether the handler heeds it or not.
   * A call beyond the limit fails before its handler runs.
   */
  run<Result>(
    caller: AbortSignal | Cancellation,
    timeoutMs: number,
    work: (call: Cancellation) => Promise<Result>,
  ): Promise<Result> {
    if (this.#stopping) return Promise.reject(new ToolError("The server is stopping"));
    if (this.size >= this.#most) {
      return Promise.reject(new ToolError("The server is busy: try again later"));
    }
    const call = new Cancellation();
    this.#running.add(call);
    const timer = setTimeout(() => {
      call.cancel(new ToolError(`The call took longer than ${timeoutMs / 1000} s`));
    }, timeoutMs);
    const unlisten = listenTo(caller, () => call.cancel(new ToolError("The call was cancelled")));
    const settled = new Promise<Result>((resolve, reject) => {
      call.listen(reject);
      work(call).then(resolve, reject);
    });
    return settled.finally(() => {
      clearTimeout(timer);
      unlisten();
      this.#running.delete(call);
    });
  }

  /** Refuses new calls, gives the running ones `graceMs` to finish, then cancels what is left. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    await this.#running.doneWithin(graceMs);
    for (const call of this.#running) call.cancel(new ToolError("The server is stopping"));
  }
}

/** Calls a listener when a caller goes away. @returns what takes the listener back */
function listenTo(caller: AbortSignal | Cancellation, listener: () => void): () => void {
  if (caller instanceof Cancellation) {
    caller.listen(listener);
    return () => caller.unlisten(listener);
  }
  if (caller.aborted) listener();
  caller.addEventListener("abort", listener, { once: true });
  return () => caller.removeEventListener("abort", listener);
}
