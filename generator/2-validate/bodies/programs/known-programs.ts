import { BUILDING_PROGRAMS } from "./building-programs.js";
import { GIT_COMMANDS } from "./git-commands.js";
import { NETWORK_PROGRAMS } from "./network-programs.js";
import type { Effect } from "./effects.js";
import type { ProgramFacts } from "./program-facts.js";
import { RUNNING_PROGRAMS } from "./running-programs.js";
import { TEXT_PROGRAMS } from "./text-programs.js";

/** Every program that is known, by the names that its file can have. */
const PROGRAMS: ReadonlyMap<string, ProgramFacts> = new Map(
  [
    ...TEXT_PROGRAMS,
    ...GIT_COMMANDS,
    ...NETWORK_PROGRAMS,
    ...BUILDING_PROGRAMS,
    ...RUNNING_PROGRAMS,
  ].flatMap((facts) => facts.names.split(", ").map((name) => [name, facts] as const)),
);

/** What holds of a program that is not known: nothing guards, and nothing is known of its arguments. */
export const UNKNOWN_PROGRAM: ProgramFacts = { names: "", operands: ["unknown"], source: "" };

/** What holds of the arguments of a script, which its author knows. */
export const SCRIPT: ProgramFacts = { ...UNKNOWN_PROGRAM };

/** What holds of the arguments of a program that runs what they name. */
const RUNNER: ProgramFacts = { ...UNKNOWN_PROGRAM, operands: ["choice"], stdin: "choice" };

/** Names of options that run, load or write what their value names, in programs that are not known. */
const RUNNING_NAME =
  /^--?(?:.+-)?(?:cmd|command|config|editor|engine|eval|exec|execute|filter|hook|import|lib|load|loader|module|output|pager|plugin|preload|program|provider|renderer|require|rsh|script|shell|source|wrapper)(?:-.+)?$/;

/** Commands of programs that are not known which run what follows. */
const RUNNING_WORD = /^(?:cmd|command|eval|exec|execute|run|run-script|shell)$/i;

/**
 * What is known of a program, or of a subcommand of it, as of `log` of git.
 *
 * @param program its name or path, with a version or without: `/usr/bin/python3.11-dbg`, `gsed`, `node.exe`
 */
export function factsOf(program: string, subcommand?: string): ProgramFacts {
  const file = program.split(/[/\\]/).at(-1) ?? "";
  const name = file.replace(/\.(?:exe|com|cmd|bat)$/i, "").toLowerCase();
  const unversioned = name.replace(/[-.]?\d+(?:\.\d+)*[a-z]?(?:-.*)?$/, "");
  for (const spelling of [name, unversioned, unversioned.replace(/^g/, "")]) {
    const facts = PROGRAMS.get(
      subcommand === undefined ? spelling : `${spelling} ${subcommand.toLowerCase()}`,
    );
    if (facts !== undefined) return facts;
  }
  return UNKNOWN_PROGRAM;
}

/** True if what a program gets may be code or another command, whatever its options are. */
export function runsOthers(program: string): boolean {
  return factsOf(program).operands.some((effect) => RUNNING.includes(effect));
}

const RUNNING: readonly Effect[] = ["code", "program", "command"];

/** What holds behind a word in a program that is not known: it may run other programs. */
export function factsBehind(word: string): ProgramFacts {
  return RUNNING_WORD.test(word) || runsOthers(word) ? RUNNER : UNKNOWN_PROGRAM;
}

/** What holds behind options without a hyphen, such as `xf` of tar: their values are not told from other arguments. */
export function factsBehindLetters(facts: ProgramFacts, letters: string): ProgramFacts {
  const isRunning = [...letters].some((letter) => optionOf(facts, `-${letter}`)?.effect === "code");
  return isRunning ? RUNNER : SCRIPT;
}

/** What the value of an option can do that is not in the table. */
export function effectOfUnknownOption(name: string, { operands }: ProgramFacts): Effect {
  return operands[0] === "choice" || RUNNING_NAME.test(name) ? "choice" : "value";
}

/** An option of a program: what its value can do, and how many items the value takes. */
export interface OptionFacts {
  readonly effect: Effect;
  /** 0 if the value stands only behind `=` or the letter. */
  readonly items: number;
  /** True if the value is the script, so that the first argument is none. */
  readonly isScript?: boolean;
  /** True if the program reads no options of its own behind the value. */
  readonly isLast?: boolean;
}

/** The option of a name, `-x` or `--name`, that has a value. Long names may be cut short, as programs allow. */
export function optionOf(facts: ProgramFacts, name: string): OptionFacts | undefined {
  const found = Object.entries(facts.options ?? {}).flatMap(([effect, words]) =>
    wordsIn(words).flatMap((word) => {
      const [, option = "", items] = /^([^=:]+|.+?)(=|:\d)?$/.exec(word) ?? [];
      const isMeant = option === name || (/^--./.test(name) && option.startsWith(name));
      if (!isMeant) return [];
      const optionFacts = {
        effect: effect as Effect,
        items: items === "=" ? 0 : Number(items?.[1] ?? 1),
        isScript: wordsIn(facts.script).includes(option),
        isLast: wordsIn(facts.last).includes(option),
      };
      return [{ ...optionFacts, isExact: option === name }];
    }),
  );
  return found.find(({ isExact }) => isExact) ?? found[0];
}

const wordsIn = (words = ""): readonly string[] => words.split(" ");
