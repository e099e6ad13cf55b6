import { exitStatus } from "./exit-status.js";
import { run } from "./run.js";
import { endOnSignals } from "./signals.js";
import { processTerminal } from "./terminal.js";

/** Runs the command line of this process, and sets its exit status. */
export async function runProcess(): Promise<void> {
  endOnSignals();
  // The status of a run that never finishes: Node.js ends it with this status when nothing is left to wait for.
  process.exitCode = exitStatus.bug;
  const terminal = processTerminal();
  // process.exit() would lose output that a pipe has not taken yet.
  process.exitCode = await run(process.argv.slice(2), terminal);
}
