import { join } from "node:path";
import { configurationMisfit, handlerWillNotFit } from "../../model/catalogue/development.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Change, Plan } from "../../model/plan.js";
import { quoted } from "../../text/value-words.js";
import { shownPath } from "../compile-manifest.js";
import { isToCheck } from "../report/plan-text.js";
import { affectedModulesAndImporters } from "./affected-modules.js";
import { placeOfWord, type CheckedModule } from "./compiler-findings.js";
import { checkPlannedModules } from "./planned-modules.js";

/**
 * Type-checks the edited handlers whose types change, the other modules that mention a changed type, and tests and
 * other modules that import one of these. In the resulting plan, only handlers that will not type-check are left, with the reason, and each error is a diagnostic. If
 * the project's dependencies are not installed, or its tsconfig.json cannot be read, the plan is returned unchanged.
 *
 * @param outDir absolute path of the project
 * @param folder the folder of the run, which paths in diagnostics are relative to
 */
export async function checkPlan(plan: Plan, outDir: string, folder: string): Promise<Plan> {
  const handlers = plan.changes.filter(isToCheck).map(({ path }) => path);
  const modules = new Set([...handlers, ...affectedModulesAndImporters(plan, outDir)]);
  const checked =
    modules.size > 0 ? await checkPlannedModules(outDir, plan.operations, [...modules]) : undefined;
  if (checked === undefined) return plan;
  const shown = (path: string): string => shownPath(folder, join(outDir, path));
  const changes = plan.changes.flatMap((change) =>
    isToCheck(change)
      ? withFindings(change, checked.get(change.path), plan.refusedMembers?.get(change.path))
      : [change],
  );
  const problems = [...checked].flatMap(([path, module]) => diagnosticsOf(shown(path), module));
  const texts = [...checked].map(([path, { text }]) => [shown(path), text] as const);
  const sources = new Map([...(plan.sources ?? []), ...texts]);
  return { ...plan, changes, diagnostics: [...plan.diagnostics, ...problems], sources };
}

/**
 * The change with the first error as its reason. Empty if the handler still type-checks, and names no member that its
 * result must not have any more.
 */
function withFindings(
  change: Change,
  handler: CheckedModule | undefined,
  refused: ReadonlySet<string> = new Set(),
): Change[] {
  if (handler === undefined) return [change];
  const [first, ...others] = handler.findings;
  if (first === undefined) {
    const words = new Set(handler.text.match(/\w+/g));
    const named = [...refused].filter((name) =>
      /^\w+$/.test(name) ? words.has(name) : handler.text.includes(name),
    );
    const reason = `type-checks; calls fail if it still returns ${named.map(quoted).join(", ")}`;
    return named.length === 0 ? [] : [{ ...change, reason }];
  }
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  const reason = `will not type-check: ${first.line}:${first.column} ${first.message}${more}`;
  return [{ ...change, reason }];
}

function diagnosticsOf(file: string, { findings, text }: CheckedModule): Diagnostic[] {
  const problem = file.endsWith(".json") ? configurationMisfit : handlerWillNotFit;
  return findings.map((finding) => problem(placeOfWord(text, file, finding), finding));
}
