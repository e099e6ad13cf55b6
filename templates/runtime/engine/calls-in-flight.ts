import type { Awaitable } from "./awaitable.js";
import { Cancellation, listenTo, type StopSignal } from "./cancellation.js";
import { ToolError } from "./errors.js";
import { WaitGroup } from "./wait-group.js";

/** The running handlers. Their number is limited, each has a time limit, and all can be waited for or stopped. */
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
    // A handler that returned at once cannot have been cancelled meanwhile.
    if (call.reason !== undefined) throw call.reason;
    return returned;
  }

  /** Refuses new calls, gives the running ones `graceMs` to finish, then cancels what is left. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    await this.#running.doneWithin(graceMs);
    for (const call of this.#running) call.cancel(new ToolError("The server is stopping"));
  }

  /** Waits for a handler that returned a promise. */
  #follow<Result>(
    call: Cancellation,
    work: Promise<Result>,
    caller: StopSignal,
    timeoutMs: number,
  ): Promise<Result> {
    this.#running.add(call);
    // Timers count from the start of the turn, so the time of the handler's first turn counts, too.
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
