import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about other MCP servers, and about bodies that forward calls to them. */

export const otherKindOfUpstream = defineDiagnostic<{ found: string; key: string; what: string }>({
  code: "MW2160",
  message: ({ found, key, what }) => `the upstream ${found} is ${what}: no "${key}" can ask it`,
});

export const meaninglessKey = defineDiagnostic<{ key: string; what: string }>({
  code: "MW2161",
  message: ({ key, what }) => `"${key}" says nothing of ${what}`,
});

export const remoteTemplate = defineDiagnostic<{ problem: string }>({
  code: "MW2162",
  message: ({ problem }) => `the URI at the other server cannot be made: ${problem}`,
});
