import type { Diagnostic } from "../model/diagnostic.js";
import { FolderTree, type ProjectTree, type ReadableFiles } from "../6-reconcile/tree.js";
import {
  catchingDiskErrors,
  diskErrorOf,
  diskFailure,
  type DiskError,
} from "../6-reconcile/disk-failure.js";
import type { FileLayer } from "./file-layer.js";
import { readJournal, removeJournal, type Journal } from "./journal.js";
import { OverlayFiles } from "./overlay-files.js";
import { Transaction } from "./transaction.js";

/** The result of recovering an interrupted run. */
export interface Recovery {
  /** True if there was an interrupted run. */
  readonly interrupted: boolean;
  /** Why the run could be neither finished nor undone. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Finishes a killed run, or undoes it if a file has changed since. The project must be locked. */
export function recover(root: string, files: FileLayer): Recovery {
  return catchingDiskErrors<Recovery>(
    () => {
      const state = readJournal(root, files);
      if (state.kind === "absent") {
        removeJournal(root, files);
        return { interrupted: false, diagnostics: [] };
      }
      if (state.kind === "refused") return { interrupted: true, diagnostics: state.diagnostics };
      finishOrUndo(root, state.journal, files);
      return { interrupted: true, diagnostics: [] };
    },
    (error) => ({ interrupted: true, diagnostics: [diskFailure(root, error, true)] }),
  );
}

function finishOrUndo(root: string, journal: Journal, files: FileLayer): void {
  const transaction = new Transaction(root, files, journal);
  const isDone = journal.state === "commit" && transaction.forward() === undefined;
  if (isDone) transaction.close("done");
  else undo(transaction, journal);
}

function undo(transaction: Transaction, journal: Journal): void {
  if (journal.state === "commit") transaction.enter("undo");
  if (journal.state !== "staging") transaction.back();
  transaction.close("undone");
}

/**
 * Undoes the run that has just failed, by its journal on the disk.
 *
 * @returns the error of the system if this fails too; the next run then undoes it
 */
export function tryToUndo(root: string, files: FileLayer): DiskError | undefined {
  return diskErrorOf(() => {
    const state = readJournal(root, files);
    if (state.kind === "read") undo(new Transaction(root, files, state.journal), state.journal);
    else removeJournal(root, files);
  });
}

/** The project as a read-only command sees it. */
export interface ProjectView extends Recovery {
  readonly tree: ProjectTree;
}

/** The project as it will be once an interrupted run is recovered. Writes nothing. */
export function viewProject(root: string, files: ReadableFiles): ProjectView {
  const overlay = new OverlayFiles(files);
  const recovery = recover(root, overlay);
  return { ...recovery, tree: new FolderTree(root, recovery.interrupted ? overlay : files) };
}
