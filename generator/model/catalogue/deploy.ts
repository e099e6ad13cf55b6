import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about the files that run a server in containers, as a worker or as a function. */

export const deploymentWithoutHttp = defineDiagnostic<{ what: string }>({
  code: "MW2210",
  message: ({ what }) => `${what} needs the transport http, which the manifest has not`,
});

export const openContainer = defineDiagnostic({
  code: "MW2211",
  message: () =>
    "where it is deployed, anyone who reaches the server could call it without authentication",
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

export const outsideOfPlatform = defineDiagnostic<{
  key: string;
  where: string;
  what: string;
  reason: string;
}>({
  code: "MW2214",
  message: ({ where, what, reason }) => `${where} cannot have ${what}: ${reason}`,
  hint: ({ key }) => `serve this part by another manifest, or without \`deploy.${key}\``,
});

export const platformWithoutHostNames = defineDiagnostic<{ where: string }>({
  code: "MW2215",
  severity: "warning",
  message: ({ where }) =>
    `${where} refuses every request under a public name, since the transport http has no \`allowedHosts\``,
});

export const platformWithoutVersion = defineDiagnostic<{ where: string; reason: string }>({
  code: "MW2216",
  message: ({ where, reason }) => `${where} cannot read its version from package.json: ${reason}`,
  hint: () => "write the version here",
});
