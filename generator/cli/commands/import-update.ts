import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { readManifest } from "../../1-load/read.js";
import { hashBytes } from "../../6-reconcile/content-hash.js";
import { FolderTree } from "../../6-reconcile/tree.js";
import { anchoredFiles } from "../../7-apply/anchored-files.js";
import { applyUnderLock } from "../../7-apply/apply-under-lock.js";
import { diskFiles } from "../../7-apply/file-layer.js";
import { runningProcesses } from "../../7-apply/process-lock.js";
import type { ApiDocument } from "../../import/api-document.js";
import { nameOfOperation } from "../../import/operations.js";
import { packageName } from "../../import/package-name.js";
import { importEntries, type ImportEntry } from "../../import/update/import-entry.js";
import {
  readRecord,
  RECORD_PATH,
  writeRecord,
  type ImportRecord,
} from "../../import/update/import-record.js";
import { updateOpenApi, type Update } from "../../import/update/update-openapi.js";
import { initTargetExists } from "../../model/catalogue/command-line.js";
import {
  badImportEntry,
  importConflict,
  importRecordUnreadable,
  unknownImport,
  updateHeldBack,
} from "../../model/catalogue/import-updates.js";
import { projectFile } from "../../model/catalogue/project.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { FileOperation } from "../../model/plan.js";
import { ownValue } from "../../schema/json-schema.js";
import { decodeText } from "../../text/line-ends.js";
import { printable } from "../../text/printable.js";
import { compileBytes, shownPath } from "../compile-manifest.js";
import { exitStatus, statusOfProject, type ExitStatus } from "../exit-status.js";
import { placeOf } from "../options.js";
import { emptyPlan } from "../project-run.js";
import { fileDiffs } from "../report/file-diffs.js";
import type { CommandContext } from "../run.js";
import { readSpec, selectionOf } from "./import-document.js";
import { failed } from "./import-target.js";

/** Milliseconds to wait for another run on the same folder. */
const PATIENCE = 2_000;

/** A manifest into which something was imported, and what is known of that. */
interface ImportedManifest {
  readonly manifest: LoadedManifest;
  readonly entries: readonly ImportEntry[];
  readonly record: ImportRecord;
  /** Files as they are, by their names in the manifest's folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** A document that is imported again. */
interface ReadDocument {
  readonly entry: ImportEntry;
  readonly document: ApiDocument;
  readonly recordedPath: string;
}

/**
 * Brings a manifest up to date with documents that were imported into it.
 *
 * @param target the manifest, as an absolute path
 * @param spec the document; undefined for all that the manifest names
 */
export async function updateImports(
  context: CommandContext,
  target: string,
  spec: string | undefined,
): Promise<ExitStatus> {
  const found = importedManifest(context, target);
  if ("problems" in found) return failed(context, found.problems, found.status);
  const read = documentsOf(context, target, found, spec);
  if ("problems" in read) return failed(context, read.problems, exitStatus.wrong);
  return finish(context, target, found, updateAll(context, found, read.documents));
}

type Problems = { readonly problems: readonly Diagnostic[]; readonly status: ExitStatus };

function importedManifest(context: CommandContext, target: string): ImportedManifest | Problems {
  const file = shownPath(context.folder, target);
  const read = readManifest(target, file);
  const { manifest, diagnostics } = compileBytes(file, read, context.invocation);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (manifest === undefined || read.bytes === undefined || errors.length > 0) {
    return { problems: diagnostics, status: exitStatus.wrong };
  }
  const { entries, problems } = importEntries(manifest);
  if (problems.length > 0) return { problems, status: exitStatus.wrong };
  if (entries.length === 0) {
    return { problems: [nothingImported(context, manifest, target)], status: exitStatus.wrong };
  }
  const files = new Map<string, Uint8Array>([[basename(target), read.bytes]]);
  const path = join(dirname(target), RECORD_PATH);
  if (!existsSync(path)) return { manifest, entries, files, record: new Map() };
  const bytes = readFileSync(path);
  const record = readRecord(bytes.toString("utf8"));
  if (record === undefined) {
    const place = projectFile(shownPath(context.folder, path));
    return { problems: [importRecordUnreadable(place, {})], status: exitStatus.needsPerson };
  }
  return { manifest, entries, record, files: files.set(RECORD_PATH, bytes) };
}

/** A manifest that was never imported is not written over. */
function nothingImported(
  { invocation }: CommandContext,
  manifest: LoadedManifest,
  target: string,
): Diagnostic {
  if (invocation.positionals.length > 0) {
    return initTargetExists(placeOf(invocation, "out"), { path: target });
  }
  const problem = "x-imports names no document that could be imported again";
  return badImportEntry(manifest.locate([], "value"), { problem });
}

/** The documents, each with the import that it belongs to. */
function documentsOf(
  context: CommandContext,
  target: string,
  { entries, manifest }: ImportedManifest,
  spec: string | undefined,
): { documents: ReadDocument[] } | { problems: Diagnostic[] } {
  const folder = dirname(target);
  const paths =
    spec === undefined
      ? entries.map(({ openapi }) => resolve(folder, openapi))
      : [resolve(context.folder, spec)];
  const documents: ReadDocument[] = [];
  for (const [index, path] of paths.entries()) {
    const read = readSpec(context, path);
    if ("problem" in read) return { problems: [read.problem] };
    const recordedPath = relative(folder, path).replaceAll("\\", "/");
    const { document } = read;
    const entry = spec === undefined ? entries[index] : entryOf(document, entries, recordedPath);
    if (entry === undefined) {
      const known = entries.map(({ name, openapi }) => `${name} (${openapi})`).join(", ");
      const place = manifest.locate(["x-imports"], "key");
      return { problems: [unknownImport(place, { path: recordedPath, known })] };
    }
    documents.push({ entry, document, recordedPath });
  }
  return { documents };
}

/** The import that a document belongs to, by its path, else by its title. */
function entryOf(
  document: ApiDocument,
  entries: readonly ImportEntry[],
  path: string,
): ImportEntry | undefined {
  const info = ownValue(document.value, "info");
  const title = isJsonObject(info) ? ownValue(info, "title") : undefined;
  const name = typeof title === "string" ? packageName(title, "api") : undefined;
  return (
    entries.find(({ openapi }) => openapi === path) ?? entries.find((entry) => entry.name === name)
  );
}

/** What updates come to, one after the other. */
interface Updates {
  readonly updates: readonly Update[];
  readonly manifest: LoadedManifest;
  readonly record: ImportRecord;
  readonly sources: ReadonlyMap<string, string>;
}

function updateAll(
  context: CommandContext,
  found: ImportedManifest,
  documents: readonly ReadDocument[],
): Updates {
  const selection = selectionOf(context);
  const isPruning = context.invocation.flags.has("prune");
  const record = new Map(found.record);
  const sources = new Map<string, string>();
  let { manifest } = found;
  const updates = documents.map(({ entry, document, recordedPath }) => {
    const base = record.get(entry.name);
    const options = { entry, recordedPath, selection, isPruning };
    const update = updateOpenApi(document, manifest, base, options);
    const { written } = update;
    if (written !== undefined) {
      record.set(entry.name, written.record);
      ({ manifest } = written);
    }
    sources.set(document.file, document.text);
    return update;
  });
  sources.set(manifest.file, manifest.text);
  return { updates, manifest, record, sources };
}

/** Files that become other files; those that stay as they are have no operation. */
function operationsFor(
  target: string,
  { files, manifest: former }: ImportedManifest,
  { manifest, record }: Updates,
): FileOperation[] {
  const name = basename(target);
  const { mark } = decodeText(files.get(name) ?? new Uint8Array()) ?? { mark: "" };
  const texts = [
    ...(manifest.text === former.text ? [] : [[name, mark + manifest.text] as const]),
    [RECORD_PATH, writeRecord(record)] as const,
  ];
  return texts.flatMap(([path, text]): FileOperation[] => {
    const content = Buffer.from(text);
    const before = files.get(path);
    if (before !== undefined && content.equals(before)) return [];
    return [{ kind: "write", path, content, ...(before && { before: hashBytes(before) }) }];
  });
}

async function finish(
  context: CommandContext,
  target: string,
  found: ImportedManifest,
  result: Updates,
): Promise<ExitStatus> {
  const { invocation, reporter } = context;
  const { updates } = result;
  const operations = operationsFor(target, found, result);
  const isRefused = updates.some(({ written }) => written === undefined);
  const isDry = invocation.flags.has("dry-run");
  const failures = isRefused || isDry ? [] : await written(dirname(target), operations);
  const diagnostics = [...updates.flatMap((update) => update.diagnostics), ...failures];
  const exitCode = isRefused ? exitStatus.wrong : statusOf(diagnostics, failures);
  reporter.diagnostics(diagnostics, result.sources);
  if (!isRefused && failures.length === 0) {
    const manifest = operations.filter(({ path }) => path !== RECORD_PATH);
    if (isDry && !invocation.flags.has("json")) {
      const tree = new FolderTree(dirname(target), diskFiles);
      reporter.text(await fileDiffs(manifest, tree, reporter.paint));
    }
    const shown = printable(shownPath(context.folder, target));
    reporter.text(summaryText(shown, updates, manifest.length > 0, isDry));
  }
  reporter.document({
    ok: exitCode === exitStatus.done,
    exitCode,
    manifest: target,
    operations: updates.reduce((sum, update) => sum + update.operations.length, 0),
    updated: updates.flatMap(({ updated }) => updated),
    added: updates.flatMap(({ added }) => added),
    pruned: updates.flatMap(({ pruned }) => pruned),
    offered: updates.flatMap(({ offered }) => offered.map(nameOfOperation)),
    ...reporter.counted(diagnostics),
  });
  return exitCode;
}

async function written(
  folder: string,
  operations: readonly FileOperation[],
): Promise<readonly Diagnostic[]> {
  const { failures } = await applyUnderLock(
    folder,
    anchoredFiles(folder, diskFiles),
    () => Promise.resolve({ ...emptyPlan, operations }),
    { processes: runningProcesses, patience: PATIENCE },
  );
  return failures;
}

const NEEDS_PERSON: ReadonlySet<string> = new Set(
  [importConflict, updateHeldBack].map(({ entry }) => entry.code),
);

function statusOf(diagnostics: readonly Diagnostic[], failures: readonly Diagnostic[]): ExitStatus {
  if (failures.length > 0) return statusOfProject(failures) ?? exitStatus.failed;
  const needsPerson = diagnostics.some(({ code }) => NEEDS_PERSON.has(code));
  return needsPerson ? exitStatus.needsPerson : exitStatus.done;
}

function summaryText(
  manifest: string,
  updates: readonly Update[],
  isChanged: boolean,
  isDry: boolean,
): string {
  const counts = (["updated", "added", "pruned"] as const).flatMap((what) => {
    const names = updates.flatMap((update) => update[what]);
    return names.length === 0 ? [] : [`${what} ${names.map(printable).join(", ")}`];
  });
  const verb = isDry ? "Would write" : "Wrote";
  const done = counts.length === 0 ? "" : `: ${counts.join("; ")}`;
  const next = isDry ? "" : " Next:\n\n  mcpwright plan\n";
  const first = isChanged
    ? `${verb} ${manifest}${done}.${next || "\n"}`
    : `${manifest} stays as it is.\n`;
  return first + offeredText(updates.flatMap(({ offered }) => offered.map(nameOfOperation)));
}

function offeredText(names: readonly string[]): string {
  if (names.length === 0) return "";
  const lines = names.map((name) => `  ${printable(name)}\n`).join("");
  return `\nNew in the document, and not exposed:\n\n${lines}\n--operation 'METHOD /path' adds one.\n`;
}
