import { Cancellation, listenTo, type StopSignal } from "../engine/cancellation.js";

/** The signal of a call as an `AbortSignal`. */
export function abortSignalOf(signal: StopSignal): AbortSignal {
  return signal instanceof Cancellation ? signal.signal : signal;
}

/** Settles like the promise, but rejects with the reason of the signal as soon as the call is cancelled. */
export function orStopped<Value>(promise: Promise<Value>, signal: StopSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const unlisten = listenTo(signal, reject);
    promise.then(
      (value) => {
        unlisten();
        resolve(value);
      },
      (error: unknown) => {
        unlisten();
        reject(error as Error);
      },
    );
  });
}
