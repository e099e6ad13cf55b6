import type { Place } from "../model/place.js";
import { choiceNeeded, nothingChosen } from "../model/catalogue/imports.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { ApiDocument } from "./api-document.js";
import { DocumentImport, leftOut } from "./document-import.js";
import { operationsOf, type Operation } from "./operations.js";
import {
  countUnnamed,
  isEmptySelection,
  MOST_UNSELECTED,
  selectOperations,
  type Selection,
} from "./selection.js";
import { toolNames } from "./tool-names.js";
import { recordOf, type ImportRecord } from "./update/import-record.js";

export interface ImportOptions {
  readonly selection: Selection;
  /** True if tools get an output schema. */
  readonly withOutput: boolean;
  /** The document's path in the manifest. */
  readonly recordedPath: string;
  /** The place of diagnostics that are about no place of the document. */
  readonly place: Place;
}

/** The result of an import. Nothing has been written yet. */
export interface ImportResult {
  /** The manifest's text. Absent if there is nothing to write. */
  readonly manifest?: string;
  /** The record of this import, which the next import needs. Absent if there is no manifest. */
  readonly record?: ImportRecord;
  /** All operations of the document. */
  readonly operations: readonly Operation[];
  /** The operations that are selected. */
  readonly selected: readonly Operation[];
  /** Names of the tools in the manifest. */
  readonly tools: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Makes a new manifest from an OpenAPI document. Pure.
 *
 * `operations.ts`, `parameters.ts` and `request-content.ts` hide the differences between the three versions of
 * OpenAPI, `schema-conversion.ts` converts schemas to JSON Schema 2020-12, and `request.ts` makes the request of an
 * operation. They throw `NotImportable` if a manifest cannot express something, which becomes a diagnostic.
 */
export function importOpenApi(document: ApiDocument, options: ImportOptions): ImportResult {
  const { operations, unreadable } = operationsOf(document);
  const selected = selectOperations(operations, options.selection);
  const problems = unreadable.map(({ name, problem }) => leftOut(document, name, problem));
  const commonParts = { operations, selected, tools: [] };
  if (isEmptySelection(options.selection) && selected.length > MOST_UNSELECTED) {
    const parameters = { count: selected.length, most: MOST_UNSELECTED };
    return { ...commonParts, diagnostics: [...problems, choiceNeeded(options.place, parameters)] };
  }
  const { withOutput, recordedPath } = options;
  const documentImport = new DocumentImport(document, { withOutput, recordedPath });
  const result = documentImport.make(selected, toolNames(selected));
  const { parts, text } = result;
  const diagnostics = [...problems, ...result.diagnostics];
  if (parts.tools.length === 0) {
    const hasError = diagnostics.some(({ severity }) => severity === "error");
    const unnamed = selected.length === 0 ? countUnnamed(operations, options.selection) : 0;
    const emptyProblems = hasError ? [] : [nothingChosen(options.place, { unnamed })];
    return { ...commonParts, diagnostics: [...diagnostics, ...emptyProblems] };
  }
  const record = new Map([[documentImport.api, recordOf(operations, parts)]]);
  const tools = parts.tools.map(({ tool }) => String(tool["name"]));
  return { ...commonParts, tools, manifest: text, record, diagnostics };
}
