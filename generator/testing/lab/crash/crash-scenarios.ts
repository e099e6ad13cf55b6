import type { ReconcileOptions } from "../../../6-reconcile/decision.js";
import { createHandlerEditor } from "../../../6-reconcile/handlers/handler-editor.js";
import { LOCK_PATH } from "../../../6-reconcile/lock.js";
import { applyPlan } from "../../../7-apply/apply.js";
import type { SourceEditor } from "../../../6-reconcile/source-editor.js";
import type { ItemId, OutputFile } from "../../../model/output-file.js";
import { handlerProjectFiles } from "../../harness/projects/handler-project.js";
import {
  MemoryProject,
  planFor,
  ROOT,
  type TestChoices,
} from "../../harness/projects/memory-project.js";

/**
 * An editor that edits each text once. A scenario is run hundreds of times over the same files, and what an editor says
 * depends on nothing but what it is given.
 */
function remembering(editor: SourceEditor): SourceEditor {
  const problems = new Map<string, ReturnType<SourceEditor["problemIn"]>>();
  const changes = new Map<string, ReturnType<SourceEditor["edit"]>>();
  return {
    problemIn: (path, source) =>
      remembered(problems, [path, source], () => editor.problemIn(path, source)),
    edit: (source, task) => remembered(changes, [source, task], () => editor.edit(source, task)),
  };
}

function remembered<Result>(
  results: Map<string, Result>,
  given: readonly unknown[],
  find: () => Result,
): Result {
  const key = JSON.stringify(given, (_, value: unknown) =>
    value instanceof Map ? [...value] : value,
  );
  if (!results.has(key)) results.set(key, find());
  return results.get(key) as Result;
}

/** A project, and one generation over it that may be interrupted anywhere. */
export interface CrashScenario {
  readonly name: string;
  readonly project: MemoryProject;
  /** Absolute path of the output folder. */
  readonly root: string;
  readonly output: readonly OutputFile[];
  readonly choices: TestChoices;
}

const editor = remembering(createHandlerEditor());
const MINE = "\r\n\t// mine";

interface Change {
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** New name of a tool → its old one. */
  readonly renamed?: Readonly<Record<string, string>>;
  readonly options?: Partial<ReconcileOptions>;
  /** What a person did in between. */
  readonly edit: (project: MemoryProject) => void;
}

function scenario(name: string, { from, to, renamed, options = {}, edit }: Change): CrashScenario {
  const project = new MemoryProject();
  if (from.length > 0) generateQuietly(project, handlerProjectFiles({ tools: from, version: 1 }));
  edit(project);
  const renames = new Map(
    Object.entries(renamed ?? {}).map(
      ([now, former]) => [`tool:${now}`, [`tool:${former}`]] as [ItemId, ItemId[]],
    ),
  );
  const output = handlerProjectFiles({ tools: to, version: 3 });
  return { name, project, root: ROOT, output, choices: { editor, renames, options } };
}

function generateQuietly(project: MemoryProject, output: readonly OutputFile[]): void {
  const plan = planFor(project.tree, output, { editor });
  const failures = applyPlan(ROOT, plan, project.files);
  if (failures.length > 0) throw new Error(failures[0]?.message);
}

/** Edits every file that is a person's to edit. */
function editAll(project: MemoryProject): void {
  for (const path of Object.keys(project.snapshot())) {
    if (/^(src\/(tools|context)|test\/tools)/.test(path)) {
      project.edit(path, (text) => text + MINE);
    }
  }
  project.edit("package.json", (text) =>
    text.replace("{", '{ "mine": [1],').replace("tsc", "mine"),
  );
  project.edit(".env.example", (text) => `${text}MINE=1`);
}

/** What generating does to a tree: each kind of step, alone and with the others. */
export function crashScenarios(): CrashScenario[] {
  return [
    scenario("a new project", { from: [], to: ["alpha", "gamma"], edit: () => undefined }),
    {
      ...scenario("a new project in new folders", { from: [], to: ["a"], edit: () => undefined }),
      root: `${ROOT}/deep/out`,
    },
    scenario("an update", { from: ["alpha", "gamma"], to: ["alpha", "gamma"], edit: editAll }),
    scenario("an update of files that nobody edited", {
      from: ["alpha", "gamma"],
      to: ["alpha", "beta"],
      edit: () => undefined,
    }),
    scenario("a rename, with a file that imports the handler", {
      from: ["alpha", "gamma"],
      to: ["delta", "gamma"],
      renamed: { delta: "alpha" },
      edit(project) {
        editAll(project);
        project.write("src/mine.ts", 'import { alpha } from "./tools/alpha.js";\r\nalpha');
      },
    }),
    scenario("two handlers that change places", {
      from: ["alpha", "gamma"],
      to: ["alpha", "gamma"],
      renamed: { alpha: "gamma", gamma: "alpha" },
      edit: editAll,
    }),
    scenario("a removal", { from: ["alpha", "gamma"], to: [], edit: editAll }),
    scenario("a return", {
      from: ["alpha", "gamma"],
      to: ["alpha", "gamma"],
      edit(project) {
        editAll(project);
        generateQuietly(project, handlerProjectFiles({ tools: ["alpha"], version: 2 }));
      },
    }),
    scenario("edited generated files that are replaced", {
      from: ["alpha", "gamma"],
      to: ["alpha"],
      options: { overwriteEdited: true },
      edit(project) {
        editAll(project);
        project.edit("src/main.ts", (text) => text + MINE);
      },
    }),
    scenario("a lost lock", {
      from: ["alpha", "gamma"],
      to: ["gamma", "beta"],
      options: { adopt: true, overwriteEdited: true },
      edit(project) {
        editAll(project);
        project.edit("src/main.ts", (text) => text + MINE);
        project.remove(LOCK_PATH);
      },
    }),
  ];
}
