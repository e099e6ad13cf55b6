import * as assert from "uvu/assert";
import { readLock } from "../../../6-reconcile/read-lock.js";
import { FolderTree } from "../../../6-reconcile/tree.js";
import { applyUnderLock, type RunOutcome } from "../../../7-apply/apply-under-lock.js";
import type { FileLayer } from "../../../7-apply/file-layer.js";
import type { ProcessTable } from "../../../7-apply/process-lock.js";
import type { Diagnostic } from "../../../model/diagnostic.js";
import type { CrashScenario } from "./crash-scenarios.js";
import { faulty, Killed, type Fault } from "../../harness/projects/faulty-files.js";
import { MemoryProject, planFor } from "../../harness/projects/memory-project.js";
import { personsFiles } from "../../harness/projects/persons-files.js";

type Snapshot = Readonly<Record<string, string>>;

/** What a run with a fault left. */
export interface Interrupted {
  readonly project: MemoryProject;
  /** Why the run failed, as far as it could tell. */
  readonly failures: readonly Diagnostic[];
  /** For messages. */
  readonly place: string;
}

let lastProcess = 0;

/** A new process, while all earlier ones are gone. */
export function newProcess(): ProcessTable {
  const ownId = ++lastProcess;
  return { ownId, startOf: (id) => (id === ownId ? "now" : undefined) };
}

/** One scenario, run again and again with a fault at another call. */
export class CrashLoop {
  readonly before: Snapshot;
  readonly after: Snapshot;
  private readonly folders: readonly string[];
  /** Texts of a person's files, each with its allowed new text. */
  private readonly kept: readonly (readonly [before: string, after: string])[];

  private constructor(
    private readonly scenario: CrashScenario,
    reference: MemoryProject,
    outcome: RunOutcome,
  ) {
    this.before = scenario.project.snapshot();
    this.after = reference.snapshot();
    this.folders = foldersOf(reference);
    const lock = readLock(new FolderTree(scenario.root, scenario.project.files));
    const changes = outcome.plan?.changes ?? [];
    this.kept = personsFiles(this.before, lock.kind === "read" ? lock.lock : undefined).map(
      (path) => {
        const text = this.before[path] ?? "";
        const place = changes.find(({ from }) => from === path)?.path ?? path;
        const isStill = Object.values(this.after).includes(text);
        return [text, isStill ? text : (this.after[place] ?? "")] as const;
      },
    );
  }

  static async of(scenario: CrashScenario): Promise<CrashLoop> {
    const reference = new MemoryProject({}, scenario.project);
    const outcome = await generate(scenario, reference.files);
    assert.equal(outcome.failures, []);
    return new CrashLoop(scenario, reference, outcome);
  }

  /** The project before the run. */
  start(): MemoryProject {
    return new MemoryProject({}, this.scenario.project);
  }

  /** Runs with a fault at each call in turn (or each `stride`-th), until a run meets none; how many did. */
  async forEachCall(
    fault: Omit<Fault, "at">,
    check: (left: Interrupted, at: number) => void | Promise<void>,
    stride = 1,
  ): Promise<number> {
    for (let at = 1, runs = 0; ; at += stride, runs++) {
      const project = this.start();
      const layer = faulty(project.files, { ...fault, at });
      const failures = await this.generate(layer.files);
      if (layer.calls() < at) return runs;
      const place = `${this.scenario.name}, ${fault.kind} at call ${at}`;
      await check({ project, failures, place }, at);
    }
  }

  /** Generates, and tells why that failed; a kill is no failure that anyone could tell. */
  async generate(files: FileLayer): Promise<readonly Diagnostic[]> {
    try {
      const { plan, failures } = await generate(this.scenario, files);
      return [...failures, ...(plan?.diagnostics ?? []).filter(({ code }) => code === "MW4030")];
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      return [];
    }
  }

  /** Guarantee 12, before the next run: every file is old or new, and no byte of a person's is lost. */
  assertOldOrNew({ project, place }: Interrupted): void {
    const found = project.snapshot();
    for (const path of new Set([...Object.keys(this.before), ...Object.keys(this.after)])) {
      const text = found[path];
      assert.ok(text === this.before[path] || text === this.after[path], `${place}: ${path}`);
    }
    this.assertNothingLost({ project, place });
  }

  assertNothingLost({ project, place }: Omit<Interrupted, "failures">): void {
    const texts = new Set(Object.values(project.snapshot()));
    for (const [before, after] of this.kept) {
      assert.ok(texts.has(before) || texts.has(after), `${place}: lost\n${before}`);
    }
  }

  /** Guarantee 12, after the next run: exactly the new tree, no folder and no file of ours besides. */
  async assertCompleted({ project, place }: Omit<Interrupted, "failures">): Promise<void> {
    assert.equal(await this.generate(project.files), [], place);
    assert.equal(project.snapshot(), this.after, place);
    assert.equal(foldersOf(project), this.folders, place);
  }
}

function generate({ root, output, choices }: CrashScenario, files: FileLayer): Promise<RunOutcome> {
  const options = { processes: newProcess(), patience: 100 };
  return applyUnderLock(root, files, async (tree) => planFor(tree, output, choices), options);
}

/** Every folder of a project, empty ones too. */
function foldersOf({ files }: MemoryProject, folder = "/"): string[] {
  return files
    .list(folder)
    .map((name) => `${folder === "/" ? "" : folder}/${name}`)
    .filter((path) => files.status(path)?.kind === "folder")
    .flatMap((path) => [path, ...foldersOf({ files } as MemoryProject, path)])
    .sort();
}
