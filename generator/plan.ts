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
import { withVersionDrift } from "./6-reconcile/version-drift.js";
import type { JsonObject } from "./model/json.js";
import { codeKindsOf, type ItemId, type OutputFile } from "./model/output-file.js";
import type { Manifest } from "./model/manifest.js";
import type { Pace } from "./model/pace.js";
import type { Plan } from "./model/plan.js";
import { handlerModule } from "./5-emit/modules/handler-files.js";
import { itemNames } from "./text/names.js";
import { decodeText } from "./text/line-ends.js";
import type { ItemModel, ServerModel, ToolModel } from "./model/server-model.js";

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
  const model = runsPrograms(formerBodies, lock, tree, said)
    ? { ...said, programs: true as const }
    : said;
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
  return withVersionDrift(complete, canonical, tree);
}

/** Bodies of the last manifest whose items have a handler now; undefined where there is none. */
function bodiesLeft(manifest: JsonObject, model: ServerModel): FormerBodies | undefined {
  if (!mayHaveBodies(manifest)) return undefined;
  return leftBodies(normalize(manifest as unknown as Manifest), model);
}

function mayHaveBodies(manifest: JsonObject): boolean {
  const { tools = [] } = manifest as { readonly tools?: readonly JsonObject[] };
  return "upstreams" in manifest || "databases" in manifest || tools.some((tool) => "exec" in tool);
}

/** A module that only projects have whose handlers run programs. */
const PROGRAMS_MODULE = "src/generated/runtime/programs/programs.ts";

/** Whether handlers run programs: those that were bodies, and what people wrote beside bodies. */
function runsPrograms(
  formerBodies: FormerBodies | undefined,
  lock: LockState,
  tree: ProjectTree,
  { tools }: ServerModel,
): boolean {
  const couldRun = lock.kind === "read" && lock.lock.files.has(PROGRAMS_MODULE);
  return tools.some((tool) => {
    if (tool.behaviour.kind !== "handler") return false;
    const path = handlerOnDisk(tool, tree);
    if (path === undefined) return formerBodies?.bodies.get(`tool:${tool.name}`)?.kind === "exec";
    const mayRun = couldRun || path.startsWith("src/removed/");
    return mayRun && /\bprograms\.run\(/.test(textAt(tree, path) ?? "");
  });
}

/** Path of the code that a tool has of a person's, or gets back. */
function handlerOnDisk(tool: ToolModel, tree: ProjectTree): string | undefined {
  const names = [tool.name, ...(tool.formerNames ?? [])];
  const modules = names.map((name) => handlerModule({ ...tool, ...itemNames(name) }));
  return ["src", "src/removed"]
    .flatMap((folder) => modules.map((module) => `${folder}/${module}.ts`))
    .find((path) => tree.entry(path).kind === "file");
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
