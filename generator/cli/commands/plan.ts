import { resolve } from "node:path";
import { compareManifests } from "../../4-compare/compare.js";
import type { Plan, SemanticChange } from "../../model/plan.js";
import { exitStatus } from "../exit-status.js";
import { loadFormer, parseSource, type FormerManifest } from "../manifest-source.js";
import {
  emptyPlan,
  finish,
  openProject,
  planReadOnly,
  statusOf,
  type OpenedProject,
  type ProjectRun,
  type ReadOnlyPlan,
} from "../project-run.js";
import { fileDiffs } from "../report/file-diffs.js";
import { copiesText, isToCheck, planSummary, planText } from "../report/plan-text.js";
import { callersText } from "../report/semantic-text.js";
import type { Command, CommandContext } from "../command.js";
import { savedCopies } from "../saved-copies.js";
import { checkPlan } from "../type-check/checked-plan.js";

/** `mcpwright plan`: what generate would do, and what callers will see; writes nothing. */
export const plan: Command = async (context) => {
  const opened = openProject(context);
  if ("status" in opened) return opened.status;
  const { run, manifest } = opened;
  const since = await sinceRevision(context);
  if (since !== undefined && since.canonical === undefined) {
    const { diagnostics, sources } = since;
    const compiled = { ...run.compiled, sources };
    const failed = { ...emptyPlan, diagnostics };
    return finish(context, { ...run, compiled }, failed, exitStatus.wrong);
  }
  const seen = await planReadOnly(context, run, manifest);
  const planned = { ...seen, plan: await checkHandlers(context, seen, run) };
  const semantic =
    since?.canonical === undefined
      ? planned.plan.semantic
      : compareManifests(since.canonical, manifest.canonical);
  await print(context, opened, planned, semantic);
  const pending = planned.interrupted || planned.plan.operations.length > 0;
  const status = statusOf(planned.plan.diagnostics, pending ? exitStatus.pending : exitStatus.done);
  return finish(context, run, { ...planned.plan, semantic }, status);
};

/** An interrupted run is finished first, and only then are the files of the project what they seem. */
async function checkHandlers(
  { reporter, folder }: CommandContext,
  { plan: seen, interrupted }: ReadOnlyPlan,
  { outDir }: ProjectRun,
): Promise<Plan> {
  if (interrupted) return seen;
  if (seen.changes.some(isToCheck)) reporter.progress("type-checking handlers");
  return checkPlan(seen, outDir, folder);
}

/** The manifest at the revision of `--since`; undefined without one. */
async function sinceRevision({
  invocation,
  folder,
}: CommandContext): Promise<FormerManifest | undefined> {
  const revision = invocation.values.get("since");
  if (revision === undefined) return undefined;
  const manifest = resolve(folder, invocation.positionals[0] ?? "mcp.yaml");
  return loadFormer(parseSource(revision, folder, manifest));
}

async function print(
  { invocation, reporter }: CommandContext,
  { loaded }: OpenedProject,
  { plan: result, interrupted, tree }: ReadOnlyPlan,
  semantic: readonly SemanticChange[],
): Promise<void> {
  const { paint } = reporter;
  if (interrupted) reporter.text("An interrupted run will be finished first.\n");
  reporter.text(planText(result, paint));
  if (invocation.flags.has("diff") && !invocation.flags.has("json")) {
    reporter.text(await fileDiffs(result.operations, tree, paint));
  }
  const since = invocation.values.get("since") ?? "the last generation";
  reporter.text(callersText(semantic, since, loaded, paint));
  reporter.text(copiesText(savedCopies(tree, result.changes), paint));
  reporter.text(`${planSummary(result)}\n`);
}
