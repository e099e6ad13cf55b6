import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMeanOne } from "./message-parts.js";

/** Problems of a document or server that is imported, and what an import leaves out. */

export const unreadableDocument = defineDiagnostic<{ path: string; reason: string }>({
  code: "MW6101",
  severity: "error",
  title: "document cannot be read",
  explanation: {
    cause: "`mcpwright import` cannot read the file that it is to import.",
    example: "mcpwright import openapi not-there.yaml",
    fix: "Name a file of this machine. A document of the web is downloaded first.",
  },
  message: ({ path, reason }) => `${path} cannot be read (${reason})`,
});

export const documentSyntax = defineDiagnostic<{ problem: string }>({
  code: "MW6102",
  severity: "error",
  title: "document that is not JSON or YAML",
  explanation: {
    cause:
      "The file is neither JSON nor YAML, has a key twice, or is larger or deeper than documents of people are.",
    example: "openapi: 3.1.0\nopenapi: 3.1.0",
    fix: "Correct the document at the place.",
  },
  message: ({ problem }) => `the document ${problem}`,
});

export const badDocument = defineDiagnostic<{ found: string }>({
  code: "MW6103",
  severity: "error",
  title: "not an OpenAPI document",
  explanation: {
    cause: "The file does not say that it is OpenAPI 2.0, 3.0 or 3.1.",
    example: "info: {title: A}",
    fix: "Import a document that begins with `openapi: 3.1.0` or `swagger: '2.0'`.",
  },
  message: ({ found }) => `the document says no version of OpenAPI that can be read (${found})`,
});

export const operationLeftOut = defineDiagnostic<{
  operation: string;
  reason: string;
  pointer: string;
}>({
  code: "MW6110",
  severity: "warning",
  title: "operation that is not imported",
  explanation: {
    cause:
      "An operation needs something that an `http` body cannot say, or the document is wrong at that place.",
    example:
      "openapi: 3.1.0\ninfo: {title: A}\npaths: {/a: {post: {requestBody: {content: {image/png: {}}}, responses: {}}}}",
    fix: "Correct the document, or write the tool with a handler of your own.",
  },
  message: ({ operation, reason, pointer }) =>
    `${operation} is left out: it ${reason} (${pointer})`,
});

export const partLeftOut = defineDiagnostic<{ operation: string; reason: string; pointer: string }>(
  {
    code: "MW6111",
    severity: "warning",
    title: "part of an operation that is not imported",
    explanation: {
      cause:
        "An optional part of an operation cannot be said in the manifest, or is wrong in the document.",
      example:
        "openapi: 3.1.0\ninfo: {title: A}\nservers: [{url: https://a.example}]\npaths: {/a: {get: {parameters: [{name: q, in: query, content: {text/csv: {}}}], responses: {}}}}",
      fix: "Where callers need it, write the tool with a handler, or correct the document.",
    },
    message: ({ operation, reason, pointer }) => `${operation}: ${reason} (${pointer})`,
  },
);

export const choiceNeeded = defineDiagnostic<{ count: number; most: number }>({
  code: "MW6120",
  severity: "error",
  title: "choice of operations needed",
  explanation: {
    cause:
      "A document has more operations than a model can choose from, and nothing says which are wanted.",
    example: "mcpwright import openapi large.yaml",
    fix: "Choose with --tag, --path, --method, --operation and --exclude; `--path '/**'` takes all, for a server with `exposure: search`.",
  },
  message: ({ count, most }) =>
    `the document has ${count} operations, and a server that lists more than ${most} serves no model: choose with --tag, --path, --method or --operation`,
});

export const manifestTooLarge = defineDiagnostic<{ problem: string }>({
  code: "MW6122",
  severity: "error",
  title: "operations that no manifest can hold",
  explanation: {
    cause:
      "A manifest of all the operations that are wanted would be larger than manifests may be.",
    example: "mcpwright import openapi large.yaml --path '/**'",
    fix: "Choose fewer operations with --tag, --path or --operation, or leave answers out with --no-output.",
  },
  message: ({ problem }) => `the operations do not fit into one manifest, choose fewer: ${problem}`,
});

export const nothingChosen = defineDiagnostic<{ unnamed?: number }>({
  code: "MW6121",
  severity: "error",
  title: "no operation is left",
  explanation: {
    cause:
      "No operation of the document fits all that was chosen, or each that does is left out. Operations that are deprecated, or hidden by the document, are chosen only where they are named.",
    example: "mcpwright import openapi books.yaml --tag books --method delete",
    fix: "Choose by tags, paths and methods that an operation has together, or name operations with --operation.",
  },
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
  severity: "error",
  title: "choice that the document does not have",
  explanation: {
    cause:
      "An option that chooses operations names a tag, a path, a method or an operation that no operation of the document has. Nothing was written, since the choice would be another one than was meant.",
    example: "mcpwright import openapi books.yaml --tag boks",
    fix: "Use a name that the document has: `mcpwright import openapi SPEC --list` shows all operations with their ids, paths and tags.",
  },
  message: ({ what, name, nearest }) =>
    `the document has no ${what} "${name}"${didYouMeanOne(nearest)}`,
});

export const serverUnusable = defineDiagnostic<{ reason: string }>({
  code: "MW6130",
  severity: "error",
  title: "server that cannot be imported",
  explanation: {
    cause:
      "The server that a command line names does not start or answer, answers what the protocol does not have, or lists without end.",
    example: "mcpwright import server -- node not-there.js",
    fix: "Start the server by itself and look at what it says; give the headers that it wants with --header.",
  },
  message: ({ reason }) => `the server ${reason}`,
});

export const serverItemLeftOut = defineDiagnostic<{ item: string; reason: string }>({
  code: "MW6131",
  severity: "warning",
  title: "item of a server that is not imported",
  explanation: {
    cause:
      "A server lists an item that a manifest cannot say, in no form: a name that is there twice, or an input schema that takes no object.",
    example: "mcpwright import server -- node server-with-a-name-twice.js",
    fix: "Correct the server, or write the item into the manifest in another form.",
  },
  message: ({ item, reason }) => `${item} ${reason}`,
});

export const serverPartLeftOut = defineDiagnostic<{ item: string; reason: string }>({
  code: "MW6132",
  severity: "warning",
  title: "part of a server that is not imported",
  explanation: {
    cause:
      "A server says something of itself or of an item that a manifest cannot say, or that is invalid. The item is imported without it, or with the form that the message shows: schemas in JSON Schema 2020-12, names and URIs that manifests have.",
    example: "mcpwright import server -- node server-with-a-bad-icon.js",
    fix: "Where clients need it, correct the server, or write it into the manifest in another form.",
  },
  message: ({ item, reason }) => `${item}: ${reason}`,
});
