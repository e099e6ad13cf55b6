import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about other MCP servers, and about bodies that forward calls to them. */

const SERVER = "upstreams: {files: {mcp: {command: [node, files.js]}}}\n";

export const otherKindOfUpstream = defineDiagnostic<{ found: string; key: string; what: string }>({
  code: "MW2160",
  severity: "error",
  title: "upstream of another kind",
  explanation: {
    cause:
      "An `http` body asks an upstream with a `baseUrl`, and an `mcp` body one with `mcp`. This upstream is of the other kind.",
    example: `${SERVER}tools: [{name: a, description: x, http: {upstream: files, path: /x}}]`,
    fix: "Name an upstream of the right kind, or write the other body.",
  },
  message: ({ found, key, what }) => `the upstream ${found} is ${what}: no "${key}" can ask it`,
});

export const meaninglessKey = defineDiagnostic<{ key: string; what: string }>({
  code: "MW2161",
  severity: "error",
  title: "key that says nothing of an MCP server",
  explanation: {
    cause:
      "How an MCP server is asked depends on where it is. Requests to it are neither tried again nor redirected; a program has no headers and no addresses, and a server at a URL has no folder and no environment.",
    example: "upstreams: {files: {mcp: {command: [node, files.js]}, private: true}}",
    fix: "Remove the key. What a program shall know goes into its `env`.",
  },
  message: ({ key, what }) => `"${key}" says nothing of ${what}`,
});

export const remoteTemplate = defineDiagnostic<{ problem: string }>({
  code: "MW2162",
  severity: "error",
  title: "template of another server that cannot be filled in",
  explanation: {
    cause: "The URI at the other server is made of the variables of the item's own template.",
    example: `${SERVER}resourceTemplates: [{name: a, uriTemplate: "a:///{id}", description: x, mcp: {upstream: files, uriTemplate: "b:///{name}"}}]`,
    fix: "Name variables of the item's `uriTemplate`.",
  },
  message: ({ problem }) => `the URI at the other server cannot be made: ${problem}`,
});
