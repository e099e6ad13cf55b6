import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about `x-mcp-header`: arguments that clients also send in HTTP headers. */

export const headerNotToken = defineDiagnostic<{ found: string }>({
  code: "MW3050",
  message: ({ found }) => `"x-mcp-header" must be part of an HTTP header's name, not ${found}`,
});

export const repeatedHeader = defineDiagnostic<{ name: string }>({
  code: "MW3051",
  message: ({ name }) => `the header "${name}" stands twice in this inputSchema`,
});

export const headerType = defineDiagnostic<{ found: string }>({
  code: "MW3052",
  message: ({ found }) =>
    `a property with "x-mcp-header" must have type: string, integer or boolean, not ${found}`,
});

export const headerPlace = defineDiagnostic({
  code: "MW3053",
  message: () =>
    `"x-mcp-header" may stand only on properties that are reached through "properties" from the root of an inputSchema`,
});
