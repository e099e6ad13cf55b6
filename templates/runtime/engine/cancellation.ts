/**
 * Cancels a call once, with a reason. Its signal is for code outside the runtime. It is made when it is first read,
 * since making one takes longer than most calls.
 */
export class Cancellation {
  #reason: Error | undefined;
  #controller: AbortController | undefined;
  #listeners: Set<(reason: Error) => void> | undefined;

  /** Why the call was cancelled; undefined if it was not. */
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

  /** Cancels the call. Only the first call of this method has an effect. */
  cancel(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners ?? []) listener(reason);
  }

  /** Calls a listener when the call is cancelled, or immediately if it was cancelled already. */
  listen(listener: (reason: Error) => void): void {
    if (this.#reason !== undefined) return listener(this.#reason);
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  unlisten(listener: (reason: Error) => void): void {
    this.#listeners?.delete(listener);
  }
}

/** The cancellation of a call. Its `reason` is undefined while the call is not cancelled. */
export type StopSignal = AbortSignal | Cancellation;

/**
 * Calls a listener when a call is cancelled, or immediately if it was cancelled already. @returns a function
 * that removes the listener
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
