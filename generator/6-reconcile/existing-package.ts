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
  /** The `package.json` that was generated before, in the form in which it was merged: the base of the merge. */
  readonly base: JsonObject | undefined;
  /** The generated `package.json` that is merged into the owner's. */
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
 * are read, which files it publishes, and hooks around scripts that stay its owner's. A generated script that would run
 * a script of the owner's, which does not build the server, runs the generated command itself.
 *
 * @param generatedBase what was generated before; undefined if the package was there first
 * @param allGenerated what is generated now
 */
export function fitPackage(
  generatedBase: JsonObject | undefined,
  allGenerated: JsonObject,
  theirs: JsonObject,
): FittingPackage {
  const generated = withoutDecidedScripts(generatedBase, allGenerated, theirs);
  if (generatedBase === undefined && !OF_CODE.some((key) => key in theirs)) {
    return { base: generatedBase, ours: generated, left: [] };
  }
  const owners = ownersScripts(scriptsIn(generatedBase), scriptsIn(generated), scriptsIn(theirs));
  const base = generatedBase && formerlyMerged(owners, generatedBase, scriptsIn(theirs));
  const ours = withCommandsFor(owners, generated);
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
  return { base, ours: kept, left };
}

/**
 * The generated `package.json` without its decisions about scripts of packages on which the owner has decided first. npm
 * writes a version behind the name of a package whose scripts may run, and a name alone that forbids them would win.
 */
function withoutDecidedScripts(
  base: JsonObject | undefined,
  generated: JsonObject,
  theirs: JsonObject,
): JsonObject {
  const { allowScripts: _, ...others } = generated;
  const decided = Object.keys(objectIn(theirs, "allowScripts")).map((key) =>
    key.replace(/(.)@.*$/, "$1"),
  );
  if (decided.length === 0) return generated;
  const former = objectIn(base, "allowScripts");
  const kept = Object.entries(objectIn(generated, "allowScripts")).filter(
    ([name]) => Object.hasOwn(former, name) || !decided.includes(name),
  );
  return kept.length === 0 ? others : { ...others, allowScripts: Object.fromEntries(kept) };
}

/** The names of generated scripts that are the owner's here, and that do not build or run the server. */
function ownersScripts(base: JsonObject, ours: JsonObject, theirs: JsonObject): Set<string> {
  return new Set(
    Object.keys(ours).filter((name) => {
      const script = theirs[name];
      if (typeof script !== "string" || script.includes("mcpwright-runtime")) return false;
      return script !== ours[name] && script !== base[name];
    }),
  );
}

/** The former generated `package.json`, whose scripts are as they were merged: some before these became the owner's. */
function formerlyMerged(
  owners: ReadonlySet<string>,
  base: JsonObject,
  theirs: JsonObject,
): JsonObject {
  const merged = withCommandsFor(owners, base);
  const unedited = Object.entries(scriptsIn(base)).filter(([name, run]) => theirs[name] === run);
  return { ...merged, scripts: { ...scriptsIn(merged), ...Object.fromEntries(unedited) } };
}

/** The generated `package.json`, whose scripts run the generated commands instead of `npm run` for these scripts. */
function withCommandsFor(names: ReadonlySet<string>, generated: JsonObject): JsonObject {
  const scripts = scriptsIn(generated);
  const commandOf = (name: string, run: string): string => {
    const command = scripts[name];
    return names.has(name) && typeof command === "string" ? command : run;
  };
  const changed = Object.entries(scripts).map(([name, command]) => [
    name,
    // A hook around a script that stays the owner's is left out, and is told as it was generated.
    typeof command !== "string" || aroundWhich(name) !== undefined
      ? command
      : command.replaceAll(/\bnpm run (\S+)/g, (run, script: string) => commandOf(script, run)),
  ]);
  return names.size === 0 ? generated : { ...generated, scripts: Object.fromEntries(changed) };
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
  return objectIn(manifest, "scripts");
}

function objectIn(manifest: JsonObject | undefined, key: string): JsonObject {
  const value = manifest?.[key];
  return isJsonObject(value) ? value : {};
}

function without(object: JsonObject, names: ReadonlyMap<string, unknown>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
}
