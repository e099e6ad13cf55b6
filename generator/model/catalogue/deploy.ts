import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about the files that run a server in containers. */

const OPEN = "transports: [{type: http, allowPublicBind: true}]\n";

export const deploymentWithoutHttp = defineDiagnostic<{ what: string }>({
  code: "MW2210",
  severity: "error",
  title: "a deployment that nobody can reach",
  explanation: {
    cause:
      "What `deploy.compose` and `deploy.kubernetes` run is reached over the transport `http`, and watched by its page of health. The manifest has no such transport.",
    example: "transports: [{type: stdio}]\ndeploy: {compose: true}",
    fix: "Add `- type: http` to `transports`, or remove the key. An image alone, `deploy: {docker: true}`, may also serve over `stdio`.",
  },
  message: ({ what }) => `${what} needs the transport http, which the manifest has not`,
});

export const openContainer = defineDiagnostic({
  code: "MW2211",
  severity: "error",
  title: "a container that is open to the network",
  explanation: {
    cause:
      "In a container the server listens on every address, whatever `host` its transports have, and anyone who reaches the container could call its tools.",
    example: "transports: [{type: http}]\ndeploy: {docker: true}",
    fix: "Say under `auth` how callers are known, or name the `scopes` that items need, so that they must say who they are; or set `allowPublicBind: true` where everyone may call, or where `authenticate` in `src/context.ts` decides who.",
  },
  message: () =>
    "in a container, anyone who reaches the server could call it without authentication",
  hint: () => "say under `auth` who may call, or confirm with `allowPublicBind: true`",
});

export const deploymentWithoutHostNames = defineDiagnostic({
  code: "MW2212",
  severity: "warning",
  title: "a deployment under no name",
  explanation: {
    cause:
      "The server refuses requests for host names that it does not know. Without `allowedHosts` it knows those of its own machine only, which no client of a cluster uses.",
    example: `${OPEN}deploy: {kubernetes: true}`,
    fix: "List the names under which clients reach it: those of the Service inside of the cluster, and the public one: `allowedHosts: [books, books.example.com]`.",
  },
  message: () =>
    "inside of a cluster the server refuses every request, since it has no `allowedHosts`",
});

export const fileOutsideOfImage = defineDiagnostic<{ file: string }>({
  code: "MW2213",
  severity: "warning",
  title: "a file that the image does not hold",
  explanation: {
    cause:
      "The manifest names a file of the project's folder that holds keys or a database. An image has no such files: keys are secrets, and what is written into a container is lost with it.",
    example: `${OPEN}auth: {apiKeys: {file: keys.txt}}\ndeploy: {docker: true}`,
    fix: "Let a variable say where the file is mounted, `file: {env: KEYS_FILE}`, or keep keys in a variable, `apiKeys: {env: API_KEYS}`. Several replicas need a database that all of them reach.",
  },
  message: ({ file }) => `a container has no ${JSON.stringify(file)}`,
  hint: () => "let a variable name the path at which it is mounted",
});
