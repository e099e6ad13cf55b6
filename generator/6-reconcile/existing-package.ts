import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";

/** A key of the generated `package.json` that is not added to the project's own. */
export interface LeftKey {
  /** `scripts.prepack` */
  readonly key: string;
  readonly ours: JsonValue;
  /** Why it would harm the package, and must be decided on by its owner. */
  readonly reason: string;
}

export interface FittingPackage {
  /** What is merged. */
  readonly ours: JsonObject;
  readonly left: readonly LeftKey[];
}

/**
 * What a package has that runs or publishes code of its own. Without it, there is nothing that generating could change:
 * so is the file that `npm install --save-dev mcpwright` writes in an empty folder.
 */
const OF_CODE = [
  ...["bin", "browser", "exports", "files", "imports", "main", "module"],
  ...["scripts", "types", "workspaces"],
];

/**
 * Leaves out of the generated `package.json` what would change a package that works without mcpwright: how its modules
 * are read, which files it publishes, and hooks around scripts that stay its owner's.
 *
 * @param base what was generated before; undefined if the package was there first
 */
export function fitPackage(
  base: JsonObject | undefined,
  ours: JsonObject,
  theirs: JsonObject,
): FittingPackage {
  if (base === undefined && !OF_CODE.some((key) => key in theirs)) return { ours, left: [] };
  const left: LeftKey[] = [];
  const kept = { ...ours };
  const { type } = ours;
  if (base === undefined && theirs["type"] === undefined && type !== undefined) {
    delete kept["type"];
    const reason = "it would change how the modules that are there are read";
    left.push({ key: "type", ours: type, reason });
  }
  // Without `files`, a package publishes everything, ours included.
  if (theirs["files"] === undefined && !isDeepStrictEqual(base?.["files"], ours["files"])) {
    if (base?.["files"] === undefined) delete kept["files"];
    else kept["files"] = base["files"];
  }
  const hooks = hooksAroundOthers(scriptsIn(base), scriptsIn(ours), scriptsIn(theirs));
  if (hooks.size > 0) kept["scripts"] = without(scriptsIn(ours), hooks);
  for (const [hook, script] of hooks) {
    // Of a script that both sides have, the conflict is reported; its hook means nothing without it.
    if (aroundWhich(hook) === script) continue;
    const reason = `scripts.${script} stays yours`;
    left.push({ key: `scripts.${hook}`, ours: scriptsIn(ours)[hook] ?? null, reason });
  }
  return { ours: kept, left };
}

/** The generated hooks that would be added around a script of the owner's, each with that script. */
function hooksAroundOthers(
  base: JsonObject,
  ours: JsonObject,
  theirs: JsonObject,
): Map<string, string> {
  const isNew = (name: string): boolean => base[name] === undefined && theirs[name] === undefined;
  const isOwners = (name: string): boolean =>
    Object.hasOwn(theirs, name) &&
    !isDeepStrictEqual(theirs[name], ours[name]) &&
    !isDeepStrictEqual(theirs[name], base[name]);
  const hooks = new Map<string, string>();
  for (const [name, command] of Object.entries(ours)) {
    const around = aroundWhich(name);
    if (around === undefined || !isNew(name)) continue;
    const script = [around, ...scriptsRunBy(String(command))].find(isOwners);
    if (script !== undefined) hooks.set(name, script);
  }
  return hooks;
}

/** The script before or after which npm runs a hook. */
function aroundWhich(hook: string): string | undefined {
  return /^(?:pre|post)(.+)$/.exec(hook)?.[1];
}

/** The scripts that a command runs with `npm run`. */
function scriptsRunBy(command: string): string[] {
  return [...command.matchAll(/\bnpm run (\S+)/g)].flatMap(([, name]) => name ?? []);
}

function scriptsIn(manifest: JsonObject | undefined): JsonObject {
  const scripts = manifest?.["scripts"];
  return isJsonObject(scripts) ? scripts : {};
}

function without(object: JsonObject, names: ReadonlyMap<string, unknown>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
}
