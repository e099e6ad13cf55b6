import type { Caller } from "../context/context.js";
import type { Awaitable } from "./awaitable.js";
import { Cancellation, listenTo } from "./cancellation.js";
import { CallTimeout, ToolError } from "./errors.js";
import { WaitList } from "./wait-group.js";

/** The part of a caller that its calls need. */
export type CallSender = Pick<
  Caller,
  "signal" | "address" | "authentication" | "memory" | "timeLimitMs"
>;

/** Runs handlers. Limits their number and the time of each, and can wait for all of them or stop them. */
export class CallsInFlight {
  readonly #running = new WaitList<Cancellation>();
  readonly #most: number;
  readonly #refuse: (caller: CallSender) => string;
  #stopping = false;

  /** @param refuse Reports that there are too many for this caller's. @returns the limit in words */
  constructor(most: number, refuse: (caller: CallSender) => string) {
    this.#most = most;
    this.#refuse = refuse;
  }

  /** The number of handlers that run now. */
  get size(): number {
    return this.#running.size;
  }

  /**
   * Runs a handler until it settles, reaches its time limit, or is cancelled by the caller or the server. In
   * the last three cases the call fails immediately, even if the handler continues. The time for which the server lets
   * it wait for memory does not count.
   * @throws ToolError if the server is busy or stopping; the handler has then not run
   */
  run<Result>(
    caller: CallSender,
    timeoutMs: number,
    work: (call: Cancellation) => Awaitable<Result>,
  ): Awaitable<Result> {
    if (this.#stopping) throw new ToolError("The server is stopping");
    if (this.size >= this.#most) {
      throw new ToolError(`The server is busy: try again later (${this.#refuse(caller)})`);
    }
    const call = new Cancellation();
    if (caller.signal.reason !== undefined) call.cancel(new ToolError(cancelled));
    const returned = work(call);
    if (returned instanceof Promise) {
      return this.#follow(call, returned, caller, caller.timeLimitMs ?? timeoutMs);
    }
    // A handler that returned no promise cannot be cancelled while it runs, so only a call that was cancelled
    // before has a reason.
    if (call.reason !== undefined) throw call.reason;
    return returned;
  }

  /** Refuses new calls, waits at most `graceMs` for the running ones, then cancels the others. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    await this.#running.doneWithin(graceMs);
    for (const call of this.#running) call.cancel(new ToolError("The server is stopping"));
  }

  /** Waits for a handler that returned a promise. */
  #follow<Result>(
    call: Cancellation,
    work: Promise<Result>,
    { signal, memory }: CallSender,
    timeoutMs: number,
  ): Promise<Result> {
    const remove = this.#running.add(call);
    let waitedMs = memory?.waitedMs() ?? 0;
    const check = (): void => {
      const moreMs = (memory?.waitedMs() ?? 0) - waitedMs;
      waitedMs += moreMs;
      if (moreMs > 0) timer = setTimeout(check, moreMs);
      else call.cancel(new CallTimeout(timeoutMs));
    };
    // Timers count from the start of the turn, so the time of the handler's first turn counts, too.
    let timer = setTimeout(check, timeoutMs);
    const unlisten = listenTo(signal, () => call.cancel(new ToolError(cancelled)));
    return new Promise<Result>((resolve, reject) => {
      const cleanUp = (): void => {
        clearTimeout(timer);
        unlisten();
        remove();
      };
      const fail = (reason: unknown): void => {
        cleanUp();
        reject(reason);
      };
      call.listen(fail);
      work.then((result) => {
        cleanUp();
        resolve(result);
      }, fail);
    });
  }
}

const cancelled = "The call was cancelled";
