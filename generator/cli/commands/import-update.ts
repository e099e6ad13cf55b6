import { basename, dirname } from "node:path";
import { hashBytes } from "../../6-reconcile/content-hash.js";
import { FolderTree } from "../../6-reconcile/tree.js";
import { anchoredFiles } from "../../7-apply/anchored-files.js";
import { applyUnderLock } from "../../7-apply/apply-under-lock.js";
import { diskFiles } from "../../7-apply/file-layer.js";
import { runningProcesses } from "../../7-apply/process-lock.js";
import { nameOfOperation } from "../../import/operations.js";
import { RECORD_PATH, writeRecord, type ImportRecord } from "../../import/update/import-record.js";
import { updateOpenApi, type Update } from "../../import/update/update-openapi.js";
import { importConflict, updateHeldBack } from "../../model/catalogue/import-updates.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { FileOperation } from "../../model/plan.js";
import { decodeText } from "../../text/line-ends.js";
import { printable } from "../../text/printable.js";
import { shownPath } from "../compile-manifest.js";
import { exitStatus, statusOfProject, type ExitStatus } from "../exit-status.js";
import { emptyPlan } from "../project-run.js";
import { fileDiffs } from "../report/file-diffs.js";
import type { CommandContext } from "../command.js";
import { selectionOf } from "./import-document.js";
import { failed } from "./import-target.js";
import {
  documentsOf,
  importedManifest,
  type ImportedManifest,
  type ReadDocument,
} from "./imported-manifest.js";

/** Milliseconds to wait for another run on the same folder. */
const PATIENCE = 2_000;

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
