import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about `package`: the ways in which people get the server. */

export const registryWithoutVersion = defineDiagnostic({
  code: "MW2200",
  message: () => "the registry needs the version in the manifest, not in package.json",
});

export const nothingInRegistry = defineDiagnostic({
  code: "MW2201",
  message: () => "the registry entry has neither a package to start nor a URL",
});

export const registryUrlWithoutHttp = defineDiagnostic({
  code: "MW2202",
  message: () => "the registry's URL needs the transport http, which the manifest has not",
});

export const registryTextCut = defineDiagnostic<{ what: string; limit: number }>({
  code: "MW2203",
  severity: "warning",
  message: ({ what, limit }) => `the registry shows the first ${limit} characters of the ${what}`,
});

export const refusedByRegistry = defineDiagnostic<{ found: string; expected: string }>({
  code: "MW2208",
  message: ({ found, expected }) => `the registry refuses ${found}; it wants ${expected}`,
});

export const bundleWithoutStdio = defineDiagnostic({
  code: "MW2204",
  message: () => "the bundle needs the transport stdio, which the manifest has not",
});

export const bundleWithoutAuthor = defineDiagnostic({
  code: "MW2205",
  message: () => "the bundle must name its author, and the manifest has no `author`",
});

export const clientsWithoutWay = defineDiagnostic({
  code: "MW2206",
  message: () => "clients need the transport stdio or http, and the manifest has neither",
});

export const releaseWithoutRepository = defineDiagnostic({
  code: "MW2207",
  severity: "warning",
  message: () => "npm refuses provenance of a package that does not name its `repository`",
});
