import { posix } from "node:path";
import { problemOfPattern } from "../../1-load/part-files.js";
import { badImportEntry } from "../../model/catalogue/import-updates.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { isEmptySelection, type Selection } from "../selection.js";

/** The settings of one import, from `x-imports` of the manifest. */
export interface ImportEntry {
  readonly name: string;
  /** The document's path, relative to the manifest's folder. */
  readonly openapi: string;
  /** True if tools get an output schema. */
  readonly withOutput: boolean;
  /** The new operations that every import adds to the manifest. Absent if it adds none. */
  readonly select?: Selection;
  /** The file for what is new, as diagnostics name it. Without it, that stands beside what is there. */
  readonly into?: string;
  /** The path of `into` from the manifest's folder, if the manifest does not include it. */
  readonly newFile?: string;
}

const LISTS = ["tag", "path", "method", "operation", "exclude"] as const;

/** The imports that a manifest names, and the problems of entries that are not valid. */
export function importEntries(manifest: LoadedManifest): {
  entries: ImportEntry[];
  problems: Diagnostic[];
} {
  const entries: ImportEntry[] = [];
  const problems: Diagnostic[] = [];
  const imports = ownValue(manifest.value, "x-imports");
  if (imports === undefined) return { entries, problems };
  const report = (problem: string, ...path: string[]) =>
    problems.push(badImportEntry(manifest.locate(["x-imports", ...path], "value"), { problem }));
  if (!isJsonObject(imports)) {
    report("x-imports must be a mapping of names to imports");
    return { entries, problems };
  }
  for (const [name, entry] of Object.entries(imports)) {
    const openapi = isJsonObject(entry) ? ownValue(entry, "openapi") : undefined;
    if (!isJsonObject(entry) || typeof openapi !== "string" || openapi === "") {
      report(`the import ${name} must say its document: { openapi: PATH }`, name);
      continue;
    }
    const select = selectionFrom(ownValue(entry, "select"));
    if (select === "wrong") {
      report(`select takes ${LISTS.join(", ")}, each a text or a list of texts`, name, "select");
      continue;
    }
    const into = intoOf(manifest, entry);
    if (into === "wrong") {
      report("into must name a YAML file below the folder of the manifest", name, "into");
      continue;
    }
    const withOutput = ownValue(entry, "output") !== false;
    const optional = {
      ...(select !== undefined && { select }),
      ...into,
    };
    entries.push({ name, openapi, withOutput, ...optional });
  }
  return { entries, problems };
}

function intoOf(
  { file, texts }: LoadedManifest,
  entry: JsonObject,
): Pick<ImportEntry, "into" | "newFile"> | "wrong" {
  const path = ownValue(entry, "into");
  if (path === undefined) return {};
  if (typeof path !== "string" || path.includes("*") || problemOfPattern(path) !== undefined)
    return "wrong";
  const into = posix.join(posix.dirname(file), path);
  if (texts.has(into)) return { into };
  return /\.ya?ml$/.test(path) ? { into, newFile: posix.normalize(path) } : "wrong";
}

/** An empty selection counts as none, since it would select all operations. */
function selectionFrom(value: JsonValue | undefined): Selection | "wrong" | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) return "wrong";
  const hasOnlyListKeys = Object.keys(value).every((key) => LISTS.some((list) => list === key));
  const lists = LISTS.map((key) => textsIn(value, key));
  const [tags, paths, methods, operations, exclude] = lists;
  if (!hasOnlyListKeys || !tags || !paths || !methods || !operations || !exclude) return "wrong";
  const selection = { tags, paths, methods, operations, exclude };
  return isEmptySelection(selection) && exclude.length === 0 ? undefined : selection;
}

/** The string or list of strings under a key. Undefined for any other value. */
function textsIn(value: JsonObject, key: string): string[] | undefined {
  const entry = ownValue(value, key) ?? [];
  const list = Array.isArray(entry) ? entry : [entry];
  const texts = list.filter((text) => typeof text === "string");
  return texts.length === list.length ? texts : undefined;
}

/** A tool of the manifest that was imported. */
export interface ImportedItem {
  /** Its place in the manifest's list of tools. */
  readonly index: number;
  /** Its operation: `GET /orders`. */
  readonly at: string;
  readonly tool: JsonObject;
}

/** The tools that came from an import. */
export function importedItems(manifest: JsonObject, name: string): ImportedItem[] {
  return toolsOf(manifest).flatMap((tool, index) => {
    const origin = isJsonObject(tool) ? ownValue(tool, "x-import") : undefined;
    if (!isJsonObject(tool) || !isJsonObject(origin)) return [];
    const { from, at } = origin;
    return from === name && typeof at === "string" ? [{ index, at, tool }] : [];
  });
}

export function toolsOf(manifest: JsonObject): JsonValue[] {
  const tools = ownValue(manifest, "tools");
  return Array.isArray(tools) ? tools : [];
}
