import type { Diagnostic } from "../model/diagnostic.js";
import * as project from "../model/catalogue/project.js";

/** The exit statuses of all commands, as the user documentation describes them. */
export const exitStatus = {
  done: 0,
  /** The manifest is wrong, or the command line is. */
  wrong: 1,
  /** For `check` and `plan`: `generate` would change something. */
  pending: 2,
  /** A person must act: an edited generated file, a foreign file, a handler that cannot be parsed. */
  needsPerson: 3,
  /**
   * A problem of the disk or of permissions, or another run holds the folder. Nothing has changed. For `init` also: the
   * packages could not be installed; the project is complete without them.
   */
  failed: 4,
  /** Ctrl-C. The project is unchanged, or in a state that the next run completes. */
  interrupted: 130,
  /** SIGKILL, since an import needed more than 1 GB of memory. Nothing was written. */
  outOfMemory: 137,
  /** SIGTERM. The project is as after Ctrl-C. */
  terminated: 143,
  /** A bug in mcpwright. */
  bug: 70,
} as const;

export type ExitStatus = (typeof exitStatus)[keyof typeof exitStatus];

/**
 * True if a command did its job. `plan` and `diff` have done it where they find that something is pending; the job of
 * `check` is that nothing is.
 */
export function isDone(command: string, status: ExitStatus): boolean {
  return status === exitStatus.done || (status === exitStatus.pending && command !== "check");
}

/** For the codes of diagnostics about the project: the exit status that they cause. */
const statusByDiagnostic: ReadonlyMap<string, ExitStatus> = new Map(
  Object.values(project).flatMap(({ entry: { code, exit } }) =>
    exit === undefined ? [] : [[code, exitStatus[exit]]],
  ),
);

/** The most serious exit status that the diagnostics of a run cause, failures first. `undefined` if they cause none. */
export function statusOfProject(diagnostics: readonly Diagnostic[]): ExitStatus | undefined {
  const found = new Set(diagnostics.map(({ code }) => statusByDiagnostic.get(code)));
  return [exitStatus.failed, exitStatus.wrong, exitStatus.needsPerson].find((status) =>
    found.has(status),
  );
}
