import { exitStatus, type ExitStatus } from "./exit-status.js";

export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The documented exit status of a run that a signal ended. */
export function statusAfter(signal: EndingSignal): ExitStatus {
  return signal === "SIGINT" ? exitStatus.interrupted : exitStatus.terminated;
}

let listener = (signal: EndingSignal): void => process.exit(statusAfter(signal));

/**
 * Ends this process on Ctrl-C and SIGTERM with the documented status. Node.js handles signals only between
 * synchronous steps, so that writing is never interrupted in the middle. Locks are released when the process exits.
 */
export function endOnSignals(): void {
  process.on("SIGINT", () => listener("SIGINT"));
  process.on("SIGTERM", () => listener("SIGTERM"));
}

/** From now on, signals and the closing of the terminal do not end this process. They call `handle`, which must end it. */
export function takeSignals(handle: (signal: EndingSignal) => void): void {
  listener = handle;
  process.on("SIGHUP", () => listener("SIGHUP"));
}
