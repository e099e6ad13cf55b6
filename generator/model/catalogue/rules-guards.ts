import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about what a person must allow. */

export const nothingToConfirm = defineDiagnostic<{ key: string }>({
  code: "MW2220",
  severity: "error",
  message: ({ key }) =>
    `the answer is fixed by ${key} and does nothing, so that there is nothing to confirm`,
  hint: () => "remove `confirm`",
});
