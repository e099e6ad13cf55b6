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
  severity: "error",
  title: "field that the manifest and the document have both changed",
  explanation: {
    cause:
      "Since the last import, you have changed a field of an imported item, and the document has changed it too. Your value stays, and this is said once. A comment beside a value counts as a change of yours, where the text cannot become the document's without losing it.",
    example:
      "tools: [{name: getPet, description: My own words, x-import: {from: pets, at: 'GET /pets/{id}'}}]",
    fix: "Compare the two values. Where yours is the one that you want, there is nothing to do; to take the document's, write it there.",
  },
  message: ({ field, document, former, fixed }) =>
    fixed === undefined
      ? `${field} was changed here and in the document; yours stays, the document's is now ${document} (before: ${former})`
      : `${field} stays, since it ${fixed}; the document's is now ${document} (before: ${former})`,
  hint: () => "write the document's value there to take it; to keep yours, do nothing",
});

export const operationGone = defineDiagnostic<{ operation: string; tool: string }>({
  code: "MW6141",
  severity: "warning",
  title: "operation that the document no longer has",
  explanation: {
    cause:
      "A tool was imported from an operation that the document no longer has. The tool stays, and its calls may fail.",
    example: "tools: [{name: getPet, description: A pet, x-import: {from: pets, at: 'GET /gone'}}]",
    fix: "Take the tool out with --prune, or delete its key `x-import` to make it your own.",
  },
  message: ({ operation, tool }) =>
    `the document no longer has ${operation}; the tool ${tool} stays until --prune takes it out`,
});

export const updateHeldBack = defineDiagnostic<{ operation: string; tool: string; reason: string }>(
  {
    code: "MW6142",
    severity: "error",
    title: "tool that is not updated",
    explanation: {
      cause:
        "An operation has changed in a way that an imported tool cannot follow: the manifest cannot say it, or it contradicts what you have changed. The tool stays as it is, and the next import tries again.",
      example: "mcpwright import openapi pets.yaml  # the operation now sends a file",
      fix: "Correct what the message names, in the document or in the tool, and import again.",
    },
    message: ({ operation, tool, reason }) =>
      `the tool ${tool} does not follow ${operation}: ${reason}`,
  },
);

export const unknownImport = defineDiagnostic<{ path: string; known: string }>({
  code: "MW6143",
  severity: "error",
  title: "document that is none of the manifest's imports",
  explanation: {
    cause:
      "The manifest is there already, and neither the path nor the title of the document is that of one of its imports. Nothing was written.",
    example: "mcpwright import openapi other.yaml",
    fix: "Where the document is a new version of one that was imported, write its path into `x-imports`. To import another API, write its manifest elsewhere with --out.",
  },
  message: ({ path, known }) =>
    `the manifest has no import of ${path}${known === "" ? "" : `, only of ${known}`}`,
});

export const badImportEntry = defineDiagnostic<{ problem: string }>({
  code: "MW6144",
  severity: "error",
  title: "import that the manifest says wrongly",
  explanation: {
    cause:
      "`x-imports` names the documents of which items were imported, and `import` cannot read it.",
    example: "x-imports: {pets: {openapi: pets.yaml, select: {tags: pets}}}",
    fix: "Write `x-imports: {NAME: {openapi: PATH}}`, with `output: false` for tools that do not say what they answer, and `select:` with `tag`, `path`, `method`, `operation` and `exclude` for operations that may come in by themselves.",
  },
  message: ({ problem }) => problem,
});

export const importRecordUnreadable = defineDiagnostic({
  code: "MW6145",
  severity: "error",
  title: "unreadable record of imports",
  explanation: {
    cause:
      "mcpwright.import.lock.json says what was last imported. It is damaged, so that nothing tells your changes from the document's. Nothing was written.",
    example: "A truncated mcpwright.import.lock.json.",
    fix: "Restore the file from version control. Without it, delete it: `import` then keeps every field that differs as you have it.",
  },
  message: () => "mcpwright.import.lock.json cannot be read",
});

export const importRecordMissing = defineDiagnostic<{ name: string }>({
  code: "MW6146",
  severity: "warning",
  title: "no record of the last import",
  explanation: {
    cause:
      "Nothing says what was last imported: mcpwright.import.lock.json is not there, or does not have this import. Fields that differ from the document stay as they are.",
    example: "rm mcpwright.import.lock.json && mcpwright import openapi pets.yaml",
    fix: "Commit mcpwright.import.lock.json with the manifest. It is written anew by this run, and the next one knows more.",
  },
  message: ({ name }) =>
    `nothing says what was last imported of ${name}; what differs from the document stays as it is`,
});

export const updateImpossible = defineDiagnostic<{ reason: string }>({
  code: "MW6147",
  severity: "error",
  title: "manifest that cannot be updated",
  explanation: {
    cause:
      "With what the document has changed, the manifest would not be valid, or its text is written in a way that cannot be changed in place. Nothing was written.",
    example: "schemas: {Pet: {$ref: '#/schemas/Animal'}}  # and the document no longer has Animal",
    fix: "Correct what the message names, and import again.",
  },
  message: ({ reason }) => `the manifest cannot be updated: ${reason}`,
});

export const selectionOutdated = defineDiagnostic<{
  what: string;
  name: string;
  nearest: readonly string[];
}>({
  code: "MW6148",
  severity: "warning",
  title: "selection of the manifest that the document does not have",
  explanation: {
    cause:
      "`select` under `x-imports` names a tag, a path, a method or an operation that no operation of the document has: it is misspelt, or the document has changed. It chooses nothing.",
    example: "x-imports: {pets: {openapi: pets.yaml, select: {tag: ptes}}}",
    fix: "Use a name that the document has, which `mcpwright import --list` shows, or take it out.",
  },
  message: ({ what, name, nearest }) =>
    `the document has no ${what} "${name}"${didYouMeanOne(nearest)}`,
});
