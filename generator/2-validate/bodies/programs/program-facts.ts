/** What a text can make a program do, at a place of its command. */
export type Effect =
  /** Nothing but what the program is for: a pattern, a path, a number. */
  | "text"
  /** The program opens a file of its own accord if the text begins with `@`. */
  | "file"
  /** The program sends a file that the text names behind `@` or `<`. */
  | "upload"
  /** The program opens what the URL names: `file:` and addresses of an internal network, too. */
  | "url"
  /** The same, but without `:` it is the path of a file, or a name. */
  | "source"
  /** Nothing is known of it. */
  | "unknown"
  /** A text with `=` sets a variable of the program. */
  | "variable"
  /** What is before `:` says how the text is read, or on which computer; `@` and `|` are special too. */
  | "scheme"
  /** It names a program, a library, a configuration or a file to write. */
  | "choice"
  /** It is code that a shell, an interpreter or a database runs. */
  | "code"
  /** It begins another command, whose items that program gets as they are. */
  | "program"
  /** It begins another command, which this program puts together with what it reads or finds. */
  | "command"
  /** It names one of the program's own commands. */
  | "subcommand"
  /** It names an option. */
  | "option";

/** What is known of a program, or of a subcommand of it. */
export interface ProgramFacts {
  /** Without a version. A subcommand has the program before it: `git log`. */
  readonly names: readonly string[];
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
  /** The letter of the option with which the standard input is the script, although there are arguments. */
  readonly inputLetter?: string;
  /** Where it says so: a manual page, or a page of the program's documentation. */
  readonly source: string;
}
