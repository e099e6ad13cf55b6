import type { Effect } from "./programs/effects.js";
import type { ProgramFacts } from "./programs/program-facts.js";
import {
  effectOfUnknownOption,
  factsBehind,
  factsBehindLetters,
  factsOf,
  optionOf,
  SCRIPT,
  UNKNOWN_PROGRAM,
  type OptionFacts,
} from "./programs/known-programs.js";

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
  /** True if nothing keeps the program from taking the item for an option. */
  readonly mayBeOption: boolean;
  /** The item that would do so, if there is one. */
  readonly end: string | undefined;
}

/** The places of the items of a command, by their indexes, and what its standard input can do. */
export interface CommandReading {
  readonly places: readonly (Place | undefined)[];
  readonly stdin: { readonly effect: Effect; readonly program: string };
}

/** Reads a command as its program does: what is an option, what its value, and where another command begins. */
export function readCommand(items: readonly CommandText[]): CommandReading {
  return new Reader(items);
}

class Reader {
  readonly places: (Place | undefined)[] = [];
  stdin: CommandReading["stdin"] = { effect: "text", program: "" };
  readonly #items: readonly CommandText[];
  /** A program that puts the rest together, so that no place in it is safe: `find` ends its command at an item `;`. */
  #runner: string | undefined;
  #program = "";
  #facts: ProgramFacts = UNKNOWN_PROGRAM;
  /** The number of arguments that are no options, up to here. A script that an option gives counts as one. */
  #operands = 0;
  #keepsInput = false;
  #isEnded = false;
  /** The option whose values are the next items, with their number. */
  #open: OptionInItem | undefined;

  constructor(items: readonly CommandText[]) {
    this.#items = items;
    items.forEach((item, index) => {
      if (index === 0) this.#begin(index);
      // A command that an option begins has its program at the next place.
      else if (this.places[index] === undefined) this.#readItem(index, item);
    });
  }

  /** Reads the rest as a command, whose program is at an index. */
  #begin(index: number): void {
    const { text, isFixed, isOne } = this.#items[index] ?? {
      text: "",
      isFixed: true,
      isOne: false,
    };
    this.#program = isFixed && text !== "" ? text : "the program";
    this.#facts = isFixed && isOne ? factsOf(text) : UNKNOWN_PROGRAM;
    this.#operands = 0;
    this.#keepsInput = this.#isEnded = false;
    this.#open = undefined;
    const { stdin = this.#runner === undefined ? "text" : this.stdin.effect } = this.#facts;
    this.stdin = { effect: stdin, program: this.#program };
    this.#put(index, this.#runner === undefined || isFixed ? "program" : "code", "the program");
  }

  #put(index: number, effect: Effect, what: string, mayBeOption = false): void {
    const program = this.#runner ?? this.#program;
    const isLoose = this.#runner !== undefined;
    this.places[index] = {
      ...{ program, mayBeOption, end: this.#facts.end?.[0] },
      effect: isLoose && effect !== "code" ? "choice" : effect,
      what: `${isLoose ? "part of the command" : what} of ${program}`,
    };
  }

  #readItem(index: number, item: CommandText): void {
    const { text, isFixed, isOne } = item;
    if (this.#open !== undefined) this.#readValue(index, item, this.#open);
    else if (this.#isEnded || !isOption(this.#facts, item)) this.#readOperand(index, item);
    else if (isFixed && isOne && this.#facts.end?.includes(text)) this.#isEnded = true;
    else this.#readOption(index, item);
  }

  #readOption(index: number, item: CommandText): void {
    const found = optionIn(this.#facts, item);
    const { option, effect, value, items, isScript = false } = found;
    this.#put(index, effect, `${value === undefined ? "joined to" : "the value of"} ${option}`);
    this.#keepsInput ||= this.#facts.inputOption?.test(item.text) === true;
    if (isScript) this.#operands = Math.max(this.#operands, 1);
    if (value !== undefined) this.#readText(effect, value, isScript);
    if (effect === "command") this.#beginLoose(index + 1);
    else if (items > 0 && item.isOne) this.#open = found;
    else if (items > 0) this.#loseTrack(effect);
  }

  #readValue(index: number, item: CommandText, open: OptionInItem): void {
    const { effect, option, items, isScript = false, isLast } = open;
    const isAbsent = !item.isOne && effect !== "code";
    this.#put(index, isAbsent ? "absent" : effect, `the value of ${option}`);
    this.#open = items > 1 ? { ...open, items: items - 1 } : undefined;
    this.#readText(effect, item.text, isScript);
    if (!item.isOne) this.#loseTrack(effect);
    else if (isLast && factsOf(item.text) === UNKNOWN_PROGRAM) this.#facts = SCRIPT;
    // `python -m pip` is pip.
    else if (isLast) this.#begin(index);
  }

  #readOperand(index: number, item: CommandText): void {
    const { text, isFixed, isOne } = item;
    if (this.#operands === 0 && this.#facts.hasBareOptions === true && isFixed)
      this.#facts = factsBehindLetters(this.#facts, text);
    const { operands } = this.#facts;
    const possible = operands.slice(Math.min(this.#operands++, operands.length - 1));
    // A list may be several arguments.
    const effect = !isOne && possible.includes("code") ? "code" : (possible[0] ?? "unknown");
    if (effect === "program") return this.#readProgram(index, item);
    if (effect === "command") return this.#beginLoose(index);
    const before = this.#items[index - 1];
    const isValue = effect === "unknown" && before?.isFixed && /^--?\w[^=]*$/.test(before.text);
    const own = isValue ? effectOfUnknownOption(before.text, this.#facts) : effect;
    const isSubcommand = effect === "subcommand";
    const isChoice = isSubcommand || (effect === "variable" && text.includes("="));
    this.#put(index, isChoice ? "choice" : own, "an argument", !this.#isEnded);
    this.#readText(effect, text, isOne);
    if (!isOne && possible.length > 1) this.#loseTrack(effect);
    else if (effect === "code" && operands[1] === "unknown") this.#facts = SCRIPT;
    else if (isSubcommand || this.#facts === UNKNOWN_PROGRAM) this.#readWord(item, isSubcommand);
  }

  /** Takes the facts of a subcommand, or of what a word leads to in a program that is not known. */
  #readWord({ text, isFixed, isOne }: CommandText, isSubcommand: boolean): void {
    const subcommandFacts =
      isSubcommand && isOne && isFixed ? factsOf(this.#program, text) : UNKNOWN_PROGRAM;
    this.#facts =
      subcommandFacts === UNKNOWN_PROGRAM && isFixed ? factsBehind(text) : subcommandFacts;
    const { stdin = isSubcommand ? "text" : this.stdin.effect } = this.#facts;
    this.stdin = { ...this.stdin, effect: stdin };
    this.#operands = 0;
  }

  /** Behind an item that may be absent, nothing is known but that there may be code. */
  #loseTrack(effect: Effect): void {
    const isCode = effect === "code" || this.#facts.operands.includes("code");
    this.#facts = isCode ? { ...UNKNOWN_PROGRAM, operands: ["code"] } : UNKNOWN_PROGRAM;
  }

  /** Begins a command whose items its program gets as they are. A variable of it may come first. */
  #readProgram(index: number, { text }: CommandText): void {
    const [variable] = /^[A-Za-z_]\w*(?==)/.exec(text) ?? [];
    if (variable === undefined) return this.#begin(index);
    this.#operands--;
    this.#put(index, "choice", `the variable ${variable} for a program`);
  }

  #beginLoose(index: number): void {
    this.#runner ??= this.#program;
    if (index < this.#items.length) this.#begin(index);
  }

  /** A script replaces the code of the standard input, unless it is a name of that, or a command that reads it itself. */
  #readText(effect: Effect, text: string, isScript: boolean): void {
    const isCode = effect === "code";
    const isInput = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(text);
    if (isInput && (isCode || effect === "choice")) this.stdin = { ...this.stdin, effect };
    else if (isCode && isScript && this.stdin.effect === "code" && !this.#keepsInput) {
      const words = text.split(/\s+/).map((word) => ({ text: word, isFixed: true, isOne: true }));
      this.stdin = readCommand(words).stdin;
    }
  }
}

/** True for what a program takes for an option. A `+` begins one of a shell or an editor. */
function isOption(
  { operands: [first = "text"] }: ProgramFacts,
  { text, isFixed }: CommandText,
): boolean {
  if (text === "-") return !isFixed;
  return text.startsWith("-") || (text.startsWith("+") && /^(?:code|unknown)$/.test(first));
}

interface OptionInItem extends OptionFacts {
  readonly option: string;
  /** The fixed beginning of a value that stands behind the option in the same item for certain. */
  readonly value?: string;
}

/** The option that an item is or has, with the number of items behind it that are its values. */
function optionIn(facts: ProgramFacts, { text, isFixed }: CommandText): OptionInItem {
  if (!isFixed && /^--?$/.test(text)) return { option: text, effect: "option", items: 0 };
  if (!text.startsWith("--") && facts.hasWordOptions !== true)
    return lettersIn(facts, text, isFixed);
  const [, option = "", value] = /^([^=]*)(?:=([^]*))?$/.exec(text) ?? [];
  const definition = optionOf(facts, option);
  if (value === undefined)
    return { items: 0, ...definition, option, effect: (isFixed && definition?.effect) || "choice" };
  const effect = definition?.effect ?? effectOfUnknownOption(option, facts);
  return { ...definition, option, effect, items: 0, value };
}

/** The first letter of an item such as `-nA3` that has a value: the rest of the item, or the next one. */
function lettersIn(facts: ProgramFacts, text: string, isFixed: boolean): OptionInItem {
  const letters = [...text.slice(1)];
  const at = letters.findIndex((letter) => optionOf(facts, `-${letter}`) !== undefined);
  const option = `-${letters[at] ?? letters[0] ?? ""}`;
  const definition = optionOf(facts, option);
  if (definition !== undefined && isFixed && at === letters.length - 1)
    return { ...definition, option };
  const isKept = definition?.effect === (facts.operands[0] === "code" ? "code" : "command");
  return { ...definition, option, effect: isKept ? definition.effect : "choice", items: 0 };
}
