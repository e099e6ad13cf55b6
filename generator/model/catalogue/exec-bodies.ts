import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean } from "./message-parts.js";

/** Rules about bodies that run programs. */

/** A manifest with one tool that runs a program. @param more further keys of the tool */
function example(exec: string, more = ""): string {
  const schema =
    "{type: object, properties: {name: {type: string, description: Name}}, required: [name], additionalProperties: false}";
  return `tools:\n  - name: a\n    description: x\n    inputSchema: ${schema}\n    exec: {${exec}}${more === "" ? "" : `\n    ${more}`}`;
}

export const programForm = defineDiagnostic<{ problem: string }>({
  code: "MW2140",
  severity: "error",
  title: "program that is not fixed",
  explanation: {
    cause:
      "The first item of a command is the program: a name or a path, or one argument whose `enum` says which programs there are. A caller must not choose any other.",
    example: example('command: ["{{name}}"]'),
    fix: "Write the program, or give the argument an `enum`. A line with spaces is no program: write its words as items of the list.",
  },
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
  severity: "error",
  title: "argument that may become an option",
  explanation: {
    cause:
      "A value that begins with `-` is read as an option by most programs: a caller could make the program do something else.",
    example: example('command: [grep, "{{name}}", app.log]'),
    fix: 'Write "--" as an item before it, where the program is known to take what follows for no options (git takes "--end-of-options" before revisions, since "--" begins paths), or give the argument an `enum` or a `pattern` that excludes the hyphen at the beginning: `^[A-Za-z0-9]`. Options that callers may choose are an `enum`. Some programs, such as find, take what begins with a hyphen for an option even behind "--"; of others nothing is known. Where callers may send any option, write `trusted: [name]` under `exec`.',
  },
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

export const scriptArgument = defineDiagnostic<{ name: string; program: string }>({
  code: "MW2142",
  severity: "error",
  title: "placeholder in a script",
  explanation: {
    cause:
      "What a shell or an interpreter reads as code must stand in the manifest: an argument in it would let callers run anything.",
    example: example('command: [sh, -c, "grep -- {{name}} app.log"]'),
    fix: "Run the program without a shell. Where a script is needed, write the placeholder as an item behind it, and `$1` in the script; the argument then needs a `pattern`, since nothing is known of what the script does with it. `trusted` does not lift this.",
  },
  message: ({ name, program }) => `the argument "${name}" would become code that ${program} runs`,
});

export const unusedProgramArgument = defineDiagnostic<{ name: string }>({
  code: "MW2143",
  severity: "error",
  title: "argument that the program does not get",
  explanation: {
    cause: "A command leaves an argument out: what a caller says would have no effect.",
    example: example("command: [date]"),
    fix: "Write `{{name}}` in `command` or `stdin`, or remove the argument from the inputSchema.",
  },
  message: ({ name }) => `the command has no place for the argument "${name}"`,
});

export const outputMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW2144",
  severity: "error",
  title: "output that cannot fit the outputSchema",
  explanation: {
    cause:
      "A program's output is a text, a list of texts with `output: lines`, or any value with `output: json`.",
    example: example(
      'command: [echo, --, "{{name}}"]',
      "outputSchema: {type: object, properties: {c: {type: integer, description: x}}}",
    ),
    fix: "Say by `output` what the program prints, or correct the outputSchema.",
  },
  message: ({ problem }) => problem,
});

export const emptyPart = defineDiagnostic<{ name: string; text: string }>({
  code: "MW2146",
  severity: "warning",
  title: "part of a command without its value",
  explanation: {
    cause:
      "An item of a command has an argument that may be absent: the program then gets the rest of the item, such as an option without its value.",
    example: example('command: [grep, "--label={{name}}", -H, x]').replace(
      "required: [name], ",
      "",
    ),
    fix: "Make the item depend on the argument, `{{#name}}--label={{name}}{{/name}}`, which leaves the whole item out, or give the argument a default.",
  },
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
  severity: "error",
  title: "text that nothing fills in",
  explanation: {
    cause:
      "The folder and the environment of a program, the root of a directory, and the URLs, headers and names under `upstreams`, `databases` and `auth` do not depend on the caller and are read by no shell: a placeholder, a variable or `~` in them stays as it is.",
    example: example('command: [cat, --, "{{name}}"], cwd: "data/{{name}}"'),
    fix: "Write the value, or `{ env: NAME }` for a variable of the server. The variable then has the whole value: a URL with its host and path. A token after `Bearer` is `auth: { bearer: { env: NAME } }`.",
  },
  message: ({ found, key }) => `"${key}" is taken as it stands, and has ${found}`,
  hint: ({ variable = "NAME", place }) =>
    place === "bearer"
      ? `write auth: { bearer: { env: ${variable} } }`
      : `a variable of the server is { env: ${variable} }${place === "part" ? ", which has the whole value" : ""}`,
});

export const shellWord = defineDiagnostic<{ found: string; program: string; advice: string }>({
  code: "MW2147",
  severity: "warning",
  title: "word of a shell without a shell",
  explanation: {
    cause:
      "No shell reads a command: the program gets `|`, `>`, `&&`, `~` and `$HOME` as they stand.",
    example: example('command: [sort, app.log, "|", grep, --, "{{name}}"]'),
    fix: 'Run a shell where one is needed: `[sh, -c, "ps aux | grep node"]`; an argument follows the script as an item, and is `$1` in it. Write paths in full. Where the program itself is to get the word, switch this warning off.',
  },
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
  severity: "error",
  title: "argument that may do more than the command says",
  explanation: {
    cause:
      "An argument is safe as a whole item behind what is known to end the options of the program, or in `--name={{name}}` if its schema excludes what is dangerous. Elsewhere a caller may lead the program to something else: in an item that is joined to a short option, in the value of an option of which nothing is known, in a variable before a program, in the arguments or the standard input of a program that runs others (env, xargs, sudo, find -exec, ssh, npm run), behind an item that may be absent, or in a program of which nothing is known.",
    example: example('command: [env, "LD_PRELOAD={{name}}", ls]'),
    fix: "Run the program itself: `env`, `cwd` and `timeoutMs` of `exec` do what env, cd and timeout do. Otherwise give the argument an `enum`, a type of number, or a `pattern` from `^` to `$` without the dangerous characters. If whoever may call the tool may do all that the program can do with this argument, write `trusted: [name]` under `exec`: it is then not checked, and SERVER.md and `plan` say so.",
  },
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
  title: "argument that leads the program to a file or an address",
  explanation: {
    cause:
      "Some programs read the file whose name stands behind `@`, or whatever a URL names: `@/etc/passwd`, `file:///etc/passwd`, an address of an internal network. `format: uri` excludes none of these.",
    example: example('command: [curl, --, "{{name}}"]'),
    fix: "Write the beginning of the address into the manifest, `https://api.example/{{name}}`, use an `http` body, or give the argument a `pattern` that excludes what is dangerous: `^https://`. Where callers may read all that the program can read, write `trusted: [name]` under `exec`, or switch this warning off.",
  },
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
  severity: "error",
  title: "trust in an argument that the command does not have",
  explanation: {
    cause:
      "`trusted` lists the arguments of a command that are not checked. It has a name that is no argument of the tool, or that neither `command` nor `stdin` uses.",
    example: example('command: [cat, --, "{{name}}"], trusted: [nam]'),
    fix: "Write the name of an argument that the command uses, or take it out of the list.",
  },
  message: ({ name, isArgument, nearest }) =>
    isArgument
      ? `the command does not use the argument ${name}, which "trusted" lists`
      : `"trusted" lists ${name}, which is no argument of the tool${didYouMean(nearest)}`,
});
