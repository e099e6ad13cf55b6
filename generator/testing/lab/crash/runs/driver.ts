import { applyUnderLock } from "../../../../7-apply/apply-under-lock.js";
import { diskFiles } from "../../../../7-apply/file-layer.js";
import { runningProcesses } from "../../../../7-apply/process-lock.js";
import { endOnSignals } from "../../../../cli/signals.js";
import { planFor, projectFiles } from "../../../harness/projects/memory-project.js";

/**
 * A generation of a small project that starts quickly, for thousands of real kills:
 *
 *   node driver.js FOLDER VERSION TOOL…
 *
 * Like the command, it ends with 4 and says why where the disk refuses.
 */
const [root = "", version = "1", ...tools] = process.argv.slice(2);
endOnSignals();
const files = projectFiles(tools, version);
const { failures, plan } = await applyUnderLock(
  root,
  diskFiles,
  async (tree) => planFor(tree, files),
  { processes: runningProcesses, patience: 2_000 },
);
const refused = plan?.diagnostics.filter(({ code }) => code === "MW4030") ?? [];
for (const { message } of [...failures, ...refused]) console.error(message);
process.exitCode = failures.length + refused.length > 0 ? 4 : 0;
