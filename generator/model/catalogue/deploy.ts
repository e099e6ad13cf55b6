import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about the files that run a server in containers. */

export const deploymentWithoutHttp = defineDiagnostic<{ what: string }>({
  code: "MW2210",
  severity: "error",
  message: ({ what }) => `${what} needs the transport http, which the manifest has not`,
});

export const openContainer = defineDiagnostic({
  code: "MW2211",
  severity: "error",
  message: () =>
    "in a container, anyone who reaches the server could call it without authentication",
  hint: () => "say under `auth` who may call, or confirm with `allowPublicBind: true`",
});

export const deploymentWithoutHostNames = defineDiagnostic({
  code: "MW2212",
  severity: "warning",
  message: () =>
    "inside of a cluster the server refuses every request, since it has no `allowedHosts`",
});

export const fileOutsideOfImage = defineDiagnostic<{ file: string }>({
  code: "MW2213",
  severity: "warning",
  message: ({ file }) => `a container has no ${JSON.stringify(file)}`,
  hint: () => "let a variable name the path at which it is mounted",
});
