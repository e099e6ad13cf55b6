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

export const sharedConnection = defineDiagnostic<{ grant: string }>({
  code: "MW2125",
  severity: "error",
  message: ({ grant }) =>
    `${grant} is for a service over HTTP: all callers share the connection to an MCP server`,
});

export const nothingToExchange = defineDiagnostic<{ grant: string }>({
  code: "MW2126",
  severity: "error",
  message: ({ grant }) => `${grant} needs callers with tokens of an authorization server`,
});
