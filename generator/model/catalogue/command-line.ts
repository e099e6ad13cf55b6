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
  severity: "error",
  title: "unknown command",
  explanation: {
    cause: "The first argument is not a command of mcpwright.",
    example: "mcpwright genrate",
    fix: "Use one of the commands that `mcpwright --help` lists.",
  },
  message: ({ found, nearest }) => `unknown command "${found}"${didYouMean(nearest)}`,
  hint: () => "`mcpwright --help` lists the commands",
});

export const unknownOption = defineDiagnostic<{ found: string; command: string; nearest?: string }>(
  {
    code: "MW5002",
    severity: "error",
    title: "unknown option",
    explanation: {
      cause: "An option is misspelt, or the command does not take it.",
      example: "mcpwright generate --overwrite",
      fix: "Use one of the options that `mcpwright COMMAND --help` lists.",
    },
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
  severity: "error",
  title: "bad option value",
  explanation: {
    cause: "An option needs a value and has none, or has one that it cannot use.",
    example: "mcpwright validate --max-diagnostics many",
    fix: "Give the kind of value that the message names.",
  },
  message: ({ option, expected, found }) =>
    `${option} needs ${expected}${found === undefined ? "" : `, found "${found}"`}`,
});

export const tooManyArguments = defineDiagnostic<{
  found: string;
  command: string;
  expected: string;
}>({
  code: "MW5004",
  severity: "error",
  title: "too many arguments",
  explanation: {
    cause: "The command takes fewer arguments than were given.",
    example: "mcpwright validate a.yaml b.yaml",
    fix: "Run the command once for each manifest.",
  },
  message: ({ found, command, expected }) =>
    `\`mcpwright ${command}\` takes ${expected}, found also "${found}"`,
});

export const unknownCode = defineDiagnostic<{ found: string; nearest?: string }>({
  code: "MW5005",
  severity: "error",
  title: "unknown diagnostic code",
  explanation: {
    cause: "`explain` was asked for a code or a rule that mcpwright does not report.",
    example: "mcpwright explain MW9999",
    fix: "Copy the code from a diagnostic, which starts with MW and has four digits, or the rule from a semantic change.",
  },
  message: ({ found, nearest }) =>
    `there is no diagnostic or rule "${found}"${didYouMean(nearest)}`,
});

export const initTargetExists = defineDiagnostic<{ path: string }>({
  code: "MW5006",
  severity: "error",
  title: "a manifest is already there",
  explanation: {
    cause: "`init` never overwrites a file, and its target exists.",
    example: "mcpwright init && mcpwright init",
    fix: "Edit the manifest that is there, or name another folder: `mcpwright init my-server`.",
  },
  message: ({ path }) => `${path} exists already; init writes nothing over it`,
});

export const badServerName = defineDiagnostic<{ found: string }>({
  code: "MW5007",
  severity: "error",
  title: "bad server name",
  explanation: {
    cause: "The name becomes the package name of the generated project, so npm's rules hold.",
    example: "mcpwright init --name 'My Server'",
    fix: "Use lower-case letters, digits, dots, hyphens and underscores: `--name my-server`.",
  },
  message: ({ found }) => `"${found}" is not a package name; npm allows for example "my-server"`,
});

export const initFailed = defineDiagnostic<{ path: string; reason: string }>({
  code: "MW5008",
  severity: "error",
  title: "the starter manifest could not be written",
  explanation: {
    cause: "The operating system refused to make the folder or the file.",
    example: "touch file && mcpwright init file/server",
    fix: "Choose a folder that you may write to, or mend what the reason names.",
  },
  message: ({ path, reason }) => `could not write ${path}: ${reason}`,
});

export const installFailed = defineDiagnostic<{
  manager: string;
  reason: string;
  command: string;
}>({
  code: "MW5011",
  severity: "error",
  title: "the packages of a new project could not be installed",
  explanation: {
    cause:
      "`mcpwright init` has written the manifest and made the project, which is complete. The package manager then failed, for example since the registry cannot be reached.",
    example: "`mcpwright init my-server` without a network",
    fix: "Run the named command once the cause is gone, or use `--no-install` to install later.",
  },
  message: ({ manager, reason }) =>
    `the project is made, but \`${manager} install\` failed: ${reason}`,
  hint: ({ command }) => `run it again: ${command}`,
});

export const tooFewArguments = defineDiagnostic<{ command: string; expected: string }>({
  code: "MW5009",
  severity: "error",
  title: "too few arguments",
  explanation: {
    cause: "The command needs more arguments than were given.",
    example: "mcpwright diff git:v1.0.0",
    fix: "Name what the message asks for.",
  },
  message: ({ command, expected }) => `\`mcpwright ${command}\` needs ${expected}`,
});

export const revisionUnreadable = defineDiagnostic<{ reason: string }>({
  code: "MW5010",
  severity: "error",
  title: "the manifest of a git revision could not be read",
  explanation: {
    cause:
      "`git:REV` asks git for the manifest at a revision: git is not installed, the folder is in no repository, or there is no such revision or file in it. In a shallow clone most revisions are absent.",
    example: "In a folder that git does not know: mcpwright plan --since git:v1.0.0",
    fix: "Check the revision with `git rev-parse REV`, and the path from there; in CI, fetch the history that you compare with.",
  },
  message: ({ reason }) => `git cannot show this manifest: ${reason}`,
});
