import { Cancellation, listenTo, type StopSignal } from "../engine/cancellation.js";

export function abortSignalOf(signal: StopSignal): AbortSignal {
  return signal instanceof Cancellation ? signal.signal : signal;
}

/** Settles as the promise does, or rejects at once when the call is cancelled. @throws the reason of the signal */
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
