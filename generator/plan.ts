import { compareManifests } from "./4-compare/compare.js";
import { withAffectedHandlers } from "./6-reconcile/affected-handlers.js";
import { isPristine, type ReconcileOptions, type Renames } from "./6-reconcile/decision.js";
import { leftBodies, type FormerBodies } from "./3-normalize/left-bodies.js";
import { normalize } from "./3-normalize/normalize.js";
import type { FileTexts, FormerProject, Reuse } from "./5-emit/reuse.js";
import { createHandlerEditor } from "./6-reconcile/handlers/handler-editor.js";
import { planProject } from "./6-reconcile/plan-project.js";
import { readLock, type LockState } from "./6-reconcile/read-lock.js";
import type { ProjectTree } from "./6-reconcile/tree.js";
import { withUnknownCallers } from "./6-reconcile/unknown-callers.js";
import { withVersionDrift } from "./6-reconcile/version-drift.js";
import type { BodyModel } from "./model/bodies.js";
import type { JsonObject } from "./model/json.js";
import { codeKindsOf, type ItemId, type OutputFile } from "./model/output-file.js";
import type { Manifest } from "./model/manifest.js";
import type { Pace } from "./model/pace.js";
import type { Plan } from "./model/plan.js";
import { handlerModule } from "./5-emit/modules/handler-files.js";
import { itemNames } from "./text/names.js";
import { decodeText } from "./text/line-ends.js";
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
 * The pure core: manifest × lock × tree → plan.
 *
 * @param generator version of mcpwright
 */
export async function plan(
  { canonical, model: said, path }: CheckedManifest,
  tree: ProjectTree,
  generator: string,
  options: ReconcileOptions,
  { pace, reuse }: { readonly pace?: Pace; readonly reuse?: Reuse | undefined } = {},
): Promise<Plan> {
  const lock = readLock(tree);
  const formerBodies = lock.kind === "read" ? bodiesLeft(lock.lock.manifest, said) : undefined;
  const model = withFormerFacilities(said, { formerBodies, lock, tree });
  const emitAll = async (texts?: FileTexts): Promise<readonly OutputFile[]> => {
    // Loaded late, since it loads ts-morph.
    const { emit } = await import("./5-emit/emit.js");
    return emit(model, { pace, manifestPath: path, formerBodies, texts });
  };
  const source = { model, manifestPath: path, ...(formerBodies && { formerBodies }) };
  const files = await (reuse?.files(source, formerProject(lock, tree), emitAll) ?? emitAll());
  const planned = planProject({
    files,
    renames: renamesOf(model),
    editor: createHandlerEditor(),
    lock,
    tree,
    generation: { generator, manifest: canonical },
    // Without a lock there is nothing to compare with.
    semantic: lock.kind === "read" ? compareManifests(lock.lock.manifest, canonical) : [],
    options,
  });
  const complete = withAffectedHandlers(planned, { lock, tree, manifest: canonical, files });
  const judged = withUnknownCallers(complete, { manifest: canonical, model }, tree);
  return withVersionDrift(judged, canonical, tree);
}

/** Bodies of the last manifest whose items have a handler now; undefined where there is none. */
function bodiesLeft(manifest: JsonObject, model: ServerModel): FormerBodies | undefined {
  if (!mayHaveBodies(manifest)) return undefined;
  return leftBodies(normalize(manifest as unknown as Manifest), model);
}

function mayHaveBodies(manifest: JsonObject): boolean {
  const { tools = [], resourceTemplates = [] } = manifest as {
    readonly tools?: readonly JsonObject[];
    readonly resourceTemplates?: readonly JsonObject[];
  };
  return (
    "upstreams" in manifest ||
    "databases" in manifest ||
    tools.some((tool) => "exec" in tool) ||
    resourceTemplates.some((template) => "directory" in template)
  );
}

/** What handlers may use that no declaration of the manifest gives them, but the body of an item. */
interface Facility {
  readonly feature: "programs" | "directories";
  readonly body: BodyModel["kind"];
  readonly list: "tools" | "resourceTemplates";
  /** A module that only projects have whose handlers use it. */
  readonly module: string;
  readonly use: RegExp;
}

const FACILITIES: readonly Facility[] = [
  {
    feature: "programs",
    body: "exec",
    list: "tools",
    module: "src/generated/runtime/programs/programs.ts",
    use: /\bprograms\.run\(/,
  },
  {
    feature: "directories",
    body: "directory",
    list: "resourceTemplates",
    module: "src/generated/runtime/directories/directories.ts",
    use: /\bdirectories\.open\(/,
  },
];

/** What is known of the project as it was. */
interface Former {
  readonly formerBodies: FormerBodies | undefined;
  readonly lock: LockState;
  readonly tree: ProjectTree;
}

/** The model with what handlers use: those that were bodies, and what people wrote beside bodies. */
function withFormerFacilities(model: ServerModel, former: Former): ServerModel {
  const used = FACILITIES.filter((facility) =>
    model[facility.list].some((item) => usesFacility(item, facility, former)),
  );
  if (used.length === 0) return model;
  return { ...model, ...Object.fromEntries(used.map(({ feature }) => [feature, true])) };
}

function usesFacility(
  item: ItemModel,
  { body, module, use }: Facility,
  { formerBodies, lock, tree }: Former,
): boolean {
  if (item.behaviour.kind !== "handler") return false;
  const path = handlerOnDisk(item, tree);
  const ids = codeIds(item);
  if (path === undefined && ids.some((id) => formerBodies?.bodies.get(id)?.kind === body)) {
    return true;
  }
  const couldUse = lock.kind === "read" && lock.lock.files.has(module);
  return codeOnDisk(item, tree).some((file) => {
    const mayUse = couldUse || file.startsWith("src/removed/");
    return mayUse && use.test(textAt(tree, file) ?? "");
  });
}

const codeIds = ({ kind, name }: ItemModel): ItemId[] =>
  [kind, ...(codeKindsOf[kind] ?? [])].map((one): ItemId => `${one}:${name}`);

/** Path of the handler that an item has of a person's, or gets back. */
function handlerOnDisk(item: ItemModel, tree: ProjectTree): string | undefined {
  return codeOnDisk(item, tree).find((path) => !/\.(?:list|complete)\.ts$/.test(path));
}

/** Paths of the code that an item has of a person's, or gets back. */
function codeOnDisk(item: ItemModel, tree: ProjectTree): string[] {
  const names = [item.name, ...(item.formerNames ?? [])];
  const modules = names.map((name) => handlerModule({ ...item, ...itemNames(name) }));
  return ["src", "src/removed"]
    .flatMap((folder) => modules.map((module) => `${folder}/${module}`))
    .flatMap((path) => [`${path}.ts`, `${path}.list.ts`, `${path}.complete.ts`])
    .filter((path) => tree.entry(path).kind === "file");
}

function textAt(tree: ProjectTree, path: string): string | undefined {
  return tree.entry(path).kind === "file" ? decodeText(tree.read(path))?.text : undefined;
}

function formerProject(lock: LockState, tree: ProjectTree): FormerProject {
  const locked = lock.kind === "read" ? lock.lock.files : undefined;
  return {
    textOf(path) {
      return textAt(tree, path)?.replaceAll("\r\n", "\n");
    },
    wasGenerated: (path, text) => isPristine(locked?.get(path), Buffer.from(text)),
  };
}

function itemsOf({
  tools,
  resources,
  resourceTemplates,
  prompts,
}: ServerModel): readonly ItemModel[] {
  return [...tools, ...resources, ...resourceTemplates, ...prompts];
}

function renamesOf(model: ServerModel): Renames {
  return new Map(
    itemsOf(model)
      .filter(({ formerNames = [] }) => formerNames.length > 0)
      .flatMap(({ kind: itemKind, name, formerNames = [] }) =>
        [itemKind, ...(codeKindsOf[itemKind] ?? [])].map((kind) => [
          `${kind}:${name}` as const,
          formerNames.map((former): ItemId => `${kind}:${former}`),
        ]),
      ),
  );
}
