import { isDeepStrictEqual } from "node:util";
import { findFormerBodies } from "./4-compare/former-bodies.js";
import { compareManifests } from "./4-compare/compare.js";
import { trustedArguments } from "./4-compare/compare-trust.js";
import { withAffectedHandlers } from "./6-reconcile/affected-handlers.js";
import { readCheckedLock } from "./6-reconcile/checked-lock.js";
import { isPristine, type ReconcileOptions } from "./6-reconcile/decision.js";
import type { FormerProject, Reuse } from "./5-emit/reuse.js";
import { diskFailure, isDiskError } from "./6-reconcile/disk-failure.js";
import { createHandlerEditor } from "./6-reconcile/handlers/handler-editor.js";
import { manifestCodeOf } from "./6-reconcile/manifest-code.js";
import { isRuntimeFile } from "./5-emit/project/runtime-package.js";
import { withIgnoredRuntime } from "./6-reconcile/ignored-runtime.js";
import { withKeptPackages } from "./6-reconcile/kept-packages.js";
import { withRuntimeFit, type InstalledOf } from "./6-reconcile/runtime-fit.js";
import { withRuntime } from "./6-reconcile/runtime-source.js";
import { planProject } from "./6-reconcile/plan-project.js";
import type { LockState } from "./6-reconcile/read-lock.js";
import { renamesOf } from "./6-reconcile/renames.js";
import { textAt, type ProjectTree } from "./6-reconcile/tree.js";
import { withUnknownCallers } from "./6-reconcile/unknown-callers.js";
import { withVersionDrift } from "./6-reconcile/version-drift.js";
import type { JsonObject } from "./model/json.js";
import type { OutputFile } from "./model/output-file.js";
import type { Pace } from "./model/pace.js";
import type { Plan } from "./model/plan.js";
import type { ServerModel } from "./model/server-model.js";

/** A valid manifest, in canonical form and as a model. */
export interface CheckedManifest {
  /** Keys sorted, extensions left out. */
  readonly canonical: JsonObject;
  /** The model. It is made at its first use, where files have to be generated. */
  readonly model: ServerModel;
  /** The manifest's path from the output folder, for the README; by default the path that commands look at. */
  readonly path?: string;
}

/** What makes a run show its progress and be quick, and what it may look at beside the files of the project. */
interface PlanHelp {
  readonly pace?: Pace;
  readonly reuse?: Reuse | undefined;
  /** Looks at the packages that are installed. */
  readonly installedRuntime?: InstalledOf;
}

/**
 * The pure core: manifest × lock × tree → plan. A file of the tree that cannot be read is a diagnostic of the plan.
 * @param generator The version of mcpwright.
 */
export async function plan(
  manifest: CheckedManifest,
  tree: ProjectTree,
  generator: string,
  options: ReconcileOptions,
  help: PlanHelp = {},
): Promise<Plan> {
  try {
    return await planReadable(manifest, tree, generator, options, help);
  } catch (error) {
    const isOfTree = isDiskError(error) && error.path?.startsWith(`${tree.root}/`);
    if (!isOfTree) throw error;
    const diagnostics = [diskFailure(tree.root, error)];
    return { changes: [], semantic: [], diagnostics, operations: [] };
  }
}

async function planReadable(
  { canonical, model, path }: CheckedManifest,
  tree: ProjectTree,
  generator: string,
  options: ReconcileOptions,
  { pace, reuse, installedRuntime }: PlanHelp,
): Promise<Plan> {
  const lock = readCheckedLock(tree);
  const formerBodies =
    lock.kind === "read" ? findFormerBodies(lock.lock.manifest, model) : undefined;
  // Without a lock there is nothing to compare with.
  const semantic =
    lock.kind === "read"
      ? compareManifests(lock.lock.manifest, canonical)
      : trustedArguments(canonical);
  const emitAll = async (): Promise<readonly OutputFile[]> => {
    // Imported here, since it loads ts-morph.
    const { emit } = await import("./5-emit/emit.js");
    return emit(model, { pace, manifestPath: path, formerBodies });
  };
  const source = { model, manifestPath: path, ...(formerBodies && { formerBodies }) };
  const former = formerProject(lock, tree, canonical);
  const emitted = await (reuse?.files(source, former, emitAll) ?? emitAll());
  const files = withKeptPackages(withRuntime(emitted, tree), lock);
  const planned = planProject({
    files,
    renames: renamesOf(model),
    manifestCode: manifestCodeOf(model),
    editor: createHandlerEditor(),
    lock,
    tree,
    generation: { generator, manifest: canonical },
    semantic,
    options,
  });
  const complete = withAffectedHandlers(planned, { lock, tree, manifest: canonical, files });
  const judged = withUnknownCallers(complete, { manifest: canonical, model }, tree);
  const drifted = await withVersionDrift(judged, canonical, tree);
  const fitting = await withRuntimeFit(drifted, canonical, tree, installedRuntime);
  return withIgnoredRuntime(fitting, canonical, files, tree);
}

/** @param canonical the canonical manifest of this run */
function formerProject(lock: LockState, tree: ProjectTree, canonical: JsonObject): FormerProject {
  const locked = lock.kind === "read" ? lock.lock.files : undefined;
  const isSameManifest = lock.kind === "read" && isDeepStrictEqual(lock.lock.manifest, canonical);
  return {
    textOf(path) {
      return textAt(tree, path)?.replaceAll("\r\n", "\n");
    },
    wasGenerated: (path, text) => isPristine(locked?.get(path), Buffer.from(text)),
    isWhole(files) {
      const paths = new Set(files.map(({ path }) => path));
      const isComplete = [...(locked ?? [])].every(
        ([path, { owner }]) => owner !== "generated" || paths.has(path) || isRuntimeFile(path),
      );
      const haveSameOwners = files.every(({ path, owner }) => locked?.get(path)?.owner === owner);
      return isSameManifest && isComplete && haveSameOwners;
    },
  };
}
