import { defineDiagnostic } from "../catalogue-entry.js";

/** What must fit a tool's schemas: its examples, its fixed answer, and the text of its results. */

export const exampleArgumentsMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW3060",
  message: ({ problem }) => `the arguments do not fit the inputSchema: ${problem}`,
});

export const exampleResultMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW3061",
  message: ({ problem }) => `the result does not fit the outputSchema: ${problem}`,
});

export const resultWithoutSchema = defineDiagnostic({
  code: "MW3062",
  message: () => `an example has "result", but the tool has no outputSchema`,
  hint: () => 'add an outputSchema, or write the answer as "text"',
});

export const textWithSchema = defineDiagnostic({
  code: "MW3063",
  message: () => `an example has "text", but the tool has an outputSchema`,
  hint: () => 'write "result" with a value that fits the outputSchema, or "error"',
});

export const fixedAnswerMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW3064",
  message: ({ problem }) => `structuredContent does not fit the outputSchema: ${problem}`,
});

export const changingValueAbsent = defineDiagnostic<{ pointer: string; outcome: string }>({
  code: "MW3066",
  message: ({ pointer, outcome }) => `the ${outcome} of the example has nothing at ${pointer}`,
  hint: () => "write the JSON Pointer of a value of the example; a step * is every item of a list",
});

export const changingValueMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW3067",
  message: ({ problem }) => `the value of the example itself does not match: ${problem}`,
});
