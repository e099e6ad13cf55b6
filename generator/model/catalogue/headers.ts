import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about `x-mcp-header`: arguments that clients also send in HTTP headers. */

export const headerNotToken = defineDiagnostic<{ found: string }>({
  code: "MW3050",
  severity: "error",
  title: "x-mcp-header is not a header name",
  explanation: {
    cause:
      "Its value becomes the end of an HTTP header's name, `Mcp-Param-…`: letters, digits and !#$%&'*+-.^_`|~ only. Clients drop a tool that breaks this.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        region: {type: string, x-mcp-header: my region}",
    fix: "Write a name such as `Region`.",
  },
  message: ({ found }) => `"x-mcp-header" must be part of an HTTP header's name, not ${found}`,
});

export const repeatedHeader = defineDiagnostic<{ name: string }>({
  code: "MW3051",
  severity: "error",
  title: "x-mcp-header used twice",
  explanation: {
    cause:
      "Two properties of a tool ask for the same header; upper and lower case are the same in headers.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        a: {type: string, x-mcp-header: Region}\n        b: {type: string, x-mcp-header: region}",
    fix: "Give each its own name.",
  },
  message: ({ name }) => `the header "${name}" stands twice in this inputSchema`,
});

export const headerType = defineDiagnostic<{ found: string }>({
  code: "MW3052",
  severity: "error",
  title: "x-mcp-header on a value that fits no header",
  explanation: {
    cause:
      "A header carries one string, integer or boolean; the property's own `type` must say which. Clients drop a tool that breaks this.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        ratio: {type: number, x-mcp-header: Ratio}",
    fix: "Use `type: string`, `integer` or `boolean`, or remove `x-mcp-header`.",
  },
  message: ({ found }) =>
    `a property with "x-mcp-header" must have type: string, integer or boolean, not ${found}`,
});

export const headerPlace = defineDiagnostic({
  code: "MW3053",
  severity: "error",
  title: "x-mcp-header where clients cannot find it",
  explanation: {
    cause:
      "Clients look for `x-mcp-header` on properties, from the root of an inputSchema through `properties` only, and drop a tool that has it elsewhere: in items, in anyOf, or behind a `$ref`.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        tags: {type: array, items: {type: string, x-mcp-header: Tag}}",
    fix: "Move it to a property of the inputSchema itself.",
  },
  message: () =>
    `"x-mcp-header" may stand only on properties that are reached through "properties" from the root of an inputSchema`,
});
