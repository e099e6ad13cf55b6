import { runtimeDiffers } from "../../model/catalogue/project.js";
import { exitStatus } from "../exit-status.js";
import { finish, finishSilently, openProject, planReadOnly, statusOf } from "../project-run.js";
import { checkText } from "../report/check-text.js";
import type { Command } from "../command.js";

/** `mcpwright check`: prints something only if `generate` would write, or if the runtime does not fit. Writes nothing. */
export const check: Command = async (context) => {
  const opened = await openProject(context);
  if ("status" in opened) return opened.status;
  const { plan: result, interrupted } = await planReadOnly(context, opened.run, opened.manifest);
  const pending = interrupted || result.operations.length > 0;
  context.reporter.text(checkText(result, interrupted, context.reporter.paint));
  const status = statusOf(result.diagnostics, pending ? exitStatus.pending : exitStatus.done);
  if (status !== exitStatus.done) return finish(context, opened.run, result, status);
  // Files are as they should be, and the server may still run on another runtime.
  const ofRuntime = result.diagnostics.filter(({ code }) => code === runtimeDiffers.entry.code);
  context.reporter.diagnostics(ofRuntime, result.sources ?? new Map());
  return finishSilently(context, opened.run, result, status);
};
