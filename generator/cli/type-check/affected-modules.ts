import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { FileOperation, Plan } from "../../model/plan.js";
import { readText } from "../read-text.js";
import { changedTypes, mentions, type ChangedTypes } from "./changed-types.js";

/** Generated modules that declare types which people use: those of items, of shared schemas, and of all. */
const TYPES =
  /^src\/generated\/(?:types|schemas|(?:tools|resources|resource-templates|prompts)\/[^/]+)\.ts$/;
const GENERATED = "src/generated";

/** Folders below which modules of a person stand, and those in which none does, or none is compiled. */
const SOURCES = ["src", "test"];
const OTHERS: ReadonlySet<string> = new Set(["src/generated", "src/removed", "test/generated"]);
const ENTRY = "src/main.ts";

/**
 * The modules of a project, beside the handlers that a plan names, that may not fit any more when it
 * is carried out: those that mention a type that changes, or a handler that goes. To be asked before
 * that is done.
 *
 * @param outDir absolute path of the project
 * @param isAsked which paths to look at; of a folder, with `/` at its end, whether there is any below it
 * @returns paths as they will be, from there
 */
export function affectedModules(
  { operations }: Plan,
  outDir: string,
  isAsked: (path: string) => boolean = () => true,
): string[] {
  const types = typesOf(operations, outDir);
  const gone = goneModules(operations);
  if (gone.size === 0 && (types === undefined || isEmpty(types))) return [];
  const after = textsAfter(operations, outDir, isAsked);
  return [...after].flatMap(([path, text]) => {
    const isAffected = (types && mentions(text, types)) ?? false;
    return isAffected || importsAny(text, gone) ? [path] : [];
  });
}

/** Whether a module is neither a handler nor a test: nothing else in a plan speaks of it. */
export function isBesideHandlers(path: string): boolean {
  return !/^(?:test|src\/(?:tools|resources|prompts))\//.test(path);
}

const isEmpty = ({ names, texts }: ChangedTypes): boolean => names.size + texts.size === 0;

function typesOf(operations: readonly FileOperation[], outDir: string): ChangedTypes | undefined {
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

/** The texts of the modules of types, by path. */
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

/** The last parts of the paths under which modules were imported that are not there any more. */
function goneModules(operations: readonly FileOperation[]): ReadonlySet<string> {
  const paths = operations.flatMap((operation) => {
    if (operation.kind === "move") return [operation.from];
    return operation.kind === "delete" ? [operation.path] : [];
  });
  const own = paths.filter((path) => isOwn(path) && !path.startsWith("test/"));
  const names = own.map((path) => basename(path));
  return new Set([...names, ...names.map((name) => name.replace(/\.ts$/, ".js"))]);
}

const isOwn = (path: string): boolean =>
  /\.[cm]?tsx?$/.test(path) &&
  path !== ENTRY &&
  SOURCES.some((folder) => path.startsWith(`${folder}/`)) &&
  ![...OTHERS].some((folder) => path.startsWith(`${folder}/`));

function importsAny(text: string, gone: ReadonlySet<string>): boolean {
  return [...gone].some((name) => text.includes(`/${name}"`) || text.includes(`/${name}'`));
}

/** The modules of a person as they will be, by path. */
function textsAfter(
  operations: readonly FileOperation[],
  outDir: string,
  isAsked: (path: string) => boolean,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const path of SOURCES.flatMap((folder) => modulesIn(folder, outDir, isAsked))) {
    const text = readText(join(outDir, path));
    if (text !== undefined) texts.set(path, text);
  }
  for (const operation of operations) {
    const { kind, path } = operation;
    const moved = kind === "move" ? texts.get(operation.from) : undefined;
    if (kind === "move") texts.delete(operation.from);
    if (kind === "delete") texts.delete(path);
    else if (!isOwn(path) || !isAsked(path)) continue;
    else if (kind === "write") texts.set(path, textOf(operation.content));
    else if (moved !== undefined) texts.set(path, moved);
  }
  return texts;
}

function modulesIn(folder: string, outDir: string, isAsked: (path: string) => boolean): string[] {
  if (OTHERS.has(folder) || !isAsked(`${folder}/`)) return [];
  const entries = readFolder(join(outDir, folder));
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      return entry.name === "node_modules" ? [] : modulesIn(path, outDir, isAsked);
    }
    return entry.isFile() && isOwn(path) && isAsked(path) ? [path] : [];
  });
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

/** What cannot be read is not there, as far as a hint goes. */
function readFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
