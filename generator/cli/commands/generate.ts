import { isConfined } from "../../1-load/boundary.js";
import { applyUnderLock } from "../../7-apply/apply-under-lock.js";
import { anchoredFiles } from "../../7-apply/anchored-files.js";
import { diskFiles } from "../../7-apply/file-layer.js";
import { planName } from "../../6-reconcile/plan-name.js";
import type { ProjectTree } from "../../6-reconcile/tree.js";
import { planNotShown } from "../../model/catalogue/project.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { wholeFile } from "../../model/place.js";
import type { Change, Plan } from "../../model/plan.js";
import type { ServerModel } from "../../model/server-model.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import { fixNamedManifest } from "../fix/fix-run.js";
import { failed } from "../report/failed.js";
import { saveReuse, loadReuse } from "../reuse-file.js";
import { filesWithProgress } from "../progress.js";
import { installText } from "../package-manager.js";
import { projectLock } from "../project-lock.js";
import {
  emptyPlan,
  finish,
  withShownPaths,
  openProject,
  planTree,
  statusOf,
} from "../project-run.js";
import { copiesText, modulesText, planSummary, planText } from "../report/plan-text.js";
import { callersText, formerState } from "../report/semantic-text.js";
import type { Command, CommandContext } from "../command.js";
import { savedCopies } from "../saved-copies.js";
import { affectedModules } from "../type-check/affected-modules.js";

/** The result of one run of `generate`. */
export interface Generated {
  readonly status: ExitStatus;
  /** The diagnostics about the manifest and about the project. */
  readonly diagnostics: readonly Diagnostic[];
  /** Absent if the manifest has an error. */
  readonly model?: () => ServerModel;
  /** The changes of files. */
  readonly changes?: readonly Change[];
}

/** `mcpwright generate`: makes or updates the project. Either all files are written or none. */
export const generate: Command = async (context) => (await generateProject(context)).status;

/**
 * Makes or updates the project, and reports what was done.
 *
 * @param reportsNothing false if a run that changes nothing prints no summary
 */
export async function generateProject(
  started: CommandContext,
  reportsNothing = true,
): Promise<Generated> {
  const { context, problem } = await fixNamedManifest(started);
  if (problem !== undefined)
    return { status: failed(context, [problem], exitStatus.failed), diagnostics: [problem] };
  const { invocation, reporter } = context;
  const opened = await openProject(context, (outDir) => loadReuse(outDir, invocation));
  if ("status" in opened) return opened;
  if (invocation.flags.has("dry-run"))
    return { status: finish(context, opened.run, emptyPlan, exitStatus.done), diagnostics: [] };
  const { run, manifest, loaded } = opened;
  const options = {
    overwriteEdited: invocation.flags.has("overwrite-edited"),
    adopt: invocation.flags.has("adopt"),
  };
  const files = filesWithProgress(anchoredFiles(run.outDir, diskFiles), reporter);
  let affected: readonly string[] = [];
  let copies: readonly string[] = [];
  const makePlan = async (tree: ProjectTree): Promise<Plan> => {
    const newPlan = await planTree(reporter, manifest, tree, options, run.reuse);
    const problem = nameProblem(
      newPlan,
      invocation.values.get("plan"),
      manifest.path ?? "mcp.yaml",
    );
    if (problem !== undefined) return { ...emptyPlan, diagnostics: [problem] };
    affected = isConfined() ? [] : affectedModules(newPlan, run.outDir);
    copies = savedCopies(tree, newPlan.changes);
    return newPlan;
  };
  const applied = await applyUnderLock(run.outDir, files, makePlan, projectLock);
  const { plan: appliedPlan, recovered, failures } = applied;
  if (recovered) reporter.text("Finished what an interrupted run had left.\n");
  const model = () => manifest.model;
  if (appliedPlan === undefined) {
    const failed = withShownPaths({ ...emptyPlan, diagnostics: failures }, run, context.folder);
    const status = finish(context, run, failed, statusOf(failures, exitStatus.failed));
    return { status, diagnostics: failed.diagnostics, model };
  }
  saveReuse(run.outDir, run.reuse);
  const plan = withShownPaths(appliedPlan, run, context.folder);
  reporter.text(planText(plan, reporter.paint));
  reporter.text(modulesText(affected, reporter.paint));
  reporter.text(callersText(plan.semantic, formerState(plan), loaded, reporter.paint));
  if (reportsNothing || plan.changes.length > 0) {
    reporter.text(copiesText(copies, reporter.paint));
    reporter.text(`${planSummary(plan)}\n`);
    // In `dev`, a diagnostic says so.
    if (reportsNothing) reporter.text(installText(appliedPlan, run.outDir));
  }
  const { diagnostics } = plan;
  const status = finish(context, run, plan, statusOf(diagnostics, exitStatus.done));
  return { status, diagnostics, model, changes: plan.changes };
}

/** The problem of a plan that is not the one that `--plan` names. */
function nameProblem(
  { operations }: Plan,
  wanted: string | undefined,
  manifestPath: string,
): Diagnostic | undefined {
  const found = planName(operations);
  if (wanted === undefined || wanted === found) return undefined;
  return planNotShown(wholeFile(manifestPath), { found });
}
