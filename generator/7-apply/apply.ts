import { changedMeanwhile, unsafePath } from "../model/catalogue/project.js";
import { wholeFile } from "../model/place.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { FileOperation, Plan } from "../model/plan.js";
import { hashBytes } from "../6-reconcile/content-hash.js";
import { foldersAbove } from "../6-reconcile/safe-path.js";
import { FolderTree, type ProjectTree } from "../6-reconcile/tree.js";
import { catchingDiskErrors, diskErrorOf, diskFailure } from "../6-reconcile/disk-failure.js";
import type { FileLayer } from "./file-layer.js";
import { WORK_FOLDER } from "./journal.js";
import { tryToUndo } from "./recover.js";
import { journalOf, Transaction, type StagedFile } from "./transaction.js";

/**
 * Carries out a plan completely or not at all. The project must be locked (`lockProject`) and recovered
 * (`recover`).
 *
 * @param root absolute path of the output folder, which exists
 * @returns why it failed; empty if the plan is done
 */
export function applyPlan(root: string, plan: Plan, files: FileLayer): readonly Diagnostic[] {
  const { operations } = plan;
  if (operations.length === 0) return [];
  return catchingDiskErrors<readonly Diagnostic[]>(
    () => {
      const replaced = new Map<string, Uint8Array>();
      const problems = preflight(root, operations, files, replaced);
      return problems.length > 0 ? problems : run(root, operations, files, replaced);
    },
    (error) => [diskFailure(root, error)],
  );
}

function run(
  root: string,
  operations: readonly FileOperation[],
  files: FileLayer,
  replaced: ReadonlyMap<string, Uint8Array>,
): Diagnostic[] {
  const work = `${root}/${WORK_FOLDER}`;
  if (files.status(work) === undefined) files.makeFolder(work);
  const transaction = new Transaction(root, files, journalOf(root, operations, files), replaced);
  let problem: Diagnostic | undefined;
  const refusal = diskErrorOf(() => {
    transaction.stage(stagedFiles(operations));
    transaction.enter("commit");
    problem = transaction.forward();
  });
  if (refusal === undefined && problem === undefined) return close(root, transaction);
  const second = tryToUndo(root, files);
  if (refusal !== undefined) return [diskFailure(root, refusal, second !== undefined)];
  return [problem, second && diskFailure(root, second, true)].filter(
    (entry) => entry !== undefined,
  );
}

function stagedFiles(operations: readonly FileOperation[]): Map<string, StagedFile> {
  const files = new Map<string, StagedFile>();
  for (const operation of operations) {
    if (operation.kind === "write") files.set(operation.path, operation);
  }
  return files;
}

/** Cleans up after all files have their final content. Tries twice. */
function close(root: string, transaction: Transaction): Diagnostic[] {
  const clean = (): void => transaction.close("done");
  const first = diskErrorOf(clean);
  return first === undefined || diskErrorOf(clean) === undefined
    ? []
    : [diskFailure(root, first, true)];
}

/**
 * Checks all operations before anything is written.
 *
 * @param replaced receives the contents of the files that will be replaced, by path
 */
function preflight(
  root: string,
  operations: readonly FileOperation[],
  files: FileLayer,
  replaced: Map<string, Uint8Array>,
): Diagnostic[] {
  const tree = new FolderTree(root, files);
  const writable = new Set<string>();
  const problems: Diagnostic[] = [];
  for (const operation of operations) {
    const problem = problemBefore(operation, tree, replaced);
    if (problem !== undefined) problems.push(problem);
    else for (const path of touchedBy(operation, tree)) writable.add(path);
  }
  if (problems.length === 0) {
    for (const path of writable) files.assertWritable(path === "" ? root : `${root}/${path}`);
  }
  return problems;
}

/** The problem of an operation: a link in its path, or a file that has changed since the plan was made. */
function problemBefore(
  operation: FileOperation,
  tree: ProjectTree,
  replaced: Map<string, Uint8Array>,
): Diagnostic | undefined {
  const { kind, path } = operation;
  const target = tree.entry(path);
  if (target.kind === "unsafe") return unsafePath(wholeFile(target.path), { found: target.found });
  const expected = kind === "move" ? undefined : operation.before;
  const planned = kind === "write" ? operation.replaced : undefined;
  const content = target.kind === "file" ? contentAt(path, target.size, planned, tree) : undefined;
  const found = content && hashBytes(content);
  if (content !== undefined && kind === "write") replaced.set(path, content);
  const isFileOrAbsent = target.kind === "file" || target.kind === "absent";
  const hasSource = kind !== "move" || tree.entry(operation.from).kind === "file";
  return isFileOrAbsent && hasSource && found === expected
    ? undefined
    : changedMeanwhile(wholeFile(path), {});
}

/**
 * The content of a file. If its size is that of the planned content, the file is not read again here. Its bytes are
 * checked when it is replaced; if they differ, everything is undone.
 */
function contentAt(
  path: string,
  size: number,
  planned: Uint8Array | undefined,
  tree: ProjectTree,
): Uint8Array {
  return planned?.length === size ? planned : tree.read(path);
}

/** The paths that must be writable: the innermost existing folders, and a file that is replaced. */
function touchedBy(operation: FileOperation, tree: ProjectTree): string[] {
  const { kind, path } = operation;
  const folders = [innermostFolder(path, tree)];
  if (kind === "move") return [...folders, innermostFolder(operation.from, tree)];
  return kind === "write" && operation.before !== undefined ? [...folders, path] : folders;
}

function innermostFolder(path: string, tree: ProjectTree): string {
  return foldersAbove(path).findLast((folder) => tree.entry(folder).kind === "folder") ?? "";
}
