import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about `package`: the ways in which people get the server. */

const REGISTRY = "package: {registry: {name: io.github.acme/demo}}";

export const registryWithoutVersion = defineDiagnostic({
  code: "MW2200",
  severity: "error",
  title: "a registry entry without a version",
  explanation: {
    cause:
      "`server.json` says which version the registry lists, and the manifest leaves the version to package.json, which `npm version` changes without it.",
    example: `name: demo\nversion: package.json\n${REGISTRY}`,
    fix: "Write the version in the manifest, or remove `package.registry`.",
  },
  message: () => "the registry needs the version in the manifest, not in package.json",
});

export const nothingInRegistry = defineDiagnostic({
  code: "MW2201",
  severity: "error",
  title: "a registry entry that leads nowhere",
  explanation: {
    cause:
      "The entry names neither a package that clients can start nor a URL. A package is started over the transports `stdio` and `http`; a URL is that of `http`.",
    example: "package: {registry: {name: io.github.acme/demo, npm: false}}",
    fix: "Declare `stdio` or `http` in `transports`; with `npm: false`, give the `url` of the server.",
  },
  message: () => "the registry entry has neither a package to start nor a URL",
});

export const registryUrlWithoutHttp = defineDiagnostic({
  code: "MW2202",
  severity: "error",
  title: "a URL without the transport http",
  explanation: {
    cause:
      "`package.registry.url` is where the server is reached over the transport `http`, which the manifest has not.",
    example: "package: {registry: {name: io.github.acme/demo, url: https://demo.example/mcp}}",
    fix: "Add `- type: http` to `transports`, or remove `url`.",
  },
  message: () => "the registry's URL needs the transport http, which the manifest has not",
});

export const registryTextCut = defineDiagnostic<{ what: string; limit: number }>({
  code: "MW2203",
  severity: "warning",
  title: "longer than the registry takes",
  explanation: {
    cause:
      "The registry takes titles and descriptions of at most 100 characters. `server.json` has the beginning, up to a whole word; everything else has the whole text.",
    example: `description: ${"Says how the weather is and how it will be, ".repeat(3).trim()}\n${REGISTRY}`,
    fix: "Begin with a sentence of at most 100 characters and leave the rest to `instructions`, or switch this warning off.",
  },
  message: ({ what, limit }) => `the registry shows the first ${limit} characters of the ${what}`,
});

export const refusedByRegistry = defineDiagnostic<{ found: string; expected: string }>({
  code: "MW2208",
  severity: "error",
  title: "refused by the registry",
  explanation: {
    cause:
      "`server.json` has this text, and the MCP registry refuses an entry with it: a web site without https, a version that it takes for a range, a URL inside a repository, a directory with other characters than it takes.",
    example: `websiteUrl: http://acme.example\n${REGISTRY}`,
    fix: "Write what the message says, or remove `package.registry`.",
  },
  message: ({ found, expected }) => `the registry refuses ${found}; it wants ${expected}`,
});

export const bundleWithoutStdio = defineDiagnostic({
  code: "MW2204",
  severity: "error",
  title: "a bundle that no client can start",
  explanation: {
    cause: "Desktop clients start the server of a bundle over `stdio`, which the manifest has not.",
    example: "author: Ada\ntransports: [{type: http}]\npackage: {mcpb: true}",
    fix: "Add `- type: stdio` to `transports`, or remove `package.mcpb`.",
  },
  message: () => "the bundle needs the transport stdio, which the manifest has not",
});

export const bundleWithoutAuthor = defineDiagnostic({
  code: "MW2205",
  severity: "error",
  title: "a bundle of nobody",
  explanation: {
    cause: "A bundle for desktop clients must say who made it.",
    example: "package: {mcpb: true}",
    fix: "Write who it is: `author: Ada Lovelace <ada@example.com>`.",
  },
  message: () => "the bundle must name its author, and the manifest has no `author`",
});

export const clientsWithoutWay = defineDiagnostic({
  code: "MW2206",
  severity: "error",
  title: "no client gets to the server",
  explanation: {
    cause:
      "`package.clients` tells clients how to start the server over `stdio`, or where it is over `http`, and the manifest has neither.",
    example: "transports: [{type: websocket}]\npackage: {clients: true}",
    fix: "Declare `stdio` or `http` in `transports`, or remove `package.clients`.",
  },
  message: () => "clients need the transport stdio or http, and the manifest has neither",
});

export const releaseWithoutRepository = defineDiagnostic({
  code: "MW2207",
  severity: "warning",
  title: "a release that npm refuses",
  explanation: {
    cause:
      "The workflow publishes with provenance, which says in which repository the package was made. npm refuses it where package.json names no repository, or another.",
    example: "package: {github: true}",
    fix: "Write where the source is: `repository: github:acme/weather`.",
  },
  message: () => "npm refuses provenance of a package that does not name its `repository`",
});
