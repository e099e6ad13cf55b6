import type { Place } from "../model/catalogue-entry.js";
import { choiceNeeded, nothingChosen } from "../model/catalogue/imports.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { ApiDocument } from "./api-document.js";
import { DocumentImport, leftOut } from "./document-import.js";
import { operationsOf, type Operation } from "./operations.js";
import { isOpen, MOST_UNASKED, selected, type Selection } from "./selection.js";
import { toolNames } from "./tool-names.js";
import { recordOf, type ImportRecord } from "./update/import-record.js";

export interface ImportOptions {
  readonly selection: Selection;
  /** Whether tools say what they answer. */
  readonly withOutput: boolean;
  /** The document's path as the manifest has it. */
  readonly recordedPath: string;
  /** Diagnostics that no place of the document explains. */
  readonly place: Place;
}

/** What an import does, without having done it. */
export interface Imported {
  /** The manifest's text; absent where there is nothing to write. */
  readonly manifest?: string;
  /** What is recorded of the import, for the next one; absent with the manifest. */
  readonly record?: ImportRecord;
  /** Operations of the document, and those of them that are wanted. */
  readonly operations: readonly Operation[];
  readonly wanted: readonly Operation[];
  /** Names of the tools that are in the manifest. */
  readonly tools: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * An OpenAPI document → a new manifest. Pure.
 *
 * `operations.ts`, `parameters.ts` and `request-content.ts` read the three versions as one, `dialect.ts` says their
 * schemas in JSON Schema 2020-12, and `request.ts` makes a request of an operation. What the manifest cannot say ends
 * as `NotImportable`, which becomes a diagnostic of that operation.
 */
export function importOpenApi(document: ApiDocument, options: ImportOptions): Imported {
  const { operations, unreadable } = operationsOf(document);
  const wanted = selected(operations, options.selection);
  const lost = unreadable.map(({ name, problem }) => leftOut(document, name, problem));
  const base = { operations, wanted, tools: [] };
  if (isOpen(options.selection) && wanted.length > MOST_UNASKED) {
    const parameters = { count: wanted.length, most: MOST_UNASKED };
    return { ...base, diagnostics: [...lost, choiceNeeded(options.place, parameters)] };
  }
  const { withOutput, recordedPath } = options;
  const reading = new DocumentImport(document, { withOutput, recordedPath });
  const { parts, text, diagnostics: found } = reading.make(wanted, toolNames(wanted));
  const diagnostics = [...lost, ...found];
  if (parts.tools.length === 0) {
    const isSaid = diagnostics.some(({ severity }) => severity === "error");
    const nothing = isSaid ? [] : [nothingChosen(options.place, {})];
    return { ...base, diagnostics: [...diagnostics, ...nothing] };
  }
  const record = new Map([[reading.api, recordOf(operations, parts)]]);
  const tools = parts.tools.map(({ tool }) => String(tool["name"]));
  return { ...base, tools, manifest: text, record, diagnostics };
}
