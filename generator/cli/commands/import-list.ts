import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { ApiDocument } from "../../import/api-document.js";
import { leftOut } from "../../import/document-import.js";
import {
  operationStates,
  type FormerImport,
  type ListedOperation,
} from "../../import/operation-states.js";
import { operationsOf } from "../../import/operations.js";
import { importedItems } from "../../import/update/import-entry.js";
import { printable } from "../../text/printable.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import type { CommandContext } from "../command.js";
import { selectionOf } from "./import-document.js";
import { failed } from "./import-target.js";
import { documentsOf, importedManifest, specDocument, type Problems } from "./imported-manifest.js";

/** A document, and what is known of its former import. */
interface ListedDocument {
  readonly document: ApiDocument;
  readonly path: string;
  readonly former: FormerImport;
}

/**
 * `mcpwright import --list`: the operations of documents, and what became of each in the manifest. Writes nothing.
 *
 * @param target the manifest, as an absolute path; where there is none, nothing was imported yet
 * @param spec the document; undefined for all that the manifest names
 */
export function listOperations(
  context: CommandContext,
  target: string,
  spec: string | undefined,
): ExitStatus {
  const found = listedDocuments(context, target, spec);
  if ("problems" in found) return failed(context, found.problems, found.status);
  const { reporter } = context;
  const selection = selectionOf(context);
  const read = found.documents.map(({ document, path, former }) => {
    const { operations, unreadable } = operationsOf(document);
    const problems = unreadable.map(({ name, problem }) => leftOut(document, name, problem));
    return { path, problems, operations: operationStates(operations, former, selection) };
  });
  const diagnostics = read.flatMap(({ problems }) => problems);
  const sources = found.documents.map(({ document }) => [document.file, document.text] as const);
  reporter.diagnostics(diagnostics, new Map(sources));
  for (const { path, operations } of read) reporter.text(documentText(path, operations));
  reporter.document({
    ok: true,
    exitCode: exitStatus.done,
    documents: read.map(({ path, operations }) => ({ path, operations })),
    ...reporter.counted(diagnostics),
  });
  return exitStatus.done;
}

function listedDocuments(
  context: CommandContext,
  target: string,
  spec: string | undefined,
): { documents: ListedDocument[] } | Problems {
  const folder = dirname(target);
  if (spec !== undefined && !existsSync(target)) {
    const read = specDocument(context, folder, spec);
    if ("problem" in read) return { problems: [read.problem], status: exitStatus.wrong };
    const { document, recordedPath } = read;
    const former = { items: [], base: undefined };
    return { documents: [{ document, path: recordedPath, former }] };
  }
  const found = importedManifest(context, target);
  if ("problems" in found) return found;
  const read = documentsOf(context, target, found, spec);
  if ("problems" in read) return { problems: read.problems, status: exitStatus.wrong };
  const documents = read.documents.map(({ entry, document, recordedPath }) => {
    const items = importedItems(found.manifest.value, entry.name);
    const former = { items, base: found.record.get(entry.name) };
    return { document, path: recordedPath, former };
  });
  return { documents };
}

/** A document's operations as a table. */
function documentText(path: string, operations: readonly ListedOperation[]): string {
  const widths = {
    state: widest(operations.map(({ state }) => state)),
    operation: Math.min(widest(operations.map(({ operation }) => operation)), 60),
  };
  const lines = operations.map((one) => {
    const start = `${one.state.padEnd(widths.state)}  ${one.operation.padEnd(widths.operation)}`;
    return `  ${printable(`${start}  ${remarkOf(one)}`.trimEnd())}\n`;
  });
  return `${printable(path)}: ${operations.length} operations\n\n${lines.join("")}\n`;
}

const widest = (texts: readonly string[]): number =>
  texts.reduce((most, { length }) => Math.max(most, length), 0);

/** The tool of an operation, or what it is about. */
function remarkOf({ tool, summary = "", isDeprecated, isHidden }: ListedOperation): string {
  if (tool !== undefined) return tool;
  const marks = [isDeprecated && "deprecated", isHidden && "hidden by the document"];
  const marked = marks.filter((mark) => mark !== undefined).join(", ");
  return marked === "" ? summary : `${summary} (${marked})`.trimStart();
}
