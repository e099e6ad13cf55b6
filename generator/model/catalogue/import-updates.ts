import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMeanOne } from "./message-parts.js";

/** Problems of an import that updates a manifest that was imported before. */

export const importConflict = defineDiagnostic<{
  field: string;
  document: string;
  former: string;
  fixed?: string;
}>({
  code: "MW6140",
  message: ({ field, document, former, fixed }) =>
    fixed === undefined
      ? `${field} was changed here and in the document; yours stays, the document's is now ${document} (before: ${former})`
      : `${field} stays, since it ${fixed}; the document's is now ${document} (before: ${former})`,
  hint: () => "write the document's value there to take it; to keep yours, do nothing",
});

export const operationGone = defineDiagnostic<{ operation: string; tool: string }>({
  code: "MW6141",
  severity: "warning",
  message: ({ operation, tool }) =>
    `the document no longer has ${operation}; the tool ${tool} stays until --prune takes it out`,
});

export const updateHeldBack = defineDiagnostic<{ operation: string; tool: string; reason: string }>(
  {
    code: "MW6142",
    severity: "error",
    message: ({ operation, tool, reason }) =>
      `the tool ${tool} does not follow ${operation}: ${reason}`,
  },
);

export const unknownImport = defineDiagnostic<{ path: string; known: string }>({
  code: "MW6143",
  message: ({ path, known }) =>
    `the manifest has no import of ${path}${known === "" ? "" : `, only of ${known}`}`,
});

export const badImportEntry = defineDiagnostic<{ problem: string }>({
  code: "MW6144",
  message: ({ problem }) => problem,
});

export const importRecordUnreadable = defineDiagnostic({
  code: "MW6145",
  message: () => "mcpwright.import.lock.json cannot be read",
});

export const importRecordMissing = defineDiagnostic<{ name: string }>({
  code: "MW6146",
  severity: "warning",
  message: ({ name }) =>
    `nothing says what was last imported of ${name}; what differs from the document stays as it is`,
});

export const updateImpossible = defineDiagnostic<{ reason: string }>({
  code: "MW6147",
  message: ({ reason }) => `the manifest cannot be updated: ${reason}`,
});

export const selectionOutdated = defineDiagnostic<{
  what: string;
  name: string;
  nearest: readonly string[];
}>({
  code: "MW6148",
  severity: "warning",
  message: ({ what, name, nearest }) =>
    `the document has no ${what} "${name}"${didYouMeanOne(nearest)}`,
});

export const schemaHeldBack = defineDiagnostic<{ schema: string; reason: string }>({
  code: "MW6149",
  message: ({ schema, reason }) => `the schema ${schema} does not follow the document: ${reason}`,
  hint: () => "change the schema as the document does, together with the tool, and import again",
});
