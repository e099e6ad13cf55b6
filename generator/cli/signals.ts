import { exitStatus, type ExitStatus } from "./exit-status.js";

export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The documented status of a run that a signal ended. */
export function statusAfter(signal: EndingSignal): ExitStatus {
  return signal === "SIGINT" ? exitStatus.interrupted : exitStatus.terminated;
}

let listener = (signal: EndingSignal): void => process.exit(statusAfter(signal));

/**
 * Ends this process on Ctrl-C and SIGTERM with the documented status. Signals are heard between
 * steps, never in the middle of writing; what is held is released at exit.
 */
export function endOnSignals(): void {
  process.on("SIGINT", () => listener("SIGINT"));
  process.on("SIGTERM", () => listener("SIGTERM"));
}

/** From now on signals, the closing of the terminal included, do not end this process: `take` has to. */
export function takeSignals(take: (signal: EndingSignal) => void): void {
  listener = take;
  process.on("SIGHUP", () => listener("SIGHUP"));
}
