import { exitStatus } from "./exit-status.js";
import { run } from "./run.js";
import { endOnSignals } from "./signals.js";
import { processTerminal } from "./terminal.js";

/** Runs the command line of this process, and sets its exit status. */
export async function runProcess(): Promise<void> {
  endOnSignals();
  // Until something else is known, for a run that waits for what never comes.
  process.exitCode = exitStatus.bug;
  const terminal = processTerminal();
  // Not process.exit(): what was printed must reach a pipe first.
  process.exitCode = await run(process.argv.slice(2), terminal);
}
