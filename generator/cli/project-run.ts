import { homedir } from "node:os";
import { join, relative, resolve } from "node:path";
import { diskFiles } from "../7-apply/file-layer.js";
import { viewProject } from "../7-apply/recover.js";
import { canonicalManifest } from "../3-normalize/canonical.js";
import { checkOutputFolder } from "../6-reconcile/output-folder.js";
import type { Reuse } from "../5-emit/reuse.js";
import type { ProjectTree } from "../6-reconcile/tree.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import type { Plan } from "../model/plan.js";
import { plan, type CheckedManifest } from "../plan.js";
import {
  compileManifest,
  manifestFolder,
  realFolder,
  shownPath,
  type CompiledManifest,
} from "./compile-manifest.js";
import { exitStatus, statusOfProject, type ExitStatus } from "./exit-status.js";
import { paceFor } from "./progress.js";
import type { Reporter } from "./report/reporter.js";
import { reportedChange } from "./report/semantic-text.js";
import type { CommandContext } from "./command.js";
import { mcpwrightVersion } from "./version.js";

/** A run of `generate`, `plan` or `check`, as far as it is the same for the three. */
export interface ProjectRun {
  readonly compiled: CompiledManifest;
  /** Absolute. */
  readonly outDir: string;
  /** In seconds since the process began. */
  readonly started: number;
  /** What former runs have made; absent where everything is made anew. */
  readonly reuse: Reuse | undefined;
}

/** A project whose manifest is valid. */
export interface OpenedProject {
  readonly run: ProjectRun;
  readonly manifest: CheckedManifest;
  /** The manifest as it was loaded, for its lines. */
  readonly loaded: LoadedManifest;
}

/** What is wrong has been reported. */
export interface UnopenedProject {
  readonly status: ExitStatus;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The manifest and the output folder of a command line; reports and ends the run when one is wrong.
 *
 * @param open what former runs have made of the project in a folder
 */
export function openProject(
  context: CommandContext,
  open?: (outDir: string) => Reuse | undefined,
): OpenedProject | UnopenedProject {
  const started = process.uptime();
  const out = context.invocation.values.get("out");
  const outDir = out === undefined ? manifestFolder(context) : resolve(context.folder, out);
  const reuse = open?.(outDir);
  const compiled = compileManifest(context, reuse);
  const folderProblem = out === undefined ? undefined : checkOut(out, context.folder, compiled);
  const run = { compiled, outDir, started, reuse };
  const { manifest, model } = compiled;
  if (manifest === undefined || model === undefined || folderProblem !== undefined) {
    const diagnostics = folderProblem === undefined ? [] : [folderProblem];
    const status = finish(context, run, { ...emptyPlan, diagnostics }, exitStatus.wrong);
    return { status, diagnostics: [...compiled.diagnostics, ...diagnostics] };
  }
  return {
    run,
    manifest: {
      canonical: canonicalManifest(manifest.value),
      get model() {
        return model();
      },
      path: relative(realFolder(outDir), compiled.path).replaceAll("\\", "/"),
    },
    loaded: manifest,
  };
}

function checkOut(
  out: string,
  workingFolder: string,
  { folder }: { readonly folder: string },
): Diagnostic | undefined {
  const surroundings = { workingFolder, homeFolder: homedir(), manifestFolder: folder };
  return checkOutputFolder(out, surroundings, diskFiles);
}

export const emptyPlan: Plan = { changes: [], semantic: [], diagnostics: [], operations: [] };

export interface ReadOnlyPlan {
  readonly plan: Plan;
  readonly interrupted: boolean;
  /** The project that it was made for. */
  readonly tree: ProjectTree;
}

/** What `generate` would do now, seen without writing, also over an interrupted run. */
export async function planReadOnly(
  { reporter, folder }: CommandContext,
  run: ProjectRun,
  manifest: CheckedManifest,
): Promise<ReadOnlyPlan> {
  const { tree, diagnostics, interrupted } = viewProject(run.outDir, diskFiles);
  const plan =
    diagnostics.length > 0
      ? { ...emptyPlan, diagnostics }
      : await planTree(reporter, manifest, tree);
  return { plan: fromFolder(plan, run, folder), interrupted, tree };
}

export function planTree(
  reporter: Reporter,
  manifest: CheckedManifest,
  tree: ProjectTree,
  options = { overwriteEdited: false, adopt: false },
  reuse: Reuse | undefined = undefined,
): Promise<Plan> {
  const pace = paceFor(reporter, manifest);
  return plan(manifest, tree, mcpwrightVersion(), options, { pace, reuse });
}

/**
 * A plan whose diagnostics name files as they are reached from the folder of the run.
 *
 * @param folder absolute path
 */
export function fromFolder(plan: Plan, { outDir }: ProjectRun, folder: string): Plan {
  const shown = (path: string): string => shownPath(folder, join(outDir, path));
  return {
    ...plan,
    diagnostics: plan.diagnostics.map((found) => ({ ...found, file: shown(found.file) })),
    sources: new Map([...(plan.sources ?? [])].map(([path, text]) => [shown(path), text])),
  };
}

/** The status of a finished run: what its diagnostics say, else `otherwise`. */
export function statusOf(diagnostics: readonly Diagnostic[], otherwise: ExitStatus): ExitStatus {
  return statusOfProject(diagnostics) ?? otherwise;
}

/** Prints the diagnostics and, under `--json`, the document. Returns the status. */
export function finish(
  context: CommandContext,
  run: ProjectRun,
  result: Plan,
  exitCode: ExitStatus,
): ExitStatus {
  const { diagnostics } = run.compiled;
  const sources = new Map([...run.compiled.sources, ...(result.sources ?? [])]);
  context.reporter.diagnostics([...diagnostics, ...result.diagnostics], sources);
  return finishSilently(context, run, result, exitCode);
}

/** Prints the document of `--json` only. Returns the status. */
export function finishSilently(
  { reporter }: CommandContext,
  { compiled, outDir, started }: ProjectRun,
  result: Plan,
  exitCode: ExitStatus,
): ExitStatus {
  const diagnostics = [...compiled.diagnostics, ...result.diagnostics];
  reporter.document({
    ok: exitCode === exitStatus.done,
    exitCode,
    manifest: compiled.file,
    outDir,
    changes: result.changes,
    semantic: result.semantic.map(reportedChange),
    ...reporter.counted(diagnostics),
    stats: {
      files: result.changes.length,
      written: result.operations.length,
      milliseconds: Math.round((process.uptime() - started) * 1_000),
    },
  });
  return exitCode;
}
