import { readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { EXCLUDED_FOLDERS, SOURCE_FOLDERS } from "../../6-reconcile/decide-importer.js";
import { modulePath } from "../../6-reconcile/source-editor.js";
import type { FileOperation, Plan } from "../../model/plan.js";
import { readText } from "../read-text.js";
import { changedTypes, mentions, type ChangedTypes } from "./changed-types.js";

/** Generated modules with types that handlers use: the types of items, of shared schemas, and of the whole server. */
const TYPES =
  /^src\/generated\/(?:index|schemas|(?:tools|resources|resource-templates|prompts)\/[^/]+(?<!\.validators))\.ts$/;
const GENERATED = "src/generated";

const ENTRY = "src/main.ts";
const REMOVED = "src/removed/";

/**
 * The modules of a person that may not type-check any more after a plan and that the plan itself does not name: modules
 * beside handlers and tests that mention a type that changes, modules that import one that is removed, and handlers that
 * come back. Call it before the plan is applied.
 *
 * @param outDir absolute path of the project
 * @returns paths after the plan, relative to the project
 */
export function affectedModules({ operations }: Plan, outDir: string): string[] {
  const types = changedTypesOf(operations, outDir);
  const others = textsAfter(
    operations,
    outDir,
    types === undefined ? () => false : isNeitherHandlerNorTest,
  );
  const mentioning = [...others].flatMap(([path, text]) =>
    types !== undefined && mentions(text, types) ? [path] : [],
  );
  const returned = movedModules(operations).filter(({ from }) => from.startsWith(REMOVED));
  const back = returned.flatMap(({ path }) => (path.startsWith("test/") ? [] : [path]));
  const found = [...mentioning, ...importersOfRemoved(operations, outDir), ...back];
  return [...new Set(found)].sort();
}

/** The modules that import a module which is not there any more after the plan. */
function importersOfRemoved(operations: readonly FileOperation[], outDir: string): string[] {
  const removed = removedModules(operations);
  if (removed.size === 0) return [];
  const texts = textsAfter(operations, outDir, () => true);
  return [...texts].flatMap(([path, text]) => (importsAny(path, text, removed) ? [path] : []));
}

/**
 * All modules of a person that may not type-check any more after a plan: modules that mention a type that changes, that
 * move, or that import one which is removed; and the modules that import one of these, directly or through others, since
 * a test that calls a handler need not mention the handler's types.
 */
export function affectedModulesAndImporters({ operations }: Plan, outDir: string): string[] {
  const types = changedTypesOf(operations, outDir);
  const removed = removedModules(operations);
  const moved = movedModules(operations).map(({ path }) => path);
  if (removed.size + moved.length === 0 && types === undefined) return [];
  const texts = textsAfter(operations, outDir, () => true);
  const affected = [...texts].flatMap(([path, text]) => {
    const isAffected = types !== undefined && mentions(text, types);
    return isAffected || importsAny(path, text, removed) ? [path] : [];
  });
  const found = new Set([...affected, ...moved]);
  for (let recent = [...found]; recent.length > 0;) {
    const modules = new Set(recent.map(modulePath));
    recent = [...texts].flatMap(([path, text]) =>
      !found.has(path) && importsAny(path, text, modules) ? [path] : [],
    );
    for (const path of recent) found.add(path);
  }
  return [...found];
}

/** True if a module is neither a handler nor a test. The path of a folder has a `/` at its end. */
function isNeitherHandlerNorTest(path: string): boolean {
  return !/^(?:test|src\/(?:tools|resources|prompts))\//.test(path);
}

const isEmpty = ({ names, texts }: ChangedTypes): boolean => names.size + texts.size === 0;

/** The types that a plan changes. Undefined if it changes none, or there was no module of types before. */
function changedTypesOf(
  operations: readonly FileOperation[],
  outDir: string,
): ChangedTypes | undefined {
  if (!operations.some(({ path }) => TYPES.test(path))) return undefined;
  const before = new Map(generatedTypes(outDir));
  const after = new Map(before);
  for (const operation of operations) {
    const { kind, path } = operation;
    if (!TYPES.test(path)) continue;
    if (kind === "write") after.set(path, textOf(operation.content));
    else if (kind === "delete") after.delete(path);
  }
  if (before.size === 0) return undefined;
  const types = changedTypes([...before.values()].join("\n"), [...after.values()].join("\n"));
  return isEmpty(types) ? undefined : types;
}

/** The generated modules of types on the disk, with their texts. */
function generatedTypes(outDir: string): [path: string, text: string][] {
  const folders = [
    GENERATED,
    ...["tools", "resources", "resource-templates", "prompts"].map(
      (name) => `${GENERATED}/${name}`,
    ),
  ];
  return folders
    .flatMap((folder) => readFolder(join(outDir, folder)).map(({ name }) => `${folder}/${name}`))
    .filter((path) => TYPES.test(path))
    .map((path) => [path, readText(join(outDir, path)) ?? ""]);
}

/** The modules of a person that a plan moves or deletes, without extension. */
function removedModules(operations: readonly FileOperation[]): ReadonlySet<string> {
  const paths = operations.flatMap((operation) => {
    if (operation.kind === "move") return [operation.from];
    return operation.kind === "delete" ? [operation.path] : [];
  });
  return new Set(
    paths.filter((path) => isUserModule(path) && !path.startsWith("test/")).map(modulePath),
  );
}

/** The modules of a person that a plan moves to another path where the project compiles them. */
function movedModules(
  operations: readonly FileOperation[],
): { readonly from: string; readonly path: string }[] {
  return operations.flatMap((operation) => {
    const { kind, path } = operation;
    const from = kind === "move" ? operation.from : kind === "write" ? operation.modeOf : undefined;
    return from !== undefined && isUserModule(path) ? [{ from, path }] : [];
  });
}

/** True for a module that a person may have written. */
const isUserModule = (path: string): boolean =>
  /\.[cm]?tsx?$/.test(path) &&
  path !== ENTRY &&
  SOURCE_FOLDERS.some((folder) => path.startsWith(`${folder}/`)) &&
  ![...EXCLUDED_FOLDERS].some((folder) => path.startsWith(`${folder}/`));

/** True if the module at `path` imports one of these, which are without extension. */
function importsAny(path: string, text: string, modules: ReadonlySet<string>): boolean {
  if (modules.size === 0) return false;
  const folder = posix.dirname(path);
  return [...text.matchAll(/["'](\.\.?\/[^"'\n]+)["']/g)].some(([, specifier = ""]) =>
    modules.has(modulePath(posix.join(folder, specifier))),
  );
}

/** The texts of the modules of a person after the plan, by path. */
function textsAfter(
  operations: readonly FileOperation[],
  outDir: string,
  isIncluded: (path: string) => boolean,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const path of SOURCE_FOLDERS.flatMap((folder) => modulesIn(folder, outDir, isIncluded))) {
    const text = readText(join(outDir, path));
    if (text !== undefined) texts.set(path, text);
  }
  for (const operation of operations) {
    const { kind, path } = operation;
    const moved = kind === "move" ? texts.get(operation.from) : undefined;
    if (kind === "move") texts.delete(operation.from);
    if (kind === "delete") texts.delete(path);
    else if (!isUserModule(path) || !isIncluded(path)) continue;
    else if (kind === "write") texts.set(path, textOf(operation.content));
    else if (moved !== undefined) texts.set(path, moved);
  }
  return texts;
}

function modulesIn(
  folder: string,
  outDir: string,
  isIncluded: (path: string) => boolean,
): string[] {
  if (EXCLUDED_FOLDERS.has(folder) || !isIncluded(`${folder}/`)) return [];
  const entries = readFolder(join(outDir, folder));
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      return entry.name === "node_modules" ? [] : modulesIn(path, outDir, isIncluded);
    }
    return entry.isFile() && isUserModule(path) && isIncluded(path) ? [path] : [];
  });
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

/** The entries of a folder. Empty if it cannot be read, since the result is only a hint. */
function readFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
