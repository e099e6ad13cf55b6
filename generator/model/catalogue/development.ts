import { defineDiagnostic } from "../catalogue-entry.js";

// Problems that `dev` and `plan` find in the code of a project, not in its manifest.

export const typeError = defineDiagnostic<{ message: string; code: string }>({
  code: "MW6001",
  severity: "error",
  message: ({ message, code }) => `${message} (${code})`,
});

export const handlerWillNotFit = defineDiagnostic<{ message: string; code: string }>({
  code: "MW6002",
  severity: "warning",
  message: ({ message, code }) => `will not type-check: ${message} (${code})`,
});

export const configurationMisfit = defineDiagnostic<{ message: string; code: string }>({
  code: "MW6007",
  severity: "warning",
  message: ({ message, code }) => `the compiler cannot use this: ${message} (${code})`,
});

export const dependenciesMissing = defineDiagnostic<{ problem: string; manager: string }>({
  code: "MW6003",
  severity: "error",
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
  severity: "error",
  message: ({ port, reason }) => `port ${port} cannot be listened on (${reason})`,
});

export const serverEnded = defineDiagnostic<{ ending: string }>({
  code: "MW6004",
  severity: "error",
  message: ({ ending }) => `the server ended by itself, ${ending}`,
  hint: () => "its own words stand above; it is started again after the next change",
});
