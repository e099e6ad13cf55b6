import type { Effect } from "./effects.js";

/** What is known of a program, or of a subcommand of it. */
export interface ProgramFacts {
  /** The names that its file can have, without a version. A subcommand has the program before it: `git log, git show`. */
  readonly names: string;
  /** The items after which the program reads no options. Absent if nothing guards. */
  readonly end?: readonly string[];
  /** What the arguments that are no options can do, one by one; the last one also stands for all further ones. */
  readonly operands: readonly Effect[];
  /**
   * All options with a value that may be the next item, and what the value can do, in words separated by spaces.
   * `--name=` takes its value only behind the `=`, and `--name:2` takes two items.
   */
  readonly options?: Partial<Readonly<Record<Effect, string>>>;
  /** The options that give the script, so that the first operand is none. */
  readonly script?: string;
  /** The options after whose value the program reads no options of its own. */
  readonly last?: string;
  /** True if options are words with one hyphen, as in `-name`, so that no letters are put together. */
  readonly hasWordOptions?: true;
  /** True if the first argument may be options without a hyphen, as in `tar xf`. */
  readonly hasBareOptions?: true;
  /** What the standard input can do, unless there is a script. Absent if it is text. */
  readonly stdin?: Effect;
  /** Options with which the standard input is read as code, although there is a script. */
  readonly inputOption?: RegExp;
  /** True if the program understands words of a shell such as `|` and `$HOME`, or passes them to one elsewhere. */
  readonly readsShellWords?: true;
  /** Where it says so: a manual page, or a page of the program's documentation. */
  readonly source: string;
}
