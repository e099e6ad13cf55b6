import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean, mendOfName } from "./message-parts.js";

/** Rules about bodies that run programs. */

export const programForm = defineDiagnostic<{ problem: string }>({
  code: "MW2140",
  message: ({ problem }) => `the program ${problem}`,
});

export const optionArgument = defineDiagnostic<{
  name: string;
  isOption?: true;
  program?: string;
  /** The mark that ends the options of the program. Absent if it has none. */
  end?: string;
}>({
  code: "MW2141",
  message: ({ name, isOption, program = "the program", end }) => {
    if (isOption)
      return `the argument "${name}" may be any option of the program: it needs an enum`;
    const needs =
      end === undefined
        ? `a pattern, since "--" is not known to end the options of ${program}`
        : `"${end}" before it, or a pattern`;
    return `the argument "${name}" may begin with a hyphen: it needs ${needs}`;
  },
  hint: ({ name }) =>
    `a pattern is such as ^[A-Za-z0-9]; or write trusted: [${name}] under exec, if callers may use any option`,
});

export const scriptArgument = defineDiagnostic<{
  name: string;
  program: string;
  /** True if the code is the argument of a POSIX shell, which gives it the arguments that follow. */
  isShellScript?: boolean;
}>({
  code: "MW2142",
  message: ({ name, program }) => `the argument "${name}" would become code that ${program} runs`,
  // A trial of coding agents, which needed a pipe
  hint: ({ name, program, isShellScript }) =>
    isShellScript === true
      ? `write "$1" in the script, and behind it the items ${program} and "{{${name}}}"`
      : undefined,
});

export const unusedProgramArgument = defineDiagnostic<{ name: string }>({
  code: "MW2143",
  message: ({ name }) => `the command has no place for the argument "${name}"`,
});

export const outputMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW2144",
  message: ({ problem }) => problem,
});

export const emptyPart = defineDiagnostic<{ name: string; text: string }>({
  code: "MW2146",
  severity: "warning",
  message: ({ name, text }) => `where the argument "${name}" is absent, the program gets ${text}`,
  hint: ({ name }) =>
    `{{#${name}}} before the item and {{/${name}}} behind it leave the item out where "${name}" is absent`,
});

export const fixedSetting = defineDiagnostic<{
  found: string;
  key: string;
  /** The variable that the author probably meant, if the manifest declares one of that name. */
  variable?: string;
  /** Where it stands, if the text has more: after `Bearer` in a header, or elsewhere. */
  place?: "bearer" | "part";
}>({
  code: "MW2145",
  message: ({ found, key }) => `"${key}" is taken as it stands, and has ${found}`,
  hint: ({ variable = "NAME", place }) =>
    place === "bearer"
      ? `write auth: { bearer: { env: ${variable} } }`
      : `a variable of the server is { env: ${variable} }${place === "part" ? ", which has the whole value" : ""}`,
});

export const shellWord = defineDiagnostic<{ found: string; program: string; advice: string }>({
  code: "MW2147",
  severity: "warning",
  message: ({ found, program }) =>
    `no shell reads this command: ${found} is an argument of ${program}`,
  hint: ({ advice }) => advice,
});

export const unguardedArgument = defineDiagnostic<{
  name: string;
  /** Where it stands, and what that means, in words. */
  what: string;
  why: string;
  mend: string;
}>({
  code: "MW2148",
  message: ({ name, what, why }) => `the argument "${name}" is ${what}, ${why}`,
  hint: ({ name, mend }) =>
    `${mend}; or write trusted: [${name}] under exec, if callers may do all that it makes possible`,
});

export const readingArgument = defineDiagnostic<{
  name: string;
  program: string;
  reads: "file" | "url";
}>({
  code: "MW2149",
  severity: "warning",
  message: ({ name, program, reads }) =>
    reads === "file"
      ? `the argument "${name}" may begin with @: ${program} may read the file of the name behind it`
      : `the argument "${name}" may be any URL: ${program} may open file: and addresses of an internal network`,
});

export const uselessTrust = defineDiagnostic<{
  name: string;
  isArgument: boolean;
  nearest?: string;
}>({
  code: "MW2153",
  message: ({ name, isArgument, nearest }) =>
    isArgument
      ? `the command does not use the argument ${name}, which "trusted" lists`
      : `"trusted" lists ${name}, which is no argument of the tool${didYouMean(nearest)}`,
  mend: mendOfName,
});
