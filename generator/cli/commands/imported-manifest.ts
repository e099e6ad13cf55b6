import { existsSync } from "node:fs";
import { basename, dirname, join, posix, resolve } from "node:path";
import { loadManifest } from "../../1-load/load.js";
import { readManifest } from "../../1-load/read.js";
import type { ReadResult } from "../../1-load/read-result.js";
import { readRegularFile } from "../../1-load/regular-file.js";
import type { ApiDocument } from "../../import/api-document.js";
import { MAX_DOCUMENT_BYTES } from "../../import/read-document.js";
import { packageName } from "../../import/package-name.js";
import { importEntries, type ImportEntry } from "../../import/update/import-entry.js";
import { readRecord, RECORD_PATH, type ImportRecord } from "../../import/update/import-record.js";
import { initTargetExists } from "../../model/catalogue/command-line.js";
import {
  badImportEntry,
  importRecordUnreadable,
  unknownImport,
} from "../../model/catalogue/import-updates.js";
import { wholeFile } from "../../model/place.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { compileBytes, shownPath } from "../compile-manifest.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import { placeOf } from "../options.js";
import { emptyPart, textWithIncluded, withNewParts } from "../split/new-parts.js";
import type { CommandContext } from "../command.js";
import { readDocument } from "./import-document.js";

/** A manifest that was made or extended by an import, with the record of the import. */
export interface ImportedManifest {
  readonly manifest: LoadedManifest;
  readonly entries: readonly ImportEntry[];
  readonly record: ImportRecord;
  /** The present bytes of the manifest's files and of the record, by their paths in the manifest's folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The texts, without tools, of files that `into` names and that do not exist yet, by their paths there. */
  readonly newFiles: ReadonlyMap<string, string>;
}

/** A document that is imported again, and its entry in the manifest. */
export interface ReadDocument {
  readonly entry: ImportEntry;
  readonly document: ApiDocument;
  readonly recordedPath: string;
}

/** Why a command cannot continue, and the exit status that it ends with. */
export type Problems = { readonly problems: readonly Diagnostic[]; readonly status: ExitStatus };

/**
 * Reads a manifest and the record beside it. It is a problem if the manifest is not valid or has no import.
 *
 * @param withNewFiles whether the manifest has the files that `into` names and that do not exist yet, without tools
 */
export async function importedManifest(
  context: CommandContext,
  target: string,
  withNewFiles: boolean,
): Promise<ImportedManifest | Problems> {
  const file = shownPath(context.folder, target);
  const read = readManifest(target, file);
  const compiled = await compileBytes(file, read, context.invocation);
  const errors = compiled.diagnostics.filter(({ severity }) => severity === "error");
  const { written } = compiled;
  if (written === undefined || read.bytes === undefined || errors.length > 0) {
    return { problems: compiled.diagnostics, status: exitStatus.wrong };
  }
  const { entries: stated, problems } = importEntries(written);
  if (problems.length > 0) return { problems, status: exitStatus.wrong };
  const started = withNewFiles
    ? await withStartedFiles(written, stated, target, read)
    : { manifest: written, newFiles: new Map<string, string>() };
  if ("problems" in started) return started;
  const { manifest, newFiles } = started;
  const entries = withNewFiles ? stated : stated.map(withoutNewFile);
  if (entries.length === 0) {
    return { problems: [nothingImported(context, manifest, target)], status: exitStatus.wrong };
  }
  const files = new Map<string, Uint8Array>([[basename(target), read.bytes]]);
  for (const shown of written.texts.keys()) {
    const { bytes } =
      (shown === file ? undefined : await read.parts?.read(pathOf(manifest, shown))) ?? {};
    if (bytes !== undefined) files.set(pathOf(manifest, shown), bytes);
  }
  const path = join(dirname(target), RECORD_PATH);
  if (!existsSync(path)) return { manifest, entries, files, newFiles, record: new Map() };
  const recordFile = readRegularFile(path, MAX_DOCUMENT_BYTES);
  const bytes = "bytes" in recordFile ? recordFile.bytes : undefined;
  const record = bytes === undefined ? undefined : readRecord(bytes.toString("utf8"));
  if (bytes === undefined || record === undefined) {
    const place = wholeFile(shownPath(context.folder, path));
    return { problems: [importRecordUnreadable(place, {})], status: exitStatus.needsPerson };
  }
  return { manifest, entries, record, newFiles, files: files.set(RECORD_PATH, bytes) };
}

const withoutNewFile = ({ newFile, into, ...entry }: ImportEntry): ImportEntry =>
  newFile === undefined && into !== undefined ? { ...entry, into } : entry;

/** A manifest that also includes the files that `into` names and that do not exist yet. They are not written. */
async function withStartedFiles(
  manifest: LoadedManifest,
  entries: readonly ImportEntry[],
  target: string,
  { bytes, parts }: ReadResult,
): Promise<Pick<ImportedManifest, "manifest" | "newFiles"> | Problems> {
  const paths = [...new Set(entries.flatMap(({ newFile }) => newFile ?? []))];
  const own = bytes && loadManifest(manifest.file, bytes).manifest;
  const newFiles = new Map(paths.map((path) => [path, emptyPart(path)]));
  if (paths.length === 0 || own === undefined || parts === undefined) return { manifest, newFiles };
  for (const { name, newFile } of entries) {
    if (newFile === undefined || !existsSync(join(dirname(target), newFile))) continue;
    const problem = "into names a file that exists and that the manifest does not include";
    const place = manifest.locate(["x-imports", name, "into"], "value");
    return { problems: [badImportEntry(place, { problem })], status: exitStatus.wrong };
  }
  const text = Buffer.from(textWithIncluded(own, paths));
  const read = { bytes: text, diagnostics: [], parts: withNewParts(parts, newFiles) };
  const started = await compileBytes(manifest.file, read, { flags: new Set() });
  return started.written === undefined
    ? { problems: started.diagnostics, status: exitStatus.wrong }
    : { manifest: started.written, newFiles };
}

/** The path of a file of a manifest in its folder. @param shown its path as diagnostics carry it */
export function pathOf({ file }: LoadedManifest, shown: string): string {
  return posix.relative(posix.dirname(file), shown);
}

/** The problem of a manifest without an import, which an import must not overwrite. */
function nothingImported(
  { invocation }: CommandContext,
  manifest: LoadedManifest,
  target: string,
): Diagnostic {
  if (invocation.positionals.length > 0) {
    const instead =
      "to import into it, name the document in it: x-imports: {api: {openapi: …}}; then run `mcpwright import`";
    return initTargetExists(placeOf(invocation, "out"), { path: target, instead });
  }
  const problem = "x-imports names no document that could be imported again";
  return badImportEntry(manifest.locate([], "value"), { problem });
}

/**
 * Reads the documents that a manifest was imported from.
 *
 * @param spec path of one of them, relative to the working folder; undefined for all
 */
export function documentsOf(
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
    const read = readDocument(context, folder, path);
    if ("problem" in read) return { problems: [read.problem] };
    const { document, recordedPath } = read;
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

/** The entry of a document: the entry with its path, or else the entry with the name that its title gives. */
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
