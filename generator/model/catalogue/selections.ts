import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about what bodies select from answers. */

export const notASelection = defineDiagnostic<{ problem: string }>({
  code: "MW2190",
  message: ({ problem }) => `this is no selection: ${problem}`,
});

export const selectionWithoutMatch = defineDiagnostic<{ problem: string }>({
  code: "MW2191",
  message: ({ problem }) => problem,
});

export const selectionConflict = defineDiagnostic<{ problem: string }>({
  code: "MW2192",
  message: ({ problem }) => problem,
});

export const selectionMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW2193",
  message: ({ problem }) => `the outputSchema refuses what the selection makes: ${problem}`,
});
