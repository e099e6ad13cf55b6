import { exitStatus } from "../exit-status.js";
import { finish, openProject, planReadOnly, statusOf } from "../project-run.js";
import { planSummary, planText } from "../report/plan-text.js";
import type { Command } from "../run.js";

/** `mcpwright plan`: what generate would do; writes nothing. */
export const plan: Command = async (context) => {
  const opened = await openProject(context);
  if ("status" in opened) return opened.status;
  const { plan: result, interrupted } = await planReadOnly(context, opened.run, opened.manifest);
  const pending = interrupted || result.operations.length > 0;
  const { reporter } = context;
  if (interrupted) reporter.text("An interrupted run will be finished first.\n");
  reporter.text(planText(result, reporter.paint));
  reporter.text(`${planSummary(result)}\n`);
  const status = statusOf(result.diagnostics, pending ? exitStatus.pending : exitStatus.done);
  return finish(context, opened.run, result, status);
};
