import type { GeneratorIdentity } from "./6-reconcile/generator-identity.js";
import { inputHash } from "./6-reconcile/locked-manifest.js";
import type { ReconcileOptions, Renames } from "./6-reconcile/decision.js";
import type { Generation } from "./6-reconcile/plan-project.js";
import { readLock } from "./6-reconcile/read-lock.js";
import type { ProjectTree } from "./6-reconcile/tree.js";
import { withVersionDrift } from "./6-reconcile/version-drift.js";
import type { JsonObject } from "./model/json.js";
import { codeKindsOf, type ItemId } from "./model/output-file.js";
import type { Pace } from "./model/pace.js";
import type { Plan } from "./model/plan.js";
import type { ItemModel, ServerModel } from "./model/server-model.js";

/** A valid manifest in its two later forms. */
export interface CheckedManifest {
  /** Keys sorted, extensions left out. */
  readonly canonical: JsonObject;
  /** Asked for only where files have to be generated. */
  readonly model: ServerModel;
  /** Where it is, from the output folder, for the README; by default where commands look for it. */
  readonly path?: string;
}

/**
 * The pure core: manifest × lock × tree → plan. Loads the compiler only where the lock cannot tell
 * that the project is current.
 */
export async function plan(
  manifest: CheckedManifest,
  tree: ProjectTree,
  identity: GeneratorIdentity,
  options: ReconcileOptions,
  pace?: Pace,
): Promise<Plan> {
  const result = await planWhole(manifest, tree, identity, options, pace);
  return withVersionDrift(result, manifest.canonical, tree);
}

async function planWhole(
  manifest: CheckedManifest,
  tree: ProjectTree,
  identity: GeneratorIdentity,
  options: ReconcileOptions,
  pace?: Pace,
): Promise<Plan> {
  const { canonical, path } = manifest;
  const lock = readLock(tree);
  const generation: Generation = {
    generator: identity.version,
    templates: identity.templates,
    input: inputHash(identity.version, identity.templates, canonical),
    manifest: canonical,
  };
  const [{ emit }, { planProject }, { createHandlerEditor }] = await Promise.all([
    import("./5-emit/emit.js"),
    import("./6-reconcile/plan-project.js"),
    import("./6-reconcile/handlers/handler-editor.js"),
  ]);
  const { model } = manifest;
  const files = await emit(model, { pace, manifestPath: path });
  const input = {
    files,
    renames: renamesOf(model),
    editor: createHandlerEditor(),
    lock,
    tree,
    generation,
    options,
  };
  // Without a lock there is nothing to compare with.
  if (lock.kind !== "read") return planProject({ ...input, semantic: [] });
  const [{ compareManifests }, { withAffectedHandlers }] = await Promise.all([
    import("./4-compare/compare.js"),
    import("./6-reconcile/affected-handlers.js"),
  ]);
  const semantic = compareManifests(lock.lock.manifest, canonical);
  const result = planProject({ ...input, semantic });
  return withAffectedHandlers(result, { lock, tree, manifest: canonical, files });
}

function renamesOf({ tools, resources, resourceTemplates, prompts }: ServerModel): Renames {
  const items: readonly ItemModel[] = [...tools, ...resources, ...resourceTemplates, ...prompts];
  return new Map(
    items
      .filter(({ formerNames = [] }) => formerNames.length > 0)
      .flatMap(({ kind: itemKind, name, formerNames = [] }) =>
        [itemKind, ...(codeKindsOf[itemKind] ?? [])].map((kind) => [
          `${kind}:${name}` as const,
          formerNames.map((former): ItemId => `${kind}:${former}`),
        ]),
      ),
  );
}
