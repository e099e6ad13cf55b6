import { defineDiagnostic } from "../catalogue-entry.js";
import type { Place } from "../place.js";
import { didYouMean } from "./message-parts.js";

/** The file of diagnostics about the command line. */
export const COMMAND_LINE = "<command line>";

/** The place of a diagnostic about the command line, which has no file. The column is the argument's number. */
export function commandLinePlace(argumentIndex: number): Place {
  const column = argumentIndex + 1;
  return { file: COMMAND_LINE, line: 1, column, endLine: 1, endColumn: column + 1 };
}

export const unknownCommand = defineDiagnostic<{ found: string; nearest?: string }>({
  code: "MW5001",
  message: ({ found, nearest }) => `unknown command "${found}"${didYouMean(nearest)}`,
  hint: () => "`mcpwright --help` lists the commands",
});

export const unknownOption = defineDiagnostic<{ found: string; command: string; nearest?: string }>(
  {
    code: "MW5002",
    severity: "error",
    message: ({ found, command, nearest }) =>
      `\`mcpwright ${command}\` has no option "${found}"${didYouMean(nearest)}`,
  },
);

export const badOptionValue = defineDiagnostic<{
  option: string;
  expected: string;
  found?: string;
}>({
  code: "MW5003",
  message: ({ option, expected, found }) =>
    `${option} needs ${expected}${found === undefined ? "" : `, found "${found}"`}`,
});

export const tooManyArguments = defineDiagnostic<{
  found: string;
  command: string;
  expected: string;
}>({
  code: "MW5004",
  message: ({ found, command, expected }) =>
    `\`mcpwright ${command}\` takes ${expected}, found also "${found}"`,
});

export const unknownCode = defineDiagnostic<{ found: string; nearest?: string }>({
  code: "MW5005",
  message: ({ found, nearest }) =>
    `there is no diagnostic or rule "${found}"${didYouMean(nearest)}`,
});

export const initTargetExists = defineDiagnostic<{
  path: string;
  /** What to do with a manifest that is there already, where another command than `init` would write it. */
  instead?: string;
}>({
  code: "MW5006",
  message: ({ path }) => `${path} exists already, and is not overwritten`,
  hint: ({ instead }) => instead,
});

export const badServerName = defineDiagnostic<{ found: string }>({
  code: "MW5007",
  message: ({ found }) => `"${found}" is not a package name; npm allows for example "my-server"`,
});

export const initFailed = defineDiagnostic<{ path: string; reason: string }>({
  code: "MW5008",
  message: ({ path, reason }) => `could not write ${path}: ${reason}`,
});

export const manifestNotWritten = defineDiagnostic<{ reason: string }>({
  code: "MW5013",
  message: ({ reason }) => `the fixes could not be written: ${reason}`,
});

export const splitImpossible = defineDiagnostic<{ reason: string }>({
  code: "MW5014",
  message: ({ reason }) => `the manifest cannot be split: ${reason}`,
});

export const recordImpossible = defineDiagnostic<{ reason: string }>({
  code: "MW5015",
  message: ({ reason }) => `calls cannot be recorded: ${reason}`,
});

export const installFailed = defineDiagnostic<{
  manager: string;
  reason: string;
  command: string;
}>({
  code: "MW5011",
  message: ({ manager, reason }) =>
    `the project is made, but \`${manager} install\` failed: ${reason}`,
  hint: ({ command }) => `run it again: ${command}`,
});

export const agentSettingsKept = defineDiagnostic<{ path: string; reason: string }>({
  code: "MW5012",
  severity: "warning",
  message: ({ path, reason }) => `${path} stays as it is, without this server: ${reason}`,
  hint: ({ path }) => `SERVER.md has the entry for ${path}`,
});

export const tooFewArguments = defineDiagnostic<{ command: string; expected: string }>({
  code: "MW5009",
  message: ({ command, expected }) => `\`mcpwright ${command}\` needs ${expected}`,
});

export const revisionUnreadable = defineDiagnostic<{ reason: string }>({
  code: "MW5010",
  message: ({ reason }) => `git cannot show this manifest: ${reason}`,
});
