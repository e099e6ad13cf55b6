import { anchoredFiles } from "../7-apply/anchored-files.js";
import { applyUnderLock } from "../7-apply/apply-under-lock.js";
import { diskFiles } from "../7-apply/file-layer.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { FileOperation } from "../model/plan.js";
import { projectLock } from "./project-lock.js";
import { emptyPlan } from "./project-run.js";

/** Writes files in a folder, all or none, and returns what failed. */
export async function writeFiles(
  folder: string,
  operations: readonly FileOperation[],
): Promise<readonly Diagnostic[]> {
  const { failures } = await applyUnderLock(
    folder,
    anchoredFiles(folder, diskFiles),
    () => Promise.resolve({ ...emptyPlan, operations }),
    projectLock,
  );
  return failures;
}
