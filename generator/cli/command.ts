import type { Diagnostic } from "../model/diagnostic.js";
import type { ExitStatus } from "./exit-status.js";
import type { Invocation } from "./options.js";
import type { Reporter } from "./report/reporter.js";
import type { Terminal } from "./terminal.js";

/** A command does its work, reports through the reporter, and returns the exit status. */
export type Command = (context: CommandContext) => Promise<ExitStatus>;

export interface CommandContext {
  readonly invocation: Invocation;
  readonly terminal: Terminal;
  readonly reporter: Reporter;
  /** The folder that relative paths of the command line are relative to. Absolute. */
  readonly folder: string;
  /** What `--fix` has mended, or would mend. Absent without it. */
  readonly fixed?: readonly Diagnostic[];
}
