import { dirname, join, posix } from "node:path";
import { hashBytes } from "../../6-reconcile/content-hash.js";
import { FolderTree } from "../../6-reconcile/tree.js";
import { diskFiles } from "../../7-apply/file-layer.js";
import { nameOfOperation } from "../../import/operations.js";
import type { Selection } from "../../import/selection.js";
import { RECORD_PATH, writeRecord, type ImportRecord } from "../../import/update/import-record.js";
import { updateOpenApi, type Update } from "../../import/update/update-openapi.js";
import {
  importConflict,
  schemaHeldBack,
  updateHeldBack,
} from "../../model/catalogue/import-updates.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { FileOperation } from "../../model/plan.js";
import { decodeText } from "../../text/line-ends.js";
import { printable } from "../../text/printable.js";
import { shownPath } from "../compile-manifest.js";
import { exitStatus, statusOfProject, type ExitStatus } from "../exit-status.js";
import { failed } from "../report/failed.js";
import { fileDiffs } from "../report/file-diffs.js";
import type { CommandContext } from "../command.js";
import { writeFiles } from "../write-files.js";
import {
  documentsOf,
  importedManifest,
  pathOf,
  type ImportedManifest,
  type ReadDocument,
} from "./imported-manifest.js";
import { selectionOf } from "./import-selection.js";

/**
 * Updates a manifest from documents that were imported into it before.
 *
 * @param target absolute path of the manifest
 * @param spec path of one document; undefined for all documents that the manifest names
 */
export async function updateImports(
  context: CommandContext,
  target: string,
  spec: string | undefined,
): Promise<ExitStatus> {
  for (const withNewFiles of [true, false]) {
    const former = await importedManifest(context, target, withNewFiles);
    if ("problems" in former) return failed(context, former.problems, former.status);
    const read = documentsOf(context, target, former, spec);
    if ("problems" in read) return failed(context, read.problems, exitStatus.wrong);
    const { documents } = read;
    const chosen = selectionOf(
      context,
      documents.map(({ document }) => document),
    );
    if ("problems" in chosen) return failed(context, chosen.problems, exitStatus.wrong);
    const updates = updateAll(context, former, documents, chosen.selection);
    // A new file is written once there is something for it.
    if (!hasEmptyFile(former, updates)) return finish(context, target, former, updates);
  }
  throw new Error("without new files none of them is empty");
}

/** True if an update leaves a new file without tools. */
function hasEmptyFile({ newFiles }: ImportedManifest, { manifest }: Updates): boolean {
  const folder = posix.dirname(manifest.file);
  return [...newFiles].some(
    ([path, text]) => manifest.texts.get(posix.join(folder, path)) === text,
  );
}

/** The results of all updates of a run, and the manifest and record after the last of them. */
interface Updates {
  readonly updates: readonly Update[];
  readonly manifest: LoadedManifest;
  readonly record: ImportRecord;
  readonly sources: ReadonlyMap<string, string>;
}

function updateAll(
  context: CommandContext,
  former: ImportedManifest,
  documents: readonly ReadDocument[],
  selection: Selection,
): Updates {
  const isPruning = context.invocation.flags.has("prune");
  const record = new Map(former.record);
  const sources = new Map<string, string>();
  let { manifest } = former;
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
  return { updates, manifest, record, sources: new Map([...sources, ...manifest.texts]) };
}

/** The operations that write the manifest and the record. A file that does not change has no operation. */
function operationsFor(
  { files }: ImportedManifest,
  { manifest, record }: Updates,
): FileOperation[] {
  const ofManifest = [...manifest.texts].map(([shown, text]) => {
    const path = pathOf(manifest, shown);
    const { mark } = decodeText(files.get(path) ?? new Uint8Array()) ?? { mark: "" };
    return [path, mark + text] as const;
  });
  const texts = [...ofManifest, [RECORD_PATH, writeRecord(record)] as const];
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
  former: ImportedManifest,
  result: Updates,
): Promise<ExitStatus> {
  const { invocation, reporter } = context;
  const { updates } = result;
  const operations = operationsFor(former, result);
  const isRefused = updates.some(({ written }) => written === undefined);
  const isDry = invocation.flags.has("dry-run");
  const failures = isRefused || isDry ? [] : await writeFiles(dirname(target), operations);
  const diagnostics = [...updates.flatMap((update) => update.diagnostics), ...failures];
  const exitCode = isRefused ? exitStatus.wrong : statusOf(diagnostics, failures);
  reporter.diagnostics(diagnostics, result.sources);
  if (!isRefused && failures.length === 0) {
    const manifest = operations.filter(({ path }) => path !== RECORD_PATH);
    if (isDry && !invocation.flags.has("json")) {
      const tree = new FolderTree(dirname(target), diskFiles);
      reporter.text(await fileDiffs(manifest, tree, reporter.paint));
    }
    const paths = manifest.map(({ path }) => join(dirname(target), path));
    const shown = (paths.length === 0 ? [target] : paths)
      .map((path) => printable(shownPath(context.folder, path)))
      .join(", ");
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

const NEEDS_PERSON: ReadonlySet<string> = new Set(
  [importConflict, updateHeldBack, schemaHeldBack].map(({ entry }) => entry.code),
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
  const counts = (["updated", "added", "pruned"] as const).flatMap((change) => {
    const names = updates.flatMap((update) => update[change]);
    return names.length === 0 ? [] : [`${change} ${names.map(printable).join(", ")}`];
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
