import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about what bodies do in the name of their caller. */

export const reservedForCaller = defineDiagnostic<{ name: string }>({
  code: "MW2123",
  severity: "error",
  message: ({ name }) =>
    `no argument beside a request can be called ${name}: placeholders with this name are about the caller`,
});

export const callerWithoutAuth = defineDiagnostic({
  code: "MW2124",
  severity: "error",
  message: () => "the request needs to know its caller, and the manifest has no auth",
});
