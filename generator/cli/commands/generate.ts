import { applyUnderLock } from "../../7-apply/apply-under-lock.js";
import { anchoredFiles } from "../../7-apply/anchored-files.js";
import { diskFiles } from "../../7-apply/file-layer.js";
import { runningProcesses } from "../../7-apply/process-lock.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { ServerModel } from "../../model/server-model.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import { keepReuse, openReuse } from "../kept-reuse.js";
import { watchedFiles } from "../progress.js";
import { emptyPlan, finish, fromFolder, openProject, planTree, statusOf } from "../project-run.js";
import { copiesText, modulesText, planSummary, planText } from "../report/plan-text.js";
import { callersText } from "../report/semantic-text.js";
import type { Command, CommandContext } from "../command.js";
import { savedCopies } from "../saved-copies.js";
import { affectedModules, isBesideHandlers } from "../type-check/affected-modules.js";

/** Milliseconds to wait for another run on the same folder. */
const patience = 2_000;

/** How a generation ended. */
export interface Generated {
  readonly status: ExitStatus;
  /** Of the manifest and of the project. */
  readonly diagnostics: readonly Diagnostic[];
  /** Absent when the manifest is wrong. */
  readonly model?: () => ServerModel;
}

/** `mcpwright generate`: makes or updates the project, all or nothing. */
export const generate: Command = async (context) => (await generateProject(context)).status;

/**
 * Does what `generate` does, and reports it.
 *
 * @param sayIdle whether it is worth a word that nothing was to be done
 */
export async function generateProject(context: CommandContext, sayIdle = true): Promise<Generated> {
  const { invocation, reporter } = context;
  const opened = openProject(context, (outDir) => openReuse(outDir, invocation));
  if ("status" in opened) return opened;
  const { run, manifest, loaded } = opened;
  const options = {
    overwriteEdited: invocation.flags.has("overwrite-edited"),
    adopt: invocation.flags.has("adopt"),
  };
  const writing = watchedFiles(anchoredFiles(run.outDir, diskFiles), reporter);
  let affected: readonly string[] = [];
  let copies: readonly string[] = [];
  const {
    plan: planned,
    recovered,
    failures,
  } = await applyUnderLock(
    run.outDir,
    writing,
    async (tree) => {
      const made = await planTree(reporter, manifest, tree, options, run.reuse);
      affected = affectedModules(made, run.outDir, isBesideHandlers);
      copies = savedCopies(tree, made.changes);
      return made;
    },
    { processes: runningProcesses, patience },
  );
  if (recovered) reporter.text("Finished what an interrupted run had left.\n");
  const model = () => manifest.model;
  if (planned === undefined) {
    const failed = fromFolder({ ...emptyPlan, diagnostics: failures }, run, context.folder);
    const status = finish(context, run, failed, statusOf(failures, exitStatus.failed));
    return { status, diagnostics: failed.diagnostics, model };
  }
  keepReuse(run.outDir, run.reuse);
  const plan = fromFolder(planned, run, context.folder);
  reporter.text(planText(plan, reporter.paint));
  reporter.text(modulesText(affected, reporter.paint));
  reporter.text(callersText(plan.semantic, "the last generation", loaded, reporter.paint));
  if (sayIdle || plan.changes.length > 0) {
    reporter.text(copiesText(copies, reporter.paint));
    reporter.text(`${planSummary(plan)}\n`);
  }
  const { diagnostics } = plan;
  const status = finish(context, run, plan, statusOf(diagnostics, exitStatus.done));
  return { status, diagnostics, model };
}
