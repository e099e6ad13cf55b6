import * as assert from "uvu/assert";
import { readLock } from "../../../6-reconcile/read-lock.js";
import type { ReconcileOptions } from "../../../6-reconcile/decision.js";
import { applyPlan } from "../../../7-apply/apply.js";
import type { Plan } from "../../../model/plan.js";
import { plan } from "../../../plan.js";
import { checkedManifest } from "./checked-manifest.js";
import { MemoryProject, ROOT } from "./memory-project.js";

/** Projects in memory, generated with the real emitter. */

/** The mcpwright that generates them. */
export const VERSION = "1.0.0";
export const careful: ReconcileOptions = { overwriteEdited: false, adopt: false };

export interface TestTool {
  readonly name: string;
  readonly renamedFrom?: readonly string[];
  /** Properties of its input, each a string. */
  readonly takes?: readonly string[];
}

/** A manifest with these tools, as JSON. */
export function toolManifest(tools: readonly TestTool[], version = "1.0.0"): string {
  const items = tools.map(({ name, renamedFrom, takes = ["city"] }) => ({
    name,
    ...(renamedFrom && { renamedFrom }),
    description: `Does ${name}.`,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(takes.map((key) => [key, { type: "string" }])),
      required: takes,
    },
  }));
  return JSON.stringify({ name: "demo", version, tools: items });
}

/** Plans for a manifest and carries the plan out. */
export async function generate(
  project: MemoryProject,
  yaml: string,
  options = careful,
): Promise<Plan> {
  const made = await plan(checkedManifest(yaml), project.tree, VERSION, options);
  assert.equal(applyPlan(ROOT, made, project.files), []);
  return made;
}

/** A new project. */
export async function generated(yaml: string): Promise<MemoryProject> {
  const project = new MemoryProject();
  await generate(project, yaml);
  return project;
}

export function codes({ diagnostics }: Pick<Plan, "diagnostics">): string[] {
  return diagnostics.map(({ code }) => code);
}

/** Every file that the lock calls generated. */
export function generatedFiles(project: MemoryProject): Record<string, string> {
  const state = readLock(project.tree);
  const files = state.kind === "read" ? [...state.lock.files] : [];
  const owned = files.filter(([, { owner }]) => owner === "generated");
  return Object.fromEntries(owned.map(([path]) => [path, project.text(path)]));
}

/** The manifest of a server with one tool, `get_forecast`. */
export const ONE_TOOL = toolManifest([{ name: "get_forecast" }]);

/** The path of the handler of `get_forecast`, and its code after a person's edits. */
export const HANDLER = "src/tools/get-forecast.ts";
export const MINE = `\uFEFFimport { type ToolHandler } from '../generated/index.js'\r
\r
export const getForecast: ToolHandler<'get_forecast'> =\tasync ({ city }) => {\r
\tconst forecast = \`get_forecast for \${city}\`; // getForecast\r
   return forecast}`;
