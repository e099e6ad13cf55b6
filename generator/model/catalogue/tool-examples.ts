import { defineDiagnostic } from "../catalogue-entry.js";

/** Values of a manifest that must fit a tool's schemas: its examples and its fixed answer. */

export const exampleArgumentsMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW3060",
  severity: "error",
  title: "example arguments that the inputSchema refuses",
  explanation: {
    cause:
      "An example is a test of the generated project and what clients are shown; its arguments would be refused.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema: {type: object, properties: {days: {type: integer}}}\n    examples: [{name: e, arguments: {days: three}, text: Sunny}]",
    fix: "Correct the example or the schema.",
  },
  message: ({ problem }) => `the arguments do not fit the inputSchema: ${problem}`,
});

export const exampleResultMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW3061",
  severity: "error",
  title: "example result that the outputSchema refuses",
  explanation: {
    cause:
      "An example is what the server answers in mock mode and what its tests expect; this result would be refused.",
    example:
      "tools:\n  - name: a\n    description: x\n    outputSchema: {type: object, properties: {city: {type: string, description: x}}, required: [city]}\n    examples: [{name: e, result: {town: Berlin}}]",
    fix: "Correct the example or the schema.",
  },
  message: ({ problem }) => `the result does not fit the outputSchema: ${problem}`,
});

export const resultWithoutSchema = defineDiagnostic({
  code: "MW3062",
  severity: "error",
  title: "example result without outputSchema",
  explanation: {
    cause: "A tool answers with a structured result only where it has an outputSchema.",
    example:
      "tools:\n  - name: a\n    description: x\n    examples: [{name: e, result: {city: Berlin}}]",
    fix: "Add an outputSchema, or give the answer as `text`.",
  },
  message: () => `an example has "result", but the tool has no outputSchema`,
  hint: () => 'add an outputSchema, or write the answer as "text"',
});

export const textWithSchema = defineDiagnostic({
  code: "MW3063",
  severity: "error",
  title: "example text with outputSchema",
  explanation: {
    cause: "A tool with an outputSchema answers with a value that fits it, never with text alone.",
    example:
      "tools:\n  - name: a\n    description: x\n    outputSchema: {type: object}\n    examples: [{name: e, text: Sunny}]",
    fix: "Write the answer as `result`, with a value that fits the outputSchema.",
  },
  message: () => `an example has "text", but the tool has an outputSchema`,
  hint: () => 'write "result" with a value that fits the outputSchema, or "error"',
});

export const fixedAnswerMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW3064",
  severity: "error",
  title: "fixed answer that the outputSchema refuses",
  explanation: {
    cause:
      "`structuredContent` is what the tool answers to every call; its own outputSchema refuses it.",
    example:
      "tools:\n  - name: a\n    description: x\n    outputSchema: {type: object, properties: {city: {type: string, description: x}}, required: [city]}\n    structuredContent: {town: Berlin}",
    fix: "Correct the answer or the schema.",
  },
  message: ({ problem }) => `structuredContent does not fit the outputSchema: ${problem}`,
});
