import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMeanOne } from "./message-parts.js";

/** Problems of a document or server that is imported, and what an import leaves out. */

export const unreadableDocument = defineDiagnostic<{ path: string; reason: string }>({
  code: "MW6101",
  message: ({ path, reason }) => `${path} cannot be read (${reason})`,
});

export const documentSyntax = defineDiagnostic<{ problem: string }>({
  code: "MW6102",
  message: ({ problem }) => `the document ${problem}`,
});

export const badDocument = defineDiagnostic<{ found: string }>({
  code: "MW6103",
  message: ({ found }) => `the document says no version of OpenAPI that can be read (${found})`,
});

export const operationLeftOut = defineDiagnostic<{
  operation: string;
  reason: string;
  pointer: string;
}>({
  code: "MW6110",
  severity: "warning",
  message: ({ operation, reason, pointer }) =>
    `${operation} is left out: it ${reason} (${pointer})`,
});

export const partLeftOut = defineDiagnostic<{ operation: string; reason: string; pointer: string }>(
  {
    code: "MW6111",
    severity: "warning",
    message: ({ operation, reason, pointer }) => `${operation}: ${reason} (${pointer})`,
  },
);

export const choiceNeeded = defineDiagnostic<{ count: number; most: number }>({
  code: "MW6120",
  message: ({ count, most }) =>
    `the document has ${count} operations, and a server that lists more than ${most} serves no model: choose with --tag, --path, --method or --operation`,
});

export const importedManifestTooLarge = defineDiagnostic<{ problem: string }>({
  code: "MW6122",
  message: ({ problem }) => `the operations do not fit into one manifest, choose fewer: ${problem}`,
});

export const nothingChosen = defineDiagnostic<{ unnamed?: number }>({
  code: "MW6121",
  message: ({ unnamed = 0 }) =>
    unnamed === 0
      ? "there is no operation to import"
      : `there is no operation to import: ${unnamed} that would fit ${unnamed === 1 ? "is" : "are"} deprecated or hidden by the document`,
  hint: ({ unnamed = 0 }) =>
    unnamed === 0 ? undefined : "--operation takes them by name; --list shows the names",
});

export const unknownSelection = defineDiagnostic<{
  what: string;
  name: string;
  nearest: readonly string[];
}>({
  code: "MW6123",
  message: ({ what, name, nearest }) =>
    `the document has no ${what} "${name}"${didYouMeanOne(nearest)}`,
});

export const serverUnusable = defineDiagnostic<{
  reason: string;
  /** True if a server behind a URL answered that it needs credentials, and none were sent. */
  needsToken?: boolean;
}>({
  code: "MW6130",
  message: ({ reason }) => `the server ${reason}`,
  // A trial of a server behind OAuth, whose client said 401 and no more.
  hint: ({ needsToken }) =>
    needsToken === true ? "--header 'Authorization: Bearer …' sends a token" : undefined,
});

export const serverItemLeftOut = defineDiagnostic<{ item: string; reason: string }>({
  code: "MW6131",
  severity: "warning",
  message: ({ item, reason }) => `${item} ${reason}`,
});

export const serverPartLeftOut = defineDiagnostic<{ item: string; reason: string }>({
  code: "MW6132",
  severity: "warning",
  message: ({ item, reason }) => `${item}: ${reason}`,
});
