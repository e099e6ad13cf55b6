import type { Effect, ProgramFacts } from "./programs/program-facts.js";
import { factsOf, optionOf, UNKNOWN_PROGRAM, type OptionFacts } from "./programs/known-programs.js";

/** An item of a command, as far as the manifest fixes it. */
export interface CommandText {
  /** The fixed text with which it begins. */
  readonly text: string;
  /** True if callers put nothing into it. */
  readonly isFixed: boolean;
  /** True if it is always one argument of the program. An absent argument is none, and a list is any number. */
  readonly isOne: boolean;
}

/** What an item is to the program that gets it. */
export interface Place {
  readonly program: string;
  readonly effect: Effect;
  /** In words. */
  readonly what: string;
  /** True if the program cannot take the item for an option. */
  readonly isGuarded: boolean;
  /** The item that would guard it. Absent if none does. */
  readonly end?: string;
  /** The option before the item, whose value it is. */
  readonly option?: string;
}

/** The places of the items of a command, by their indexes, and what its standard input can do. */
export interface CommandReading {
  readonly places: readonly (Place | undefined)[];
  readonly stdin: { readonly effect: Effect; readonly program: string };
}

/** Names of options that run or load what their value names, in programs that are not known. */
const RUNNING_NAME =
  /^--?(?:.+-)?(?:cmd|command|config|editor|eval|exec|execute|hook|import|lib|load|loader|module|pager|plugin|preload|program|require|rsh|script|shell|source)(?:-.+)?$/;

/**
 * Reads a command as its program does: what is an option, what its value, and where another command begins.
 *
 * @param start the index of the program
 */
export function readCommand(items: readonly CommandText[], start = 0): CommandReading {
  return new Reader(items, start).read();
}

class Reader {
  readonly #items: readonly CommandText[];
  readonly #program: string;
  readonly #places: (Place | undefined)[] = [];
  #facts: ProgramFacts;
  #stdin: CommandReading["stdin"];
  #next: number;
  #operands = 0;
  #hasScript = false;
  #asksForInput = false;
  #isEnded = false;
  /** The option whose values are the next items, with their number. */
  #open: OptionInItem | undefined;

  constructor(items: readonly CommandText[], start: number) {
    const program = items[start];
    this.#items = items;
    this.#program = program?.isFixed === true ? program.text : "the program";
    this.#facts = program?.isFixed === true ? factsOf(program.text) : UNKNOWN_PROGRAM;
    this.#stdin = { effect: this.#facts.stdin ?? "text", program: this.#program };
    this.#put(start, "program", "the program");
    this.#next = start + 1;
  }

  read(): CommandReading {
    for (let index = this.#next; index < this.#items.length; index = this.#next) {
      this.#next = index + 1;
      const item = this.#items[index];
      if (item !== undefined) this.#readItem(index, item);
    }
    const isData = this.#hasScript && !this.#asksForInput && this.#stdin.effect === "code";
    return {
      places: this.#places,
      stdin: isData ? { ...this.#stdin, effect: "text" } : this.#stdin,
    };
  }

  #put(index: number, effect: Effect, what: string, option?: string): void {
    const { end: [end] = [] } = this.#facts;
    this.#places[index] = {
      ...{ program: this.#program, effect, what: `${what} of ${this.#program}` },
      isGuarded: this.#isEnded || !/^an argument/.test(what),
      ...(end !== undefined && { end }),
      ...(option !== undefined && { option }),
    };
  }

  #readItem(index: number, item: CommandText): void {
    const isEnd = item.isFixed && item.isOne && this.#facts.end?.includes(item.text) === true;
    if (this.#open !== undefined) this.#readValue(index, this.#open);
    else if (this.#isEnded) this.#readOperand(index, item);
    else if (isEnd) this.#isEnded = true;
    else if (isOption(this.#facts, item)) this.#readOption(index, item);
    else this.#readOperand(index, item);
  }

  #readValue(index: number, { effect, option, items, ...others }: OptionInItem): void {
    this.#put(index, effect, `the value of ${option}`, option);
    this.#open = items > 1 ? { ...others, effect, option, items: items - 1 } : undefined;
    if (wordsIn(this.#facts.last).includes(option)) this.#facts = UNKNOWN_PROGRAM;
  }

  #readOption(index: number, item: CommandText): void {
    const { script, inputLetter } = this.#facts;
    const found = optionIn(this.#facts, item);
    this.#put(
      index,
      found.effect,
      `${found.isValue ? "the value of" : "joined to"} ${found.option}`,
    );
    if (wordsIn(script).includes(found.option)) this.#hasScript = true;
    this.#asksForInput ||= inputLetter !== undefined && item.text.includes(inputLetter);
    if (found.effect === "command") this.#readCommand(this.#next);
    else if (found.items > 0) this.#open = found;
  }

  #readOperand(index: number, item: CommandText): void {
    const { operands, hasBareOptions } = this.#facts;
    if (this.#operands === 0 && hasBareOptions === true && item.isFixed)
      this.#facts = UNKNOWN_PROGRAM;
    if (this.#operands === 0 && this.#hasScript && operands.length > 1) this.#operands = 1;
    const possible = operands.slice(Math.min(this.#operands++, operands.length - 1));
    // A list may be several arguments.
    const effect = !item.isOne && possible.includes("code") ? "code" : (possible[0] ?? "unknown");
    if (effect === "program") this.#readProgram(index, item);
    else if (effect === "command") this.#readCommand(index);
    else if (effect === "subcommand") this.#readSubcommand(index, item);
    else this.#put(index, effect, "an argument");
    if (effect !== "code") return;
    this.#hasScript ||= item.text !== "-" && item.text !== "/dev/stdin";
    // What follows a script is for the script.
    if (operands[1] === "unknown") this.#facts = UNKNOWN_PROGRAM;
  }

  #readSubcommand(index: number, { text, isFixed, isOne }: CommandText): void {
    this.#put(index, "choice", "an argument");
    this.#facts = isFixed && isOne ? factsOf(this.#program, text) : UNKNOWN_PROGRAM;
    this.#stdin = { ...this.#stdin, effect: this.#facts.stdin ?? "text" };
    this.#operands = 0;
  }

  /** Reads the rest as a command whose items its program gets as they are. A variable of it may come first. */
  #readProgram(index: number, { text }: CommandText): void {
    const [variable] = /^[A-Za-z_]\w*(?==)/.exec(text) ?? [];
    if (variable !== undefined) {
      this.#operands--;
      return this.#put(index, "choice", `the variable ${variable} for a program`);
    }
    const { places, stdin } = readCommand(this.#items, index);
    places.forEach((place, at) => (this.#places[at] = place));
    this.#stdin = stdin;
    this.#hasScript = false;
    this.#next = this.#items.length;
  }

  /**
   * Reads the rest as a command that this program puts together. No place in it is safe: for `find`, an item `;` ends the
   * command, and what follows is an expression again.
   */
  #readCommand(index: number): void {
    readCommand(this.#items, index).places.forEach((place, at) => {
      const isCode = place?.effect === "code" || (at === index && !this.#items[at]?.isFixed);
      this.#put(at, isCode ? "code" : "choice", "part of the command");
    });
    this.#next = this.#items.length;
  }
}

const wordsIn = (words = ""): readonly string[] => words.split(" ");

/** True for what a program takes for an option. A `+` begins one of a shell. */
function isOption({ operands }: ProgramFacts, { text, isFixed }: CommandText): boolean {
  if (text === "-") return !isFixed;
  return text.startsWith("-") || (text.startsWith("+") && isFixed && operands[0] === "code");
}

interface OptionInItem extends OptionFacts {
  readonly option: string;
  /** True if the rest of the item is its value for certain. */
  readonly isValue?: boolean;
}

/** The option that an item is or has, with the number of items behind it that are its values. */
function optionIn(facts: ProgramFacts, { text, isFixed }: CommandText): OptionInItem {
  if (!isFixed && /^--?$/.test(text)) return { option: text, effect: "option", items: 0 };
  if (!text.startsWith("--") && facts.hasWordOptions !== true)
    return lettersIn(facts, text, isFixed);
  const [option = "", ...value] = text.split("=");
  const known = optionOf(facts, option);
  if (value.length > 0) {
    const effect = known?.effect ?? (RUNNING_NAME.test(option) ? "choice" : "unknown");
    return { option, effect, items: 0, isValue: true };
  }
  return { option, effect: isFixed && known ? known.effect : "choice", items: known?.items ?? 0 };
}

/** The first letter of an item such as `-nA3` that has a value: the rest of the item, or the next one. */
function lettersIn(facts: ProgramFacts, text: string, isFixed: boolean): OptionInItem {
  const letters = [...text.slice(1)];
  const at = letters.findIndex((letter) => optionOf(facts, `-${letter}`) !== undefined);
  const option = `-${letters[at] ?? letters[0] ?? ""}`;
  const { effect = "choice", items = 0 } = optionOf(facts, option) ?? {};
  const rest = letters.slice(at + 1).join("");
  // An interpreter has several letters for code, as in `-pe`.
  const isInterpreted = effect === "code" && facts.operands[0] === "code";
  const isPair = isInterpreted && wordsIn(facts.script).includes(`-${letters.at(-1) ?? ""}`);
  const isNext = isFixed && (rest === "" || (isPair && /^[a-z]+$/i.test(rest)));
  const isKept = isNext || isInterpreted || effect === "command";
  return { option, effect: isKept ? effect : "choice", items: isNext ? items : 0 };
}
