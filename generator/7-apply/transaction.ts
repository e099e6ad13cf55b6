import { changedMeanwhile, unsafePath } from "../model/catalogue/project.js";
import { wholeFile } from "../model/place.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { FileOperation } from "../model/plan.js";
import { hashBytes } from "../6-reconcile/content-hash.js";
import { byCodeUnits, folderOf, foldersAbove } from "../6-reconcile/safe-path.js";
import { FolderTree, type FileStatus } from "../6-reconcile/tree.js";
import type { FileLayer } from "./file-layer.js";
import { removeJournal, writeJournal, type Journal, type JournalStep } from "./journal.js";

/** A file that a run writes. */
export interface StagedFile {
  readonly content: Uint8Array;
  /** For a new file: path of the file whose mode it gets. */
  readonly modeOf?: string;
}

/**
 * Does and undoes the steps of one run on the disk. Each step can be repeated. A step changes a file only if the file
 * is as the journal says, so that changes that a person made in the meantime stay.
 */
export class Transaction {
  /** @param replaced known contents of files that will be replaced, by path; other files are read */
  constructor(
    private readonly root: string,
    private readonly files: FileLayer,
    private journal: Journal,
    private readonly replaced: ReadonlyMap<string, Uint8Array> = new Map(),
  ) {}

  /** Writes every new content next to its target, and a copy of the file that it will replace. */
  stage(staged: ReadonlyMap<string, StagedFile>): void {
    writeJournal(this.root, this.journal, this.files);
    for (const folder of this.journal.folders) this.files.makeFolder(this.absolute(folder));
    this.journal.steps.forEach((step, index) => this.stageStep(step, index, staged));
    this.syncFolders();
  }

  /** Writes the state to the journal, from which the next run recovers an interrupted one. */
  enter(state: Journal["state"]): void {
    writeJournal(this.root, { ...this.journal, state }, this.files);
    this.journal = { ...this.journal, state };
  }

  /** Does the remaining steps. Returns the first reason why they cannot be done as planned. */
  forward(): Diagnostic | undefined {
    let checked: string | undefined;
    for (const [index, step] of this.journal.steps.entries()) {
      if (!this.isLeft(step, index)) continue;
      // Checks a folder once for all of its files that follow each other.
      const folder = step.kind === "move" ? undefined : folderOf(step.path);
      const isSafe = folder !== undefined && folder === checked;
      const problem = (isSafe ? undefined : this.unsafePlace(step)) ?? this.change(step);
      checked = folder;
      if (problem !== undefined) return problem;
      this.doStep(step, index);
    }
    return undefined;
  }

  /** Undoes every step that was done and whose result nobody has changed, in reverse order. */
  back(): void {
    for (let index = this.journal.steps.length - 1; index >= 0; index--) {
      const step = this.journal.steps[index];
      if (step !== undefined && this.unsafeAbove(step.path) === undefined)
        this.undoStep(step, index);
    }
  }

  /** Removes staged files, then folders that are now empty, and finally the journal. */
  close(outcome: "done" | "undone"): void {
    const listings = new Map<string, ReadonlySet<string>>();
    for (const [index, step] of this.journal.steps.entries()) {
      const folder = folderOf(step.path);
      const names = listings.get(folder) ?? this.namesIn(folder);
      listings.set(folder, names);
      if (names.has(stagedName(index))) this.files.unlink(this.stagedPath(step, index));
      if (names.has(backupName(index))) this.files.unlink(this.backupPath(step, index));
    }
    const emptied = outcome === "done" ? this.emptiedFolders() : this.journal.folders;
    for (const folder of [...emptied].sort(byCodeUnits).reverse()) this.removeIfEmpty(folder);
    this.syncFolders();
    removeJournal(this.root, this.files);
  }

  private stageStep(
    step: JournalStep,
    index: number,
    staged: ReadonlyMap<string, StagedFile>,
  ): void {
    const file = staged.get(step.path);
    if (step.kind !== "write" || file === undefined) return;
    const target = this.absolute(step.path);
    const replaced = step.before === undefined ? undefined : this.files.status(target);
    const { mode } = replaced ?? this.statusOfModel(file) ?? {};
    this.files.create(this.stagedPath(step, index), file.content, mode);
    if (step.before !== undefined) {
      const content = this.replaced.get(step.path) ?? this.files.read(target);
      this.files.create(this.backupPath(step, index), content, mode);
    }
  }

  private statusOfModel({ modeOf }: StagedFile): FileStatus | undefined {
    return modeOf === undefined ? undefined : this.files.status(this.absolute(modeOf));
  }

  private isLeft(step: JournalStep, index: number): boolean {
    if (step.kind === "write") return this.exists(this.stagedPath(step, index));
    const source = step.kind === "move" ? step.from : step.path;
    return this.exists(this.absolute(source)) && !this.exists(this.backupPath(step, index));
  }

  /** The diagnostic for a link in the paths of a step. */
  private unsafePlace(step: JournalStep): Diagnostic | undefined {
    return (
      this.unsafeAbove(step.path) ??
      (step.kind === "move" ? this.unsafeAbove(step.from) : undefined)
    );
  }

  /** The diagnostic for a file that has changed since the plan was made. */
  private change(step: JournalStep): Diagnostic | undefined {
    const expected = step.kind === "move" ? undefined : step.before;
    return this.hashAt(step.path) === expected
      ? undefined
      : changedMeanwhile(wholeFile(step.path), {});
  }

  private doStep(step: JournalStep, index: number): void {
    const target = this.absolute(step.path);
    if (step.kind === "write") this.files.rename(this.stagedPath(step, index), target);
    else if (step.kind === "move") this.files.rename(this.absolute(step.from), target);
    else this.files.rename(target, this.backupPath(step, index));
  }

  private undoStep(step: JournalStep, index: number): void {
    const target = this.absolute(step.path);
    const backup = this.backupPath(step, index);
    if (step.kind === "move") {
      const source = this.absolute(step.from);
      if (this.unsafeAbove(step.from) !== undefined) return;
      if (this.exists(target) && !this.exists(source)) this.files.rename(target, source);
    } else if (step.kind === "delete") {
      if (this.exists(backup) && !this.exists(target)) this.files.rename(backup, target);
    } else if (!this.isLeft(step, index) && this.hashAt(step.path) === step.after) {
      if (step.before === undefined) this.files.unlink(target);
      else if (this.exists(backup)) this.files.rename(backup, target);
    }
  }

  /**
   * The diagnostic for a link or a file at the path of the root or of a folder above: a rename through it could leave
   * the project.
   */
  private unsafeAbove(path: string): Diagnostic | undefined {
    for (const folder of ["", ...foldersAbove(path)]) {
      const status = this.files.status(this.absolute(folder));
      if (status !== undefined && status.kind !== "folder") {
        return unsafePath(wholeFile(folder || "."), { found: status.kind });
      }
    }
    return undefined;
  }

  private hashAt(path: string): string | undefined {
    const status = this.files.status(this.absolute(path));
    if (status === undefined) return undefined;
    if (status.kind !== "file") return status.kind;
    return hashBytes(this.files.read(this.absolute(path)));
  }

  /** Folders from which files were moved or deleted, and the folders above them. */
  private emptiedFolders(): Set<string> {
    const sources = this.journal.steps.flatMap((step) =>
      step.kind === "write" ? [] : step.kind === "move" ? step.from : step.path,
    );
    return new Set(sources.flatMap(foldersAbove));
  }

  private removeIfEmpty(folder: string): void {
    const path = this.absolute(folder);
    if (this.unsafeAbove(`${folder}/_`) !== undefined || !this.exists(path)) return;
    if (this.files.list(path).length === 0) this.files.removeFolder(path);
  }

  private syncFolders(): void {
    for (const folder of new Set(this.journal.steps.flatMap(pathsOf).map(folderOf))) {
      const path = this.absolute(folder);
      if (this.files.status(path)?.kind === "folder") this.files.syncFolder(path);
    }
  }

  /** The names in a folder; empty if there is no such folder, or if its path goes through a link. */
  private namesIn(folder: string): ReadonlySet<string> {
    const isFolder =
      this.unsafeAbove(`${folder}/_`) === undefined && this.exists(this.absolute(folder));
    return new Set(isFolder ? this.files.list(this.absolute(folder)) : []);
  }

  private exists(path: string): boolean {
    return this.files.status(path) !== undefined;
  }

  /** Path of a staged file. It is next to its target, so that renaming never crosses file systems. */
  private stagedPath(step: JournalStep, index: number): string {
    return this.absolute(`${folderOf(step.path)}/${stagedName(index)}`);
  }

  private backupPath(step: JournalStep, index: number): string {
    return this.absolute(`${folderOf(step.path)}/${backupName(index)}`);
  }

  private absolute(path: string): string {
    const relative = path.replace(/^\//, "");
    return relative === "" ? this.root : `${this.root}/${relative}`;
  }
}

const stagedName = (index: number): string => `.mcpwright-${index}.new`;
const backupName = (index: number): string => `.mcpwright-${index}.old`;

function pathsOf(step: JournalStep): string[] {
  return step.kind === "move" ? [step.from, step.path] : [step.path];
}

/** The journal for a run with these operations. */
export function journalOf(
  root: string,
  operations: readonly FileOperation[],
  files: FileLayer,
): Journal {
  const tree = new FolderTree(root, files);
  const folders = new Set(operations.flatMap(({ path }) => foldersAbove(path)));
  return {
    state: "staging",
    folders: [...folders].filter((path) => tree.entry(path).kind === "absent").sort(byCodeUnits),
    steps: operations.map(stepOf),
  };
}

function stepOf(operation: FileOperation): JournalStep {
  if (operation.kind !== "write") return operation;
  const { kind, path, before, content } = operation;
  const after = hashBytes(content);
  return { kind, path, after, ...(before !== undefined && { before }) };
}
