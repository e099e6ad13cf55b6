import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { EXCLUDED_FOLDERS, SOURCE_FOLDERS } from "../../6-reconcile/decide-importer.js";
import type { FileOperation, Plan } from "../../model/plan.js";
import { readText } from "../read-text.js";
import { changedTypes, mentions, type ChangedTypes } from "./changed-types.js";

/** Generated modules with types that handlers use: the types of items, of shared schemas, and of the whole server. */
const TYPES =
  /^src\/generated\/(?:index|schemas|(?:tools|resources|resource-templates|prompts)\/[^/]+(?<!\.validators))\.ts$/;
const GENERATED = "src/generated";

const ENTRY = "src/main.ts";

/**
 * The modules of a person that may not type-check any more after a plan: modules that mention a type that changes, or
 * import a handler that is moved or deleted. A plan itself names only handlers. Call it before the plan is applied.
 *
 * @param outDir absolute path of the project
 * @param isIncluded true for the paths to look at. For a folder, which has a `/` at its end, true if it may
 *   contain such paths.
 * @returns paths after the plan, relative to the project
 */
export function affectedModules(
  { operations }: Plan,
  outDir: string,
  isIncluded: (path: string) => boolean = () => true,
): string[] {
  return affectedAmong(operations, outDir, isIncluded).affected;
}

/**
 * As `affectedModules`, and the modules that import one of these, directly or through others: a test that calls a
 * handler need not mention the handler's types.
 */
export function affectedModulesAndImporters({ operations }: Plan, outDir: string): string[] {
  const { affected, texts } = affectedAmong(operations, outDir, () => true);
  const found = new Set(affected);
  for (let recent = affected; recent.length > 0;) {
    const names = importedNames(recent);
    recent = [...texts].flatMap(([path, text]) =>
      !found.has(path) && importsAny(text, names) ? [path] : [],
    );
    for (const path of recent) found.add(path);
  }
  return [...found];
}

/** The affected modules, and the texts of all modules of a person that were looked at. */
function affectedAmong(
  operations: readonly FileOperation[],
  outDir: string,
  isIncluded: (path: string) => boolean,
): { affected: string[]; texts: ReadonlyMap<string, string> } {
  const types = changedTypesOf(operations, outDir);
  const removed = namesOfRemovedModules(operations);
  if (removed.size === 0 && (types === undefined || isEmpty(types))) {
    return { affected: [], texts: new Map() };
  }
  const texts = textsAfter(operations, outDir, isIncluded);
  const affected = [...texts].flatMap(([path, text]) => {
    const isAffected = (types && mentions(text, types)) ?? false;
    return isAffected || importsAny(text, removed) ? [path] : [];
  });
  return { affected, texts };
}

/** True if a module is neither a handler nor a test. `generate` reports only such modules; `plan` reports all. */
export function isNeitherHandlerNorTest(path: string): boolean {
  return !/^(?:test|src\/(?:tools|resources|prompts))\//.test(path);
}

const isEmpty = ({ names, texts }: ChangedTypes): boolean => names.size + texts.size === 0;

/** The types that a plan changes. Undefined if it changes no module of types, or there was none before. */
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
  return changedTypes([...before.values()].join("\n"), [...after.values()].join("\n"));
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

/** The file names of modules that a plan moves or deletes, with `.ts` and with `.js` as imports have them. */
function namesOfRemovedModules(operations: readonly FileOperation[]): ReadonlySet<string> {
  const paths = operations.flatMap((operation) => {
    if (operation.kind === "move") return [operation.from];
    return operation.kind === "delete" ? [operation.path] : [];
  });
  return importedNames(paths.filter((path) => isUserModule(path) && !path.startsWith("test/")));
}

/** The file names by which imports name modules. */
function importedNames(paths: readonly string[]): ReadonlySet<string> {
  const names = paths.map((path) => basename(path));
  return new Set([...names, ...names.map((name) => name.replace(/\.ts$/, ".js"))]);
}

/** True for a module that a person may have written. */
const isUserModule = (path: string): boolean =>
  /\.[cm]?tsx?$/.test(path) &&
  path !== ENTRY &&
  SOURCE_FOLDERS.some((folder) => path.startsWith(`${folder}/`)) &&
  ![...EXCLUDED_FOLDERS].some((folder) => path.startsWith(`${folder}/`));

function importsAny(text: string, fileNames: ReadonlySet<string>): boolean {
  return [...fileNames].some((name) => text.includes(`/${name}"`) || text.includes(`/${name}'`));
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
