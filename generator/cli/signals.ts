import { exitStatus, type ExitStatus } from "./exit-status.js";

export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The documented exit status of a run that a signal ended. */
export function statusAfter(signal: EndingSignal): ExitStatus {
  return signal === "SIGINT" ? exitStatus.interrupted : exitStatus.terminated;
}

let listener = (signal: EndingSignal): void => process.exit(statusAfter(signal));

const onInterrupt = (): void => listener("SIGINT");
const onTermination = (): void => listener("SIGTERM");

/**
 * Ends this process on Ctrl-C and SIGTERM with the documented status. Node.js handles signals only between
 * synchronous steps, so that writing is never interrupted in the middle. Locks are released when the process exits.
 */
export function endOnSignals(): void {
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onTermination);
}

/**
 * Runs a long synchronous step that writes nothing. Signals end the process at once meanwhile, by the default of the
 * system, instead of after the step.
 */
export function endingAtOnce<Result>(step: () => Result): Result {
  const isListening = process.listeners("SIGTERM").includes(onTermination);
  process.off("SIGINT", onInterrupt);
  process.off("SIGTERM", onTermination);
  try {
    return step();
  } finally {
    if (isListening) endOnSignals();
  }
}

/** From now on, signals and the closing of the terminal do not end this process. They call `handle`, which must end it. */
export function takeSignals(handle: (signal: EndingSignal) => void): void {
  listener = handle;
  process.on("SIGHUP", () => listener("SIGHUP"));
}
