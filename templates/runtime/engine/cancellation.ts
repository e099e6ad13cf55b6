/**
 * Says once that a call is to stop, and why. Code outside gets it as an AbortSignal, which is made
 * when it is asked for: a signal costs more than most calls.
 */
export class Cancellation {
  #reason: Error | undefined;
  #controller: AbortController | undefined;
  #listeners: Set<(reason: Error) => void> | undefined;

  /** Why the call is to stop; undefined as long as it may go on. */
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

  /** Calls a listener when the call is to stop: at once, if that was said already. */
  listen(listener: (reason: Error) => void): void {
    if (this.#reason !== undefined) return listener(this.#reason);
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  unlisten(listener: (reason: Error) => void): void {
    this.#listeners?.delete(listener);
  }
}

/** What says that a call is to stop, by a reason that is undefined as long as it may go on. */
export type StopSignal = AbortSignal | Cancellation;

/** Calls a listener when a call is to stop: at once, if that was said already. @returns what takes the listener back */
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
