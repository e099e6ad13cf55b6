import { defineDiagnostic } from "../catalogue-entry.js";

// Problems that `dev` and `plan` find in the code of a project, not in its manifest.

/** The compiler's messages about what a handler returns. */
const ABOUT_RETURNED_VALUES = [
  /(?:assignable to|required in) type '[^']*\bTool(?:Content\b|Result<)/,
  /properties from type 'readonly ContentBlock\[\]'/,
  /\bin type '\{ (?:[^']*; )?content: [^']*' but required in type '\w+Output'/,
];

/** Tools that are registered with `@modelcontextprotocol/server` return `{ content }`, and people write that by habit. */
function returnedValueHint({ message }: { message: string }): string | undefined {
  if (!ABOUT_RETURNED_VALUES.some((pattern) => pattern.test(message))) return undefined;
  return "a handler returns the value of its tool's `outputSchema`, or a text or blocks of content where it has none; `result({ content, … })` of src/generated/index.ts makes a whole result, and a thrown `ToolError` an error";
}

export const typeError = defineDiagnostic<{ message: string; code: string }>({
  code: "MW6001",
  message: ({ message, code }) => `${message} (${code})`,
  hint: returnedValueHint,
});

export const handlerWillNotFit = defineDiagnostic<{ message: string; code: string }>({
  code: "MW6002",
  severity: "warning",
  message: ({ message, code }) => `will not type-check: ${message} (${code})`,
  hint: returnedValueHint,
});

export const configurationMisfit = defineDiagnostic<{ message: string; code: string }>({
  code: "MW6007",
  severity: "warning",
  message: ({ message, code }) => `the compiler cannot use this: ${message} (${code})`,
});

export const dependenciesMissing = defineDiagnostic<{ problem: string; manager: string }>({
  code: "MW6003",
  message: ({ problem }) => problem,
  hint: ({ manager }) => `run \`${manager} install\` in the project; dev goes on when it is done`,
});

export const otherVersions = defineDiagnostic<{ problem: string; manager: string }>({
  code: "MW6006",
  severity: "warning",
  message: ({ problem }) => problem,
  hint: ({ manager }) => `run \`${manager} install\` in the project`,
});

export const previewCannotListen = defineDiagnostic<{ port: number; reason: string }>({
  code: "MW6005",
  message: ({ port, reason }) => `port ${port} cannot be listened on (${reason})`,
});

export const serverEnded = defineDiagnostic<{ ending: string }>({
  code: "MW6004",
  message: ({ ending }) => `the server ended by itself, ${ending}`,
  hint: () => "its own words stand above; it is started again after the next change",
});
