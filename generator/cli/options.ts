import { parseArgs } from "node:util";
import type { Place } from "../model/place.js";
import type { Diagnostic } from "../model/diagnostic.js";
import {
  badOptionValue,
  commandLinePlace,
  tooManyArguments,
  unknownCommand,
  unknownOption,
} from "../model/catalogue/command-line.js";
import { nearestName } from "../text/nearest-name.js";
import {
  commands,
  type CommandName,
  type CommandSpecification,
  type OptionName,
  options,
} from "./specification.js";

/** A valid command line. */
export interface Invocation {
  readonly command: CommandName;
  /** The command's positional arguments. There are never more than the command takes. */
  readonly positionals: readonly string[];
  /** The arguments after `--`, which the command passes on to another program. */
  readonly passedOn: readonly string[];
  readonly flags: ReadonlySet<OptionName>;
  readonly values: ReadonlyMap<OptionName, string>;
  /** The values of options that may be given more than once. */
  readonly lists: ReadonlyMap<OptionName, readonly string[]>;
  /** The index among the arguments of each option, and of the first positional argument after the command. */
  readonly indices: ReadonlyMap<OptionName | "argument", number>;
}

/** The place of an option or of the positional argument on the command line. If it is absent, that of the command. */
export function placeOf({ indices }: Invocation, name: OptionName | "argument"): Place {
  return commandLinePlace(indices.get(name) ?? 0);
}

export type ParsedCommandLine =
  | { readonly kind: "run"; readonly invocation: Invocation }
  | { readonly kind: "help"; readonly command?: CommandName }
  | { readonly kind: "version" }
  | { readonly kind: "wrong"; readonly diagnostics: readonly Diagnostic[] };

/** Parses the arguments after `mcpwright`. Reports all wrong arguments, not only the first one. */
export function parseCommandLine(argv: readonly string[]): ParsedCommandLine {
  const { tokens } = parseArgs({
    args: [...argv],
    options: optionsForParser(),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals = tokens.filter((token) => token.kind === "positional");
  const optionTokens = tokens.filter((token) => token.kind === "option");
  const [first, ...others] = positionals;

  if (optionTokens.some((token) => token.name === "version")) return { kind: "version" };
  const wantsHelp = optionTokens.some((token) => token.name === "help");
  if (first === undefined)
    return wantsHelp || optionTokens.length === 0 ? { kind: "help" } : missingCommand();
  if (!isCommandName(first.value)) return unknownCommandName(first.value, first.index);
  if (wantsHelp) return { kind: "help", command: first.value };

  const specification = commands[first.value];
  const terminator = tokens.find(
    ({ kind, index }) => kind === "option-terminator" && index > first.index,
  );
  const end = specification.passesOn && terminator ? terminator.index : Infinity;
  const commandArguments = others.filter(({ index }) => index < end);
  const passedOn = others.filter(({ index }) => index > end).map(({ value }) => value);
  const problems = [
    ...optionTokens.flatMap((token) => checkOption(token, first.value, specification)),
    ...checkPositionals(commandArguments, first.value, specification),
    ...checkCombinations(optionTokens, first.value),
  ];
  if (problems.length > 0) return { kind: "wrong", diagnostics: problems };
  return {
    kind: "run",
    invocation: { ...invocationOf(first.value, commandArguments, optionTokens), passedOn },
  };
}

function invocationOf(
  command: CommandName,
  positionals: readonly { readonly value: string; readonly index: number }[],
  optionTokens: readonly OptionToken[],
): Omit<Invocation, "passedOn"> {
  const values = new Map<OptionName, string>();
  const lists = new Map<OptionName, string[]>();
  const flags = new Set<OptionName>();
  const indices = new Map<OptionName | "argument", number>();
  for (const { name, value, index } of optionTokens) {
    const option = name as OptionName;
    indices.set(option, index);
    if (value === undefined) flags.add(option);
    else values.set(option, value);
    if (value !== undefined) lists.set(option, [...(lists.get(option) ?? []), value]);
  }
  const [argument] = positionals;
  if (argument !== undefined) indices.set("argument", argument.index);
  return {
    command,
    positionals: positionals.map(({ value }) => value),
    flags,
    values,
    lists,
    indices,
  };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly index: number;
}

function optionsForParser(): Record<string, { type: "string" | "boolean"; short?: string }> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { value, short }]) => [
      name,
      { type: value === undefined ? "boolean" : "string", ...(short !== undefined && { short }) },
    ]),
  );
}

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

function missingCommand(): ParsedCommandLine {
  return { kind: "wrong", diagnostics: [unknownCommand(commandLinePlace(0), { found: "" })] };
}

function unknownCommandName(found: string, index: number): ParsedCommandLine {
  const nearest = nearestName(found, Object.keys(commands));
  const parameters = { found, ...(nearest !== undefined && { nearest }) };
  return { kind: "wrong", diagnostics: [unknownCommand(commandLinePlace(index), parameters)] };
}

function checkOption(
  token: OptionToken,
  command: string,
  specification: CommandSpecification,
): Diagnostic[] {
  const place = commandLinePlace(token.index);
  const allowed = specification.options.map((name) => `--${name}`);
  const declared = specification.options.find((name) => name === token.name);
  if (declared === undefined) {
    const nearest = nearestName(token.rawName, allowed);
    return [
      unknownOption(place, {
        found: token.rawName,
        command,
        ...(nearest !== undefined && { nearest }),
      }),
    ];
  }
  const { value: expected, accepts } = options[declared];
  const option = `--${declared}`;
  if (expected === undefined) {
    if (token.value === undefined) return [];
    return [badOptionValue(place, { option, expected: "no value", found: token.value })];
  }
  if (token.value === undefined) return [badOptionValue(place, { option, expected })];
  if (accepts !== undefined && !accepts(token.value)) {
    return [badOptionValue(place, { option, expected, found: token.value })];
  }
  return [];
}

/** Options that require a certain value of another option. */
const requiredValues: readonly (readonly [OptionName, needs: OptionName, value: string])[] = [
  ["json", "format", "text"],
  ["tool", "template", "minimal"],
];

/** Options that say something of another one only, by command. */
const dependent: readonly (readonly [CommandName, OptionName, needs: OptionName])[] = [
  ["validate", "dry-run", "fix"],
  ["generate", "dry-run", "fix"],
];

/** Options that are wrong beside another one. */
const excluded: readonly (readonly [OptionName, other: OptionName])[] = [
  ["agents", "only-manifest"],
  ["plan", "fix"],
  ["replay", "url"],
  ["replay", "yes"],
  ["replay", "json"],
];

function checkCombinations(
  optionTokens: readonly OptionToken[],
  command: CommandName,
): Diagnostic[] {
  const tokenOf = (name: string) => optionTokens.find((option) => option.name === name);
  const excluding = excluded.flatMap(([name, other]) => {
    const token = tokenOf(name);
    if (token === undefined || tokenOf(other) === undefined) return [];
    const expected = `a run without --${other}`;
    return [badOptionValue(commandLinePlace(token.index), { option: `--${name}`, expected })];
  });
  const requiring = requiredValues.flatMap(([name, needs, value]) => {
    const token = tokenOf(name);
    const found = optionTokens.findLast((option) => option.name === needs)?.value ?? value;
    if (token === undefined || found === value) return [];
    const expected = `--${needs} ${value}`;
    return [
      badOptionValue(commandLinePlace(token.index), { option: `--${name}`, expected, found }),
    ];
  });
  const depending = dependent.flatMap(([of, name, needs]) => {
    const token = tokenOf(name);
    if (of !== command || token === undefined || tokenOf(needs) !== undefined) return [];
    const place = commandLinePlace(token.index);
    return [badOptionValue(place, { option: `--${name}`, expected: `--${needs}` })];
  });
  return [...excluding, ...depending, ...requiring];
}

function checkPositionals(
  positionals: readonly { value: string; index: number }[],
  command: string,
  { maxArguments, argumentsText }: CommandSpecification,
): Diagnostic[] {
  return positionals
    .slice(maxArguments)
    .map(({ value, index }) =>
      tooManyArguments(commandLinePlace(index), { found: value, command, expected: argumentsText }),
    );
}
