import { parse } from "yaml";
import { loadManifest } from "../../../1-load/load.js";
import { importOpenApi } from "../../../import/import-openapi.js";
import { readDocument } from "../../../import/read-document.js";
import type { Selection } from "../../../import/selection.js";
import { importEntries } from "../../../import/update/import-entry.js";
import { readRecord, writeRecord } from "../../../import/update/import-record.js";
import { updateOpenApi, type Update } from "../../../import/update/update-openapi.js";
import { commandLinePlace } from "../../../model/catalogue/command-line.js";
import type { Diagnostic } from "../../../model/diagnostic.js";
import type { JsonObject } from "../../../model/json.js";

/** Imports and their updates in memory. */

/** Chooses nothing. */
export const OPEN: Selection = { tags: [], paths: [], methods: [], operations: [], exclude: [] };

/** A manifest and the record of what was imported into it, as texts. */
export interface ImportedProject {
  readonly manifest: string;
  readonly record: string;
}

function documentOf(value: JsonObject | string) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const read = readDocument("pets.yaml", Buffer.from(text));
  if ("problem" in read) throw new Error(read.problem.message);
  return read.document;
}

export function firstImport(document: JsonObject | string, selection = OPEN): ImportedProject {
  const { manifest, record } = importOpenApi(documentOf(document), {
    ...{ selection, withOutput: true, recordedPath: "pets.yaml", place: commandLinePlace(0) },
  });
  if (manifest === undefined || record === undefined) throw new Error("nothing is imported");
  return { manifest, record: writeRecord(record) };
}

export interface UpdatedProject extends ImportedProject {
  readonly update: Update;
  readonly codes: readonly string[];
  readonly said: string;
  readonly value: JsonObject;
}

export function updated(
  { manifest: text, record }: ImportedProject,
  document: JsonObject | string,
  options: { selection?: Selection; isPruning?: boolean } = {},
): UpdatedProject {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
  if (manifest === undefined) throw new Error(`${diagnostics[0]?.message}\n${text}`);
  const { entries, problems } = importEntries(manifest);
  const [entry] = entries;
  if (entry === undefined) throw new Error(problems[0]?.message ?? "no import");
  const base = readRecord(record)?.get(entry.name);
  const { selection = OPEN, isPruning = false } = options;
  const update = updateOpenApi(documentOf(document), manifest, base, {
    ...{ entry, recordedPath: entry.openapi, selection, isPruning },
  });
  const result = update.written?.manifest.texts.get("mcp.yaml") ?? text;
  const messages = update.diagnostics.map(({ message, line }: Diagnostic) => `${line}: ${message}`);
  return {
    manifest: result,
    record:
      update.written === undefined
        ? record
        : writeRecord(new Map([[entry.name, update.written.record]])),
    update,
    codes: update.diagnostics.map(({ code }) => code),
    said: messages.join("\n"),
    value: parse(result) as JsonObject,
  };
}
