import type { Awaitable } from "./awaitable.js";
import { Cancellation, listenTo, type StopSignal } from "./cancellation.js";
import { ToolError } from "./errors.js";
import { WaitGroup } from "./wait-group.js";

/**
 * The handlers that are running: so many at most, each with a time limit, and all can be waited for
 * or stopped.
 */
export class CallsInFlight {
  readonly #running = new WaitGroup<Cancellation>();
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
   * @throws ToolError where the call is beyond the limit, and the like: then its handler has not run
   */
  run<Result>(
    caller: StopSignal,
    timeoutMs: number,
    work: (call: Cancellation) => Awaitable<Result>,
  ): Awaitable<Result> {
    if (this.#stopping) throw new ToolError("The server is stopping");
    if (this.size >= this.#most) throw new ToolError("The server is busy: try again later");
    const call = new Cancellation();
    if (caller.reason !== undefined) call.cancel(new ToolError(cancelled));
    const returned = work(call);
    if (returned instanceof Promise) return this.#follow(call, returned, caller, timeoutMs);
    // Nothing can have happened to a handler that was done before anything else had its turn.
    if (call.reason !== undefined) throw call.reason;
    return returned;
  }

  /** Refuses new calls, gives the running ones `graceMs` to finish, then cancels what is left. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    await this.#running.doneWithin(graceMs);
    for (const call of this.#running) call.cancel(new ToolError("The server is stopping"));
  }

  /** Waits for a handler that has not finished at once. */
  #follow<Result>(
    call: Cancellation,
    work: Promise<Result>,
    caller: StopSignal,
    timeoutMs: number,
  ): Promise<Result> {
    this.#running.add(call);
    // The clock of timers stands still while the handler has its first turn: that counts too.
    const timer = setTimeout(() => {
      call.cancel(new ToolError(`The call took longer than ${timeoutMs / 1000} s`));
    }, timeoutMs);
    const unlisten = listenTo(caller, () => call.cancel(new ToolError(cancelled)));
    return new Promise<Result>((resolve, reject) => {
      const over = (): void => {
        clearTimeout(timer);
        unlisten();
        this.#running.delete(call);
      };
      const fail = (reason: unknown): void => {
        over();
        reject(reason);
      };
      call.listen(fail);
      work.then((result) => {
        over();
        resolve(result);
      }, fail);
    });
  }
}

const cancelled = "The call was cancelled";
