import type { Diagnostic } from "../model/diagnostic.js";
import {
  changedMeanwhile,
  diskError,
  editedGeneratedFile,
  folderInUse,
  folderOfAnotherManifest,
  foreignFile,
  generatorOlder,
  handlerNotParsable,
  importNotAdjusted,
  journalUnreadable,
  letterCaseClash,
  lockedByAnotherRun,
  lockNewer,
  lockUnreadable,
  lockUnsafe,
  mergeConflict,
  mergedFileNotParsable,
  unsafePath,
  unusableOutputFolder,
} from "../model/catalogue/project.js";

/** The exit statuses of every command, as documented for its users. */
export const exitStatus = {
  done: 0,
  /** The manifest is wrong, or the command line is. */
  wrong: 1,
  /** `check`, `plan`: `generate` would change something. */
  pending: 2,
  /** A person must look: an edited generated file, a foreign file, a handler that cannot be parsed. */
  needsPerson: 3,
  /** Disk, permissions, or another run holds the folder: nothing changed. */
  failed: 4,
  /** Ctrl-C: the old tree, or a state that the next run completes. */
  interrupted: 130,
  /** The same, by SIGTERM. */
  terminated: 143,
  /** A bug in mcpwright. */
  bug: 70,
} as const;

export type ExitStatus = (typeof exitStatus)[keyof typeof exitStatus];

/** Findings about the project, by what the run's status becomes because of them. */
const statusByDiagnostic: ReadonlyMap<string, ExitStatus> = new Map([
  ...[unusableOutputFolder, folderOfAnotherManifest, unsafePath, lockUnsafe].map(
    ({ entry }) => [entry.code, exitStatus.wrong] as const,
  ),
  ...[
    editedGeneratedFile,
    foreignFile,
    folderInUse,
    letterCaseClash,
    handlerNotParsable,
    importNotAdjusted,
    mergedFileNotParsable,
    mergeConflict,
    lockUnreadable,
    lockNewer,
    generatorOlder,
  ].map(({ entry }) => [entry.code, exitStatus.needsPerson] as const),
  ...[diskError, changedMeanwhile, lockedByAnotherRun, journalUnreadable].map(
    ({ entry }) => [entry.code, exitStatus.failed] as const,
  ),
]);

/** The gravest status that the diagnostics of a run call for, failures first; `undefined` for none. */
export function statusOfProject(diagnostics: readonly Diagnostic[]): ExitStatus | undefined {
  const found = new Set(diagnostics.map(({ code }) => statusByDiagnostic.get(code)));
  return [exitStatus.failed, exitStatus.wrong, exitStatus.needsPerson].find((status) =>
    found.has(status),
  );
}
