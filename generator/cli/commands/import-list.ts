import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ApiDocument } from "../../import/api-document.js";
import { leftOut } from "../../import/document-import.js";
import { operationStates, type ListedOperation } from "../../import/operation-states.js";
import { operationsOf } from "../../import/operations.js";
import { importedItems } from "../../import/update/import-entry.js";
import type { FormerImport } from "../../import/update/renamed-routes.js";
import { initTargetExists } from "../../model/catalogue/command-line.js";
import { unknownImport } from "../../model/catalogue/import-updates.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { printable } from "../../text/printable.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import type { CommandContext } from "../command.js";
import { failed } from "../report/failed.js";
import { readDocument } from "./import-document.js";
import { selectionOf } from "./import-selection.js";
import { documentsOf, importedManifest, type Problems } from "./imported-manifest.js";

/** A document, and what the manifest and the record say about its former import. */
interface ListedDocument {
  readonly document: ApiDocument;
  readonly path: string;
  readonly former: FormerImport;
}

/**
 * `mcpwright import --list`: lists the operations of documents, and the state of each in the manifest. Writes nothing.
 *
 * @param target absolute path of the manifest. If it does not exist, nothing was imported before.
 * @param spec path of one document; undefined for all documents that the manifest names
 */
export async function listOperations(
  context: CommandContext,
  target: string,
  spec: string | undefined,
): Promise<ExitStatus> {
  const listed = await listedDocuments(context, target, spec);
  if ("problems" in listed) return failed(context, listed.problems, listed.status);
  const { reporter } = context;
  const chosen = selectionOf(
    context,
    listed.documents.map(({ document }) => document),
  );
  if ("problems" in chosen) return failed(context, chosen.problems, exitStatus.wrong);
  const { selection } = chosen;
  const reports = listed.documents.map(({ document, path, former }) => {
    const { operations, unreadable } = operationsOf(document);
    const problems = unreadable.map(({ name, problem }) => leftOut(document, name, problem));
    return { path, problems, operations: operationStates(operations, former, selection) };
  });
  const diagnostics = reports.flatMap(({ problems }) => problems);
  const sources = listed.documents.map(({ document }) => [document.file, document.text] as const);
  reporter.diagnostics(diagnostics, new Map(sources));
  for (const { path, operations } of reports) reporter.text(documentText(path, operations));
  reporter.document({
    ok: true,
    exitCode: exitStatus.done,
    documents: reports.map(({ path, operations }) => ({ path, operations })),
    ...reporter.counted(diagnostics),
  });
  return exitStatus.done;
}

async function listedDocuments(
  context: CommandContext,
  target: string,
  spec: string | undefined,
): Promise<{ documents: ListedDocument[] } | Problems> {
  const imported = existsSync(target) ? await formerImports(context, target, spec) : undefined;
  if (imported === undefined || !("problems" in imported)) {
    return imported ?? newDocument(context, target, spec ?? "");
  }
  const isNew = ({ code }: Diagnostic): boolean =>
    code === initTargetExists.entry.code || code === unknownImport.entry.code;
  // The operations of a document that the manifest does not know can be looked at before they are imported.
  if (spec === undefined || !imported.problems.every(isNew)) return imported;
  return newDocument(context, target, spec);
}

/** A document that was not imported before. */
function newDocument(
  context: CommandContext,
  target: string,
  spec: string,
): { documents: ListedDocument[] } | Problems {
  const read = readDocument(context, dirname(target), resolve(context.folder, spec));
  if ("problem" in read) return { problems: [read.problem], status: exitStatus.wrong };
  const { document, recordedPath } = read;
  return { documents: [{ document, path: recordedPath, former: { items: [], base: undefined } }] };
}

/** The documents that a manifest was imported from, or the one of them that is named. */
async function formerImports(
  context: CommandContext,
  target: string,
  spec: string | undefined,
): Promise<{ documents: ListedDocument[] } | Problems> {
  const imported = await importedManifest(context, target, false);
  if ("problems" in imported) return imported;
  const read = documentsOf(context, target, imported, spec);
  if ("problems" in read) return { problems: read.problems, status: exitStatus.wrong };
  const documents = read.documents.map(({ entry, document, recordedPath }) => {
    const items = importedItems(imported.manifest.value, entry.name);
    const former = { items, base: imported.record.get(entry.name) };
    return { document, path: recordedPath, former };
  });
  return { documents };
}

/** A document's operations as a table. A column without an entry is not shown. */
function documentText(path: string, operations: readonly ListedOperation[]): string {
  const widths = {
    state: widest(operations.map(({ state }) => state)),
    operation: Math.min(widest(operations.map(({ operation }) => operation)), 60),
    id: Math.min(widest(operations.map(({ operationId = "" }) => operationId)), 40),
  };
  const lines = operations.map((listed) => {
    const { state, operation, operationId = "" } = listed;
    const columns = [
      state.padEnd(widths.state),
      operation.padEnd(widths.operation),
      ...(widths.id === 0 ? [] : [operationId.padEnd(widths.id)]),
      remarkOf(listed),
    ];
    return `  ${printable(columns.join("  ").trimEnd())}\n`;
  });
  return `${printable(path)}: ${operations.length} operations\n\n${lines.join("")}\n`;
}

const widest = (texts: readonly string[]): number =>
  texts.reduce((most, { length }) => Math.max(most, length), 0);

/** The name of the operation's tool. If it has none, the operation's summary, and why it is not imported by default. */
function remarkOf({ tool, summary = "", isDeprecated, isHidden }: ListedOperation): string {
  if (tool !== undefined) return tool;
  const marks = [isDeprecated && "deprecated", isHidden && "hidden by the document"];
  const marked = marks.filter((mark) => mark !== undefined).join(", ");
  return marked === "" ? summary : `${summary} (${marked})`.trimStart();
}
