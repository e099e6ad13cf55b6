import { exitStatus } from "./exit-status.js";

/**
 * Ends this process on Ctrl-C and SIGTERM with the documented status. Signals are heard between
 * steps, never in the middle of writing; what is held is released at exit.
 */
export function endOnSignals(): void {
  process.on("SIGINT", () => process.exit(exitStatus.interrupted));
  process.on("SIGTERM", () => process.exit(exitStatus.terminated));
}
