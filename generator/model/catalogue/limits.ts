import { defineDiagnostic } from "../catalogue-entry.js";

/** Variables that cannot set a limit, and tools, examples and URIs that the `limits` of the same manifest always refuse. */

interface ArgumentsExcess {
  readonly limit: string;
  readonly most: number;
  readonly size: "depth" | "elements" | "bytes";
  readonly found: number;
}

/** The part of a message that says how large the arguments are. */
const SIZES: Readonly<Record<ArgumentsExcess["size"], (count: string) => string>> = {
  depth: (count) => `are nested ${count} levels deep`,
  elements: (count) => `hold ${count} elements`,
  bytes: (count) => `take ${count} bytes of JSON`,
};

export const toolBeyondLimit = defineDiagnostic<ArgumentsExcess>({
  code: "MW3311",
  severity: "warning",
  title: "tool that the limits never let be called",
  explanation: {
    cause:
      "Arguments beyond `limits.depth` or `limits.elements` are refused before they are held against the inputSchema, and so is a message of more than `limits.bodyBytes`. All that this inputSchema allows is beyond one of them, so that every call is refused.",
    example:
      "limits: {depth: 1}\ntools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      additionalProperties: false\n      properties:\n        place: {type: object, description: x, additionalProperties: false, properties: {city: {type: string, description: x}}, required: [city]}\n      required: [place]",
    fix: "Raise the limit, or ask for less.",
  },
  message: ({ size, found, limit, most }) =>
    `every call is refused: arguments that fit ${SIZES[size](`at least ${found}`)}, and limits.${limit} is ${most}`,
  hint: () => "raise the limit, or ask for less",
});

interface LimitVariable {
  readonly variable: string;
  readonly limit: string;
  /** What the limit must be, in words. */
  readonly expected: string;
  /** What the variable has instead, in words. */
  readonly found: string;
}

export const limitVariable = defineDiagnostic<LimitVariable>({
  code: "MW2072",
  severity: "error",
  title: "variable that cannot set a limit",
  explanation: {
    cause:
      "A limit takes its value from a variable that is no number, or whose default the limit may not have, so that the server would not start.",
    example: "env: {RATE: {description: x}}\nlimits: {ratePerSecond: {env: RATE}}",
    fix: "Give the variable `type: number`, and a default that the limit may have, or none.",
  },
  message: ({ variable, limit, expected, found }) =>
    `${variable} sets limits.${limit}, which must be ${expected}, but ${found}`,
  hint: () => "give the variable `type: number`, and a default that the limit may have",
});

export const argumentsBeyondLimit = defineDiagnostic<ArgumentsExcess>({
  code: "MW3312",
  severity: "warning",
  title: "example arguments that the limits refuse",
  explanation: {
    cause:
      "An example shows how a tool is called. These arguments are beyond `limits.depth`, `limits.elements` or `limits.bodyBytes`, so the server refuses them; the tests of the project leave such an example out.",
    example:
      "limits: {elements: 2}\ntools:\n  - name: a\n    description: x\n    inputSchema: {type: object, additionalProperties: false, properties: {words: {type: array, items: {type: string}}}}\n    examples: [{name: e, arguments: {words: [a, b]}, text: Two}]",
    fix: "Raise the limit, or show a smaller call.",
  },
  message: ({ size, found, limit, most }) =>
    `the server refuses these arguments: they ${SIZES[size](String(found))}, and limits.${limit} is ${most}`,
  hint: () => "raise the limit, or show a smaller call",
});

export const uriBeyondLimit = defineDiagnostic<{ found: number; most: number }>({
  code: "MW2313",
  severity: "warning",
  title: "URI that the limits never let be read",
  explanation: {
    cause:
      "A request to read a URI longer than `limits.uriLength` is refused. This resource has such a URI, or all URIs of this template are longer.",
    example:
      "limits: {uriLength: 10}\nresources: [{uri: 'demo://a-long-name', name: x, description: x, text: x}]",
    fix: "Raise the limit, or choose a shorter URI.",
  },
  message: ({ found, most }) =>
    `no client can read this: it has ${found} characters, and limits.uriLength is ${most}`,
  hint: () => "raise the limit, or choose a shorter URI",
});
