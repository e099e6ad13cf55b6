import { changedMeanwhile } from "../model/catalogue/project.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Plan } from "../model/plan.js";
import { catchingDiskErrors } from "../6-reconcile/disk-failure.js";
import { hashBytes } from "../6-reconcile/content-hash.js";
import { LOCK_PATH } from "../6-reconcile/lock.js";
import { FolderTree, type ProjectTree } from "../6-reconcile/tree.js";
import { applyPlan } from "./apply.js";
import type { FileLayer } from "./file-layer.js";
import { WORK_FOLDER } from "./journal.js";
import { lockProject, type LockOptions } from "./process-lock.js";
import { recover, viewProject } from "./recover.js";

/** The result of a whole run. */
export interface RunOutcome {
  /** Absent when the run failed. Its diagnostics say what a person has to do. */
  readonly plan?: Plan;
  /** A run that was killed before has been finished or undone. */
  readonly recovered: boolean;
  /** Why the run failed; empty when the plan is done. */
  readonly failures: readonly Diagnostic[];
}

/** Makes the plan for a tree. */
export type Planner = (tree: ProjectTree) => Promise<Plan>;

/**
 * Plans and applies. However many runs there are at the same time, the result is that of one after the other.
 * Where there is nothing to do, nothing is written, not even a lock, unless a killed run left something to
 * clean up. The plan is made before the lock is taken. It is made again where the tree has changed meanwhile,
 * or another run has finished.
 * @param root Absolute path of the output folder, which may be absent.
 */
export async function applyUnderLock(
  root: string,
  files: FileLayer,
  planFor: Planner,
  options: LockOptions,
): Promise<RunOutcome> {
  const view = viewProject(root, files);
  const generation = generationOf(view.tree);
  const plan = view.interrupted ? undefined : await planFor(view.tree);
  const isCurrent = (): boolean => generationOf(new FolderTree(root, files)) === generation;
  if (plan?.operations.length === 0 && !hasLeftovers(root, files) && isCurrent()) {
    return { plan, recovered: false, failures: [] };
  }
  const lock = await lockProject(root, files, options);
  if (lock.kind === "refused") return { recovered: false, failures: lock.diagnostics };
  try {
    return await runLocked(root, files, planFor, isCurrent() ? plan : undefined);
  } finally {
    lock.release();
  }
}

/** Identifies a generation: each ends with writing `mcpwright.lock.json`. */
function generationOf(tree: ProjectTree): string {
  return catchingDiskErrors(
    () => (tree.entry(LOCK_PATH).kind === "file" ? hashBytes(tree.read(LOCK_PATH)) : "none"),
    ({ code }) => code,
  );
}

/** A run was killed just before its end, or another is at work. */
function hasLeftovers(root: string, files: FileLayer): boolean {
  return catchingDiskErrors(
    () => files.status(`${root}/${WORK_FOLDER}`) !== undefined,
    () => true,
  );
}

async function runLocked(
  root: string,
  files: FileLayer,
  planFor: Planner,
  earlier: Plan | undefined,
): Promise<RunOutcome> {
  const { interrupted, diagnostics } = recover(root, files);
  if (diagnostics.length > 0) return { recovered: false, failures: diagnostics };
  if (earlier !== undefined && !interrupted) {
    const failures = applyPlan(root, earlier, files);
    if (failures.length === 0) return { plan: earlier, recovered: false, failures };
    if (!failures.every(isChange)) return { recovered: false, failures };
  }
  const plan = await planFor(new FolderTree(root, files));
  const failures = applyPlan(root, plan, files);
  return { ...(failures.length === 0 && { plan }), recovered: interrupted, failures };
}

function isChange({ code }: Diagnostic): boolean {
  return code === changedMeanwhile.entry.code;
}
