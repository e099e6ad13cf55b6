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
  | "option"
  /** It may be absent, so that the option before it takes another item for its value. */
  | "absent"
  /** It is the value of an option of which nothing is known. */
  | "value";

/** Values that are refused at a place: those that begin with a character or have one, or all. */
export interface Refusal {
  readonly begins?: string;
  readonly has?: string;
  readonly why: string;
  readonly mend: string;
}

const without = (has: string, why: string): Refusal => {
  return { has, why, mend: `give it a pattern from ^ to $ without ${[...has].join(" ")}` };
};

const CHOICE: Refusal = {
  why: "which may run, load or open what it names",
  mend: "give it an enum, or the type of a number",
};

/** What the values of an argument must not be, by what they can do at their place. */
export const REFUSALS: Partial<Readonly<Record<Effect, Refusal>>> = {
  choice: CHOICE,
  command: CHOICE,
  // The option takes the next item then: `--`, after which nothing is guarded.
  absent: {
    why: "and may be absent or several items, so that another item may become that value",
    mend: "make it required and no list",
  },
  unknown: {
    begins: "-",
    why: "of which nothing is known",
    mend: "give it a pattern such as ^[A-Za-z0-9]",
  },
  // All that names a file, an address, an expression or a second value, in whatever language.
  value: {
    begins: "-",
    has: "/\\:=@|;&<>(){}[]$`\"'!*?~#%,\n\t",
    why: "of which nothing is known",
    mend: "give it a pattern of letters and digits, such as ^[A-Za-z0-9][A-Za-z0-9 ._-]*$",
  },
  variable: without("=", "where = sets a variable"),
  scheme: without(":@|", "where : @ and | name a kind of file, a program or another computer"),
  upload: without("@<", "where @ and < name a file to send"),
  file: {
    begins: "-",
    why: "where @ at the beginning names a file to send",
    mend: "give it a pattern such as ^[^@]",
  },
};
