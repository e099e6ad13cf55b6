import { homedir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { isOutside } from "../1-load/boundary.js";
import { diskFiles } from "../7-apply/file-layer.js";
import { viewProject } from "../7-apply/recover.js";
import { canonicalManifest } from "../3-normalize/canonical.js";
import { checkOutputFolder } from "../6-reconcile/output-folder.js";
import type { Reuse } from "../5-emit/reuse.js";
import type { ProjectTree } from "../6-reconcile/tree.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import { COMMAND_LINE } from "../model/catalogue/command-line.js";
import { plugAndPlay, unusableOutputFolder } from "../model/catalogue/project.js";
import { wholeFile, type Place } from "../model/place.js";
import type { Plan } from "../model/plan.js";
import { plan, type CheckedManifest } from "../plan.js";
import {
  compileManifest,
  manifestPath,
  realFolder,
  shownPath,
  type CompiledManifest,
} from "./compile-manifest.js";
import { exitStatus, isDone, statusOfProject, type ExitStatus } from "./exit-status.js";
import { installedRuntime } from "./installed-runtime.js";
import { usesPlugAndPlay } from "./package-manager.js";
import { paceFor } from "./progress.js";
import type { Reporter } from "./report/reporter.js";
import { reportedChange } from "./report/semantic-text.js";
import { shortReport } from "./report/short-report.js";
import type { CommandContext } from "./command.js";
import { mcpwrightVersion } from "./version.js";

/** What runs of `generate`, `plan` and `check` have in common. */
export interface ProjectRun {
  readonly compiled: CompiledManifest;
  /** The project's folder. Absolute. */
  readonly outDir: string;
  /** Start of the run, in seconds since the process began. */
  readonly started: number;
  /** Results of former runs. Absent if every file is made again. */
  readonly reuse: Reuse | undefined;
}

/** A project whose manifest is valid. */
export interface OpenedProject {
  readonly run: ProjectRun;
  readonly manifest: CheckedManifest;
  /** The manifest as it was loaded. It gives the line numbers for reports. */
  readonly loaded: LoadedManifest;
}

/** A project whose manifest or output folder is wrong. The diagnostics have been reported. */
export interface UnopenedProject {
  readonly status: ExitStatus;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compiles the manifest and checks the output folder of a command line. Reports all problems.
 *
 * @param loadReuse loads the results of former runs from the project's folder
 */
export async function openProject(
  context: CommandContext,
  loadReuse?: (outDir: string) => Reuse | undefined,
): Promise<OpenedProject | UnopenedProject> {
  const started = process.uptime();
  const out = context.invocation.values.get("out");
  const outDir =
    out === undefined ? realFolder(dirname(manifestPath(context))) : resolve(context.folder, out);
  const reuse = loadReuse?.(outDir);
  const compiled = await compileManifest(context);
  const folderProblem = checkOut(out, outDir, context.folder, compiled);
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
  out: string | undefined,
  outDir: string,
  workingFolder: string,
  { folder }: { readonly folder: string },
): Diagnostic | undefined {
  if (isOutside(outDir)) {
    const problem = "it is outside of the folder that may be read";
    return unusableOutputFolder(wholeFile(COMMAND_LINE), { found: out ?? ".", problem });
  }
  if (out === undefined) return undefined;
  const surroundings = { workingFolder, homeFolder: homedir(), manifestFolder: folder };
  return checkOutputFolder(out, surroundings, diskFiles);
}

export const emptyPlan: Plan = { changes: [], semantic: [], diagnostics: [], operations: [] };

/** The plan of a run that writes nothing. */
export interface ReadOnlyPlan {
  readonly plan: Plan;
  /** True if a former run was interrupted. `generate` would finish that run first. */
  readonly interrupted: boolean;
  /** The files of the project that the plan was made for. */
  readonly tree: ProjectTree;
}

/**
 * Plans what `generate` would do now, without writing. If a former run was interrupted, the plan is made for the
 * files as they will be when that run is finished.
 */
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
  return { plan: withShownPaths(plan, run, folder), interrupted, tree };
}

/** Plans the run for the given files of a project, with progress lines for a large server. */
export async function planTree(
  reporter: Reporter,
  manifest: CheckedManifest,
  tree: ProjectTree,
  options = { overwriteEdited: false, adopt: false },
  reuse: Reuse | undefined = undefined,
): Promise<Plan> {
  const pace = paceFor(reporter, manifest);
  const planned = await plan(manifest, tree, mcpwrightVersion(), options, {
    pace,
    reuse,
    installedRuntime: (specifier) => installedRuntime(specifier, tree.root),
  });
  if (!usesPlugAndPlay(tree.root)) return planned;
  const problem = plugAndPlay(wholeFile("package.json"), {});
  return { ...planned, diagnostics: [...planned.diagnostics, problem] };
}

/**
 * Makes the paths in a plan's diagnostics relative to the folder of the run. Before, they are relative to the
 * project's folder.
 *
 * @param folder the folder of the run, absolute
 */
export function withShownPaths(plan: Plan, { outDir }: ProjectRun, folder: string): Plan {
  const shown = (path: string): string => shownPath(folder, join(outDir, path));
  const atShownPath = <At extends Place>(place: At): At => ({ ...place, file: shown(place.file) });
  return {
    ...plan,
    diagnostics: plan.diagnostics.map(({ related, ...diagnostic }) => ({
      ...atShownPath(diagnostic),
      ...(related && { related: related.map(atShownPath) }),
    })),
    sources: new Map([...(plan.sources ?? [])].map(([path, text]) => [shown(path), text])),
  };
}

/** How many changes a document lists. Undefined for all. */
export function mostChanges({ values }: CommandContext["invocation"]): number | undefined {
  const maximum = values.get("max-changes");
  return maximum === undefined ? undefined : Number(maximum);
}

/** The exit status that the diagnostics of a run cause, or `usualStatus` if they cause none. */
export function statusOf(diagnostics: readonly Diagnostic[], usualStatus: ExitStatus): ExitStatus {
  return statusOfProject(diagnostics) ?? usualStatus;
}

/**
 * Prints the diagnostics and, with `--json`, the document. Returns the exit status.
 *
 * @param more further members of the document
 */
export function finish(
  context: CommandContext,
  run: ProjectRun,
  result: Plan,
  exitCode: ExitStatus,
  more: object = {},
): ExitStatus {
  const { diagnostics } = run.compiled;
  const sources = new Map([...run.compiled.sources, ...(result.sources ?? [])]);
  context.reporter.diagnostics([...diagnostics, ...result.diagnostics], sources);
  return finishSilently(context, run, result, exitCode, more);
}

/**
 * Prints only the document of `--json`, and no diagnostics for people. Returns the exit status.
 *
 * @param more further members of the document
 */
export function finishSilently(
  { reporter, invocation, fixed }: CommandContext,
  { compiled, outDir, started }: ProjectRun,
  result: Plan,
  exitCode: ExitStatus,
  more: object = {},
): ExitStatus {
  const diagnostics = [...compiled.diagnostics, ...result.diagnostics];
  const { changes, semantic, noticed } = shortReport(result, mostChanges(invocation));
  reporter.document({
    ok: isDone(invocation.command, exitCode),
    exitCode,
    manifest: compiled.file,
    outDir,
    changes,
    semantic: semantic.map((change) => reportedChange(change, compiled.manifest)),
    ...more,
    ...(fixed && { fixed }),
    ...reporter.counted(diagnostics),
    stats: {
      files: result.changes.length,
      ...(noticed !== undefined && { semantic: noticed }),
      written: result.operations.length,
      milliseconds: Math.round((process.uptime() - started) * 1_000),
    },
  });
  return exitCode;
}
