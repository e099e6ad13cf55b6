import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about what bodies make of answers beside their content: headers, cursors, and answers without content. */

export const pagesNotExposed = defineDiagnostic<{ problem: string; advice?: string }>({
  code: "MW2194",
  message: ({ problem }) => `models cannot ask for further pages: ${problem}`,
  hint: ({ advice }) => advice,
});

export const headerNotInResult = defineDiagnostic<{ problem: string }>({
  code: "MW2195",
  message: ({ problem }) => problem,
});

export const noContentMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW2196",
  message: ({ problem }) => problem,
});

export const retriedWrite = defineDiagnostic<{ method: string }>({
  code: "MW2197",
  severity: "warning",
  message: ({ method }) =>
    `a repeated ${method} may do its work twice: without an answer, nobody knows whether the first one did it`,
  hint: () =>
    "say `annotations: { idempotentHint: true }` if the service recognizes repetitions, or remove `retries`",
});
