import type { FormerBodies } from "../4-compare/former-bodies.js";
import { handlerModule } from "../5-emit/modules/handler-files.js";
import type { BodyModel } from "../model/bodies.js";
import { codeKindsOf, type ItemId } from "../model/output-file.js";
import type { ItemModel, ServerModel } from "../model/server-model.js";
import { itemNames } from "../text/names.js";
import type { LockState } from "./read-lock.js";
import { textAt, type ProjectTree } from "./tree.js";

/** A facility that handlers may use without a declaration in the manifest, as long as an item has such a body. */
interface Facility {
  readonly feature: "programs" | "directories";
  readonly body: BodyModel["kind"];
  readonly list: "tools" | "resourceTemplates";
  /** The entry of the runtime that only servers with the facility import. */
  readonly entry: string;
  /** Path of a module that only projects with the facility had when the runtime was copied. */
  readonly formerModule: string;
  /** Matches code that uses the facility. */
  readonly use: RegExp;
}

/** The generated module that names what the server uses. */
const SERVER = "src/generated/server.ts";

const FACILITIES: readonly Facility[] = [
  {
    feature: "programs",
    body: "exec",
    list: "tools",
    entry: "@mcpwright/runtime/programs",
    formerModule: "src/generated/runtime/programs/programs.ts",
    use: /\bprograms\.run\(/,
  },
  {
    feature: "directories",
    body: "directory",
    list: "resourceTemplates",
    entry: "@mcpwright/runtime/directories",
    formerModule: "src/generated/runtime/directories/directories.ts",
    use: /\bdirectories\.open\(/,
  },
];

/** The project after the last generation, and as it is now. */
export interface FormerProjectState {
  readonly formerBodies: FormerBodies | undefined;
  readonly lock: LockState;
  readonly tree: ProjectTree;
}

/**
 * Adds to the model the facilities that handlers use without a declaration. Such handlers are former bodies, or
 * people wrote them while an item had such a body.
 */
export function withFacilitiesInUse(model: ServerModel, former: FormerProjectState): ServerModel {
  const used = FACILITIES.filter((facility) =>
    model[facility.list].some((item) => usesFacility(item, facility, former)),
  );
  if (used.length === 0) return model;
  return { ...model, ...Object.fromEntries(used.map(({ feature }) => [feature, true])) };
}

function usesFacility(
  item: ItemModel,
  { body, entry, formerModule, use }: Facility,
  { formerBodies, lock, tree }: FormerProjectState,
): boolean {
  if (item.behaviour.kind !== "handler") return false;
  const path = handlerOnDisk(item, tree);
  const ids = codeIds(item);
  if (path === undefined && ids.some((id) => formerBodies?.bodies.get(id)?.kind === body)) {
    return true;
  }
  const hadModule = lock.kind === "read" && lock.lock.files.has(formerModule);
  const couldUse = hadModule || (textAt(tree, SERVER)?.includes(`"${entry}"`) ?? false);
  return codeOnDisk(item, tree).some((file) => {
    const mayUse = couldUse || file.startsWith("src/removed/");
    return mayUse && use.test(textAt(tree, file) ?? "");
  });
}

const codeIds = ({ kind, name }: ItemModel): ItemId[] =>
  [kind, ...(codeKindsOf[kind] ?? [])].map((codeKind): ItemId => `${codeKind}:${name}`);

/** Path of the handler of an item on the disk, or under `src/removed/`, from where it would return. */
function handlerOnDisk(item: ItemModel, tree: ProjectTree): string | undefined {
  return codeOnDisk(item, tree).find((path) => !/\.(?:list|complete)\.ts$/.test(path));
}

/** Paths of all code of an item on the disk, also under `src/removed/`, from where it would return. */
function codeOnDisk(item: ItemModel, tree: ProjectTree): string[] {
  const names = [item.name, ...(item.formerNames ?? [])];
  const modules = names.map((name) => handlerModule({ ...item, ...itemNames(name) }));
  return ["src", "src/removed"]
    .flatMap((folder) => modules.map((module) => `${folder}/${module}`))
    .flatMap((path) => [`${path}.ts`, `${path}.list.ts`, `${path}.complete.ts`])
    .filter((path) => tree.entry(path).kind === "file");
}
