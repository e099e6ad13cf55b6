import { isConfined } from "../../1-load/boundary.js";
import { normalize } from "../../3-normalize/normalize.js";
import { compareManifests } from "../../4-compare/compare.js";
import { listCost } from "../../listing/list-cost.js";
import { readCheckedLock } from "../../6-reconcile/checked-lock.js";
import { planName } from "../../6-reconcile/plan-name.js";
import type { ListCost } from "../../model/list-cost.js";
import { validManifest } from "../../model/loaded-manifest.js";
import type { Plan, SemanticChange } from "../../model/plan.js";
import { exitStatus } from "../exit-status.js";
import { manifestPath } from "../compile-manifest.js";
import { loadFormerManifest, parseSource, type FormerManifest } from "../manifest-source.js";
import {
  emptyPlan,
  finish,
  mostChanges,
  openProject,
  planReadOnly,
  statusOf,
  type OpenedProject,
  type ProjectRun,
  type ReadOnlyPlan,
} from "../project-run.js";
import { costText, reportedCost } from "../report/cost-text.js";
import { fileDiffs } from "../report/file-diffs.js";
import { copiesText, isToCheck, planSummary, planText } from "../report/plan-text.js";
import { callersText, formerState } from "../report/semantic-text.js";
import type { Command, CommandContext } from "../command.js";
import { installText } from "../package-manager.js";
import { savedCopies } from "../saved-copies.js";
import { checkPlan } from "../type-check/checked-plan.js";

/** `mcpwright plan`: prints what `generate` would do, and which changes callers will notice. Writes nothing. */
export const plan: Command = async (context) => {
  const opened = await openProject(context);
  if ("status" in opened) return opened.status;
  const { run, manifest } = opened;
  const since = await sinceRevision(context);
  if (since !== undefined && since.canonical === undefined) {
    const { diagnostics, sources } = since;
    const compiled = { ...run.compiled, sources };
    const failed = { ...emptyPlan, diagnostics };
    return finish(context, { ...run, compiled }, failed, exitStatus.wrong);
  }
  const unchecked = await planReadOnly(context, run, manifest);
  const planned = { ...unchecked, plan: await checkHandlers(context, unchecked, run) };
  const semantic =
    since?.canonical === undefined
      ? planned.plan.semantic
      : compareManifests(since.canonical, manifest.canonical);
  const costs = { now: await listCost(manifest.model), former: await formerCost(since, planned) };
  await print(context, opened, planned, semantic, costs);
  const pending = planned.interrupted || planned.plan.operations.length > 0;
  const status = statusOf(planned.plan.diagnostics, pending ? exitStatus.pending : exitStatus.done);
  const tokens = reportedCost(costs.now, costs.former, mostChanges(context.invocation));
  const name = planName(planned.plan.operations);
  return finish(context, run, { ...planned.plan, semantic }, status, { plan: name, tokens });
};

/**
 * Type-checks the handlers that the plan affects. Not after an interrupted run, since the files on the disk are
 * then not the ones that the plan was made for.
 */
async function checkHandlers(
  { reporter, folder }: CommandContext,
  { plan: unchecked, interrupted }: ReadOnlyPlan,
  { outDir }: ProjectRun,
): Promise<Plan> {
  // The compiler of the project would read whatever its configuration names.
  if (interrupted || isConfined()) return unchecked;
  if (unchecked.changes.some(isToCheck)) reporter.progress("type-checking handlers");
  return checkPlan(unchecked, outDir, folder);
}

/** The manifest at the revision of `--since`. Undefined without that option. */
async function sinceRevision(context: CommandContext): Promise<FormerManifest | undefined> {
  const revision = context.invocation.values.get("since");
  if (revision === undefined) return undefined;
  return loadFormerManifest(parseSource(revision, context.folder, manifestPath(context)));
}

/** What the lists cost at the revision of `--since`, or else at the last generation. Undefined if there is none. */
async function formerCost(
  since: FormerManifest | undefined,
  { tree }: ReadOnlyPlan,
): Promise<ListCost | undefined> {
  if (since !== undefined) return since.model && listCost(since.model());
  const lock = readCheckedLock(tree);
  return lock.kind === "read" ? listCost(normalize(validManifest(lock.lock.manifest))) : undefined;
}

async function print(
  { invocation, reporter }: CommandContext,
  { loaded, run: { outDir } }: OpenedProject,
  { plan: result, interrupted, tree }: ReadOnlyPlan,
  semantic: readonly SemanticChange[],
  costs: { readonly now: ListCost; readonly former: ListCost | undefined },
): Promise<void> {
  const { paint } = reporter;
  if (interrupted) reporter.text("An interrupted run will be finished first.\n");
  reporter.text(planText(result, paint));
  if (invocation.flags.has("diff") && !invocation.flags.has("json")) {
    reporter.text(await fileDiffs(result.operations, tree, paint));
  }
  const since = invocation.values.get("since") ?? formerState(result);
  reporter.text(callersText(semantic, since, loaded, paint));
  reporter.text(costText(costs.now, costs.former, paint));
  reporter.text(copiesText(savedCopies(tree, result.changes), paint));
  reporter.text(`${planSummary(result)}\n`);
  if (!interrupted) reporter.text(installText(result, outDir, "Then"));
}
