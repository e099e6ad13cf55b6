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
  /** The plan that was carried out; absent if the run failed. Its diagnostics say what a person has to do. */
  readonly plan?: Plan;
  /** True if an earlier run that was killed has been finished or undone. */
  readonly recovered: boolean;
  /** Why the run failed; empty if the plan is done. */
  readonly failures: readonly Diagnostic[];
}

/** Makes the plan for a tree. */
export type Planner = (tree: ProjectTree) => Promise<Plan>;

/**
 * Makes a plan and carries it out. Several runs at the same time have the same result as one after the other. If
 * there is nothing to do, nothing is written, not even a lock, unless a killed run left something to clean up.
 * The plan is made before the lock is taken. It is made again if the tree has changed in the meantime, or if
 * another run has finished.
 *
 * @param root absolute path of the output folder, which may be absent
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

/** A text that identifies the last generation, since each generation ends with writing `mcpwright.lock.json`. */
function generationOf(tree: ProjectTree): string {
  return catchingDiskErrors(
    () => (tree.entry(LOCK_PATH).kind === "file" ? hashBytes(tree.read(LOCK_PATH)) : "none"),
    ({ code }) => code,
  );
}

/** True if a run was killed just before its end, or if another run is active. */
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
