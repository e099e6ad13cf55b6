import { GIT_COMMANDS } from "./git-commands.js";
import { NETWORK_PROGRAMS } from "./network-programs.js";
import type { Effect, ProgramFacts } from "./program-facts.js";
import { RUNNING_PROGRAMS } from "./running-programs.js";
import { TEXT_PROGRAMS } from "./text-programs.js";

/** Every program that is known, by the names that its file can have. */
const PROGRAMS: ReadonlyMap<string, ProgramFacts> = new Map(
  [...TEXT_PROGRAMS, ...GIT_COMMANDS, ...NETWORK_PROGRAMS, ...RUNNING_PROGRAMS].flatMap((facts) =>
    facts.names.map((name) => [name, facts] as const),
  ),
);

/** What holds of a program that is not known: nothing guards, and nothing is known of its arguments. */
export const UNKNOWN_PROGRAM: ProgramFacts = { names: [], operands: ["unknown"], source: "" };

/**
 * What is known of a program, or of a subcommand of it, as of `log` of git.
 *
 * @param program its name or path, with a version or without: `/usr/bin/python3.11`, `gsed`, `node.exe`
 */
export function factsOf(program: string, subcommand?: string): ProgramFacts {
  const file = program.split(/[/\\]/).at(-1) ?? "";
  const name = file.replace(/\.(?:exe|com|cmd|bat)$/i, "").toLowerCase();
  const unversioned = name.replace(/[-.]?\d+(?:\.\d+)*[a-z]?$/, "");
  for (const known of [name, unversioned, unversioned.replace(/^g/, "")]) {
    const facts = PROGRAMS.get(subcommand === undefined ? known : `${known} ${subcommand}`);
    if (facts !== undefined) return facts;
  }
  return UNKNOWN_PROGRAM;
}

/** True if what a program gets may be code or another command, whatever its options are. */
export function runsOthers(program: string): boolean {
  return factsOf(program).operands.some((effect) => RUNNING.includes(effect));
}

const RUNNING: readonly Effect[] = ["code", "program", "command"];

/** An option of a program: what its value can do, and how many items the value takes. */
export interface OptionFacts {
  readonly effect: Effect;
  /** 0 if the value stands only behind `=` or the letter. */
  readonly items: number;
}

/** The option of a name, `-x` or `--name`, that has a value. Long names may be cut short, as programs allow. */
export function optionOf({ options = {} }: ProgramFacts, name: string): OptionFacts | undefined {
  const found = Object.entries(options).flatMap(([effect, words]) =>
    words.split(" ").flatMap((word) => {
      const [, option = "", items] = /^([^=:]+|.+?)(=|:\d)?$/.exec(word) ?? [];
      const isMeant = option === name || (/^--./.test(name) && option.startsWith(name));
      if (!isMeant) return [];
      const facts = {
        effect: effect as Effect,
        items: items === "=" ? 0 : Number(items?.[1] ?? 1),
      };
      return [{ ...facts, isExact: option === name }];
    }),
  );
  return found.find(({ isExact }) => isExact) ?? found[0];
}
