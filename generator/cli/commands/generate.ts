import { applyUnderLock } from "../../7-apply/apply-under-lock.js";
import { diskFiles } from "../../7-apply/file-layer.js";
import { runningProcesses } from "../../7-apply/process-lock.js";
import { exitStatus } from "../exit-status.js";
import { watchedFiles } from "../progress.js";
import { emptyPlan, finish, openProject, planTree, statusOf } from "../project-run.js";
import { planSummary, planText } from "../report/plan-text.js";
import { semanticText } from "../report/semantic-text.js";
import type { Command } from "../run.js";

/** Milliseconds to wait for another run on the same folder. */
const patience = 2_000;

/** `mcpwright generate`: makes or updates the project, all or nothing. */
export const generate: Command = async (context) => {
  const opened = await openProject(context);
  if ("status" in opened) return opened.status;
  const { run, manifest, loaded } = opened;
  const { invocation, reporter } = context;
  const options = {
    overwriteEdited: invocation.flags.has("overwrite-edited"),
    adopt: invocation.flags.has("adopt"),
  };
  const writing = watchedFiles(diskFiles, reporter);
  const { plan, recovered, failures } = await applyUnderLock(
    run.outDir,
    writing,
    (tree) => planTree(reporter, manifest, tree, options),
    { processes: runningProcesses, patience },
  );
  if (recovered) reporter.text("Finished what an interrupted run had left.\n");
  if (plan === undefined) {
    const failed = { ...emptyPlan, diagnostics: failures };
    return finish(context, run, failed, statusOf(failures, exitStatus.failed));
  }
  reporter.text(planText(plan, reporter.paint));
  reporter.text(semanticText(plan.semantic, loaded, reporter.paint));
  reporter.text(`${planSummary(plan)}\n`);
  return finish(context, run, plan, statusOf(plan.diagnostics, exitStatus.done));
};
