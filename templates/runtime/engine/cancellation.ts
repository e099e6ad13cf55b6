/**
 * Cancels a call once, with a reason. Code outside the runtime gets an AbortSignal, which is made when it is
 * first read: a signal costs more than most calls.
 */
export class Cancellation {
  #reason: Error | undefined;
  #controller: AbortController | undefined;
  #listeners: Set<(reason: Error) => void> | undefined;

  /** Why the call was cancelled; undefined while it may go on. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Without effect after the first time. */
  cancel(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners ?? []) listener(reason);
  }

  /** Calls a listener when the call is cancelled: at once, if it was cancelled already. */
  listen(listener: (reason: Error) => void): void {
    if (this.#reason !== undefined) return listener(this.#reason);
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  unlisten(listener: (reason: Error) => void): void {
    this.#listeners?.delete(listener);
  }
}

/** Cancels a call. Its `reason` is undefined while the call may go on. */
export type StopSignal = AbortSignal | Cancellation;

/**
 * Calls a listener when a call is cancelled: at once, if it was cancelled already. @returns a function that
 * removes the listener
 */
export function listenTo(signal: StopSignal, listener: (reason: Error) => void): () => void {
  if (signal instanceof Cancellation) {
    signal.listen(listener);
    return () => signal.unlisten(listener);
  }
  const stop = (): void => listener(signal.reason as Error);
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return () => signal.removeEventListener("abort", stop);
}
