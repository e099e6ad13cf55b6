import { join } from "node:path";
import { handlerWillNotFit } from "../../model/catalogue/development.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Change, Plan } from "../../model/plan.js";
import { shownPath } from "../compile-manifest.js";
import { isToCheck } from "../report/plan-text.js";
import { affectedModules } from "./affected-modules.js";
import { placeIn } from "./compiler-findings.js";
import { checkPlannedModules, type CheckedModule } from "./planned-modules.js";

/**
 * Names, of the edited handlers whose types change and the other modules that mention what changes,
 * those that will not type-check, and why: by asking the compiler. Where the project's dependencies
 * are not installed, all of those handlers stay named.
 *
 * @param outDir absolute path of the project
 * @param folder the folder of the run, for the paths of the diagnostics
 */
export async function checkPlan(plan: Plan, outDir: string, folder: string): Promise<Plan> {
  const handlers = plan.changes.filter(isToCheck).map(({ path }) => path);
  const modules = new Set([...handlers, ...affectedModules(plan, outDir)]);
  const checked =
    modules.size > 0 ? await checkPlannedModules(outDir, plan.operations, [...modules]) : undefined;
  if (checked === undefined) return plan;
  const shown = (path: string): string => shownPath(folder, join(outDir, path));
  const changes = plan.changes.flatMap((change) =>
    isToCheck(change) ? withFindings(change, checked.get(change.path)) : [change],
  );
  const found = [...checked].flatMap(([path, module]) => diagnosticsOf(shown(path), module));
  const texts = [...checked].map(([path, { text }]) => [shown(path), text] as const);
  const sources = new Map([...(plan.sources ?? []), ...texts]);
  return { ...plan, changes, diagnostics: [...plan.diagnostics, ...found], sources };
}

/** Nothing where the handler still fits. */
function withFindings(change: Change, handler: CheckedModule | undefined): Change[] {
  if (handler === undefined) return [change];
  const [first, ...more] = handler.findings;
  if (first === undefined) return [];
  const rest = more.length === 0 ? "" : `, and ${more.length} more`;
  const reason = `will not type-check: ${first.line}:${first.column} ${first.message}${rest}`;
  return [{ ...change, reason }];
}

function diagnosticsOf(file: string, { findings, text }: CheckedModule): Diagnostic[] {
  return findings.map((finding) => handlerWillNotFit(placeIn(text, file, finding), finding));
}
