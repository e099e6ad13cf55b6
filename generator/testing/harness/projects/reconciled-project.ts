import * as assert from "uvu/assert";
import { applyPlan } from "../../../7-apply/apply.js";
import type { OutputFile } from "../../../model/output-file.js";
import type { Plan } from "../../../model/plan.js";
import { MemoryProject, planFor, projectFiles, ROOT, type TestChoices } from "./memory-project.js";

/** Plans and applies; the plan must name exactly the files that change. */
export function generate(
  project: MemoryProject,
  files: readonly OutputFile[],
  choices?: TestChoices,
): Plan {
  const before = project.snapshot();
  const plan = planFor(project.tree, files, choices);
  assert.equal(applyPlan(ROOT, plan, project.files), []);
  const after = project.snapshot();
  const named = plan.changes.flatMap(({ op, path, from }) =>
    op === "keep" || op === "conflict" ? [] : from === undefined ? [path] : [from, path],
  );
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...paths].filter((path) => before[path] !== after[path]);
  assert.equal([...new Set(named)].sort(), changed.sort(), "the plan names what changed");
  return plan;
}

export function codes(plan: Plan): string[] {
  return plan.diagnostics.map(({ code }) => code);
}

/** A project in memory, with one tool unless files are given. */
export function generated(files: readonly OutputFile[] = projectFiles(["one"])): MemoryProject {
  const project = new MemoryProject();
  generate(project, files);
  return project;
}
