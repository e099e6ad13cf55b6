/** The choices for one sample. */
export interface SampleChoice {
  /** The number of repetitions, if the quantifier allows it. */
  readonly repeat: number;
  /** The index of the alternative or character, modulo their number. */
  readonly pick: number;
}

type Sampler = (choice: SampleChoice) => string;

const MAXIMUM_SAMPLE = 2_000;
const MAXIMUM_NESTING = 50;

/** Characters for `.` and for character classes, the most usual first. */
const USUAL_CHARACTERS = [
  ..."abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_- .:/",
];

const CLASS_ESCAPES: ReadonlyMap<string, RegExp> = new Map([
  ["d", /\d/],
  ["D", /\D/],
  ["w", /\w/],
  ["W", /\W/],
  ["s", /\s/],
  ["S", /\S/],
]);

const CONTROL_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["f", "\f"],
  ["0", "\0"],
]);

/**
 * A function that makes strings for a regular expression of literals, classes, groups, alternatives and quantifiers.
 * It ignores assertions, so that the caller must test the strings. Undefined for other syntax (back references, `\p{…}`).
 */
export function patternSampler(pattern: string): Sampler | undefined {
  try {
    const reader = new PatternReader(pattern);
    return reader.readAll();
  } catch (error) {
    if (error instanceof UnreadablePattern) return undefined;
    throw error;
  }
}

class UnreadablePattern extends Error {}

class PatternReader {
  readonly #characters: readonly string[];
  #position = 0;
  #nesting = 0;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  readAll(): Sampler {
    const sampler = this.#alternatives();
    if (this.#position < this.#characters.length) throw new UnreadablePattern();
    return sampler;
  }

  #alternatives(): Sampler {
    this.#nesting += 1;
    if (this.#nesting > MAXIMUM_NESTING) throw new UnreadablePattern();
    const branches = [this.#sequence()];
    while (this.#take("|")) branches.push(this.#sequence());
    this.#nesting -= 1;
    return (choice) => branches[choice.pick % branches.length]?.(choice) ?? "";
  }

  #sequence(): Sampler {
    const parts: Sampler[] = [];
    while (this.#position < this.#characters.length && !"|)".includes(this.#peek())) {
      parts.push(this.#quantified());
    }
    return (choice) => {
      let text = "";
      for (const part of parts) {
        text += part(choice);
        if (text.length > MAXIMUM_SAMPLE) break;
      }
      return text;
    };
  }

  #quantified(): Sampler {
    const atom = this.#atom();
    const range = this.#quantifier();
    if (range === undefined) return atom;
    this.#take("?");
    return (choice) => repeatSample(atom, range, choice);
  }

  #quantifier(): readonly [number, number] | undefined {
    if (this.#take("*")) return [0, Infinity];
    if (this.#take("+")) return [1, Infinity];
    if (this.#take("?")) return [0, 1];
    if (this.#peek() !== "{") return undefined;
    const match = /^\{(\d+)(,(\d*))?\}/.exec(this.#lookahead(24));
    if (match === null) throw new UnreadablePattern();
    this.#position += match[0].length;
    const least = Number(match[1]);
    if (match[2] === undefined) return [least, least];
    return [least, match[3] === "" ? Infinity : Number(match[3])];
  }

  #atom(): Sampler {
    const character = this.#next();
    if (character === "^" || character === "$") return () => "";
    if (character === "(") return this.#group();
    if (character === "[") return oneOf(this.#classMembers());
    if (character === ".") return oneOf(USUAL_CHARACTERS);
    if (character === "\\") return this.#escape();
    return () => character;
  }

  #group(): Sampler {
    const assertion = /^\?(?:=|!|<=|<!)/.exec(this.#lookahead(3));
    const prefix = assertion ?? /^\?(?::|<[A-Za-z_$][\w$]*>)/.exec(this.#lookahead(80));
    this.#position += prefix?.[0].length ?? 0;
    const inner = this.#alternatives();
    if (!this.#take(")")) throw new UnreadablePattern();
    return assertion === null ? inner : () => "";
  }

  #escape(): Sampler {
    const letter = this.#next();
    if (letter === "b" || letter === "B") return () => "";
    const members = CLASS_ESCAPES.get(letter);
    if (members !== undefined) return oneOf(USUAL_CHARACTERS.filter((it) => members.test(it)));
    const character = this.#escapedCharacter(letter);
    return () => character;
  }

  #escapedCharacter(letter: string): string {
    const control = CONTROL_ESCAPES.get(letter);
    if (control !== undefined) return control;
    if (!/[A-Za-z0-9]/.test(letter)) return letter;
    const code = /^(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\})/i.exec(
      letter + this.#lookahead(9),
    );
    if (code === null) throw new UnreadablePattern();
    this.#position += code[0].length - 1;
    return String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "", 16));
  }

  /** The usual characters in a class, then the ends of its ranges. */
  #classMembers(): string[] {
    const negated = this.#take("^");
    const ends: string[] = [];
    const tests: ((character: string) => boolean)[] = [];
    while (!this.#take("]")) this.#classItem(ends, tests);
    const isMember = (character: string): boolean => tests.some((check) => check(character));
    const usualMembers = USUAL_CHARACTERS.filter((character) => isMember(character) !== negated);
    return negated ? usualMembers : [...usualMembers, ...ends];
  }

  #classItem(ends: string[], tests: ((character: string) => boolean)[]): void {
    const first = this.#next();
    const members = first === "\\" ? CLASS_ESCAPES.get(this.#peek()) : undefined;
    if (members !== undefined) {
      this.#position += 1;
      tests.push((character) => members.test(character));
      return;
    }
    const from = first === "\\" ? this.#escapedCharacter(this.#next()) : first;
    const isRange = this.#peek() === "-" && this.#characters[this.#position + 1] !== "]";
    if (isRange) this.#position += 1;
    const to = isRange ? this.#rangeEnd() : from;
    ends.push(from, to);
    tests.push((character) => character >= from && character <= to);
  }

  #rangeEnd(): string {
    const character = this.#next();
    return character === "\\" ? this.#escapedCharacter(this.#next()) : character;
  }

  #peek(): string {
    return this.#characters[this.#position] ?? "";
  }

  #next(): string {
    const character = this.#characters[this.#position];
    if (character === undefined) throw new UnreadablePattern();
    this.#position += 1;
    return character;
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#position += 1;
    return true;
  }

  #lookahead(length: number): string {
    return this.#characters.slice(this.#position, this.#position + length).join("");
  }
}

function oneOf(characters: readonly string[]): Sampler {
  if (characters.length === 0) throw new UnreadablePattern();
  return ({ pick }) => characters[pick % characters.length] ?? "";
}

function repeatSample(
  atom: Sampler,
  [least, most]: readonly [number, number],
  choice: SampleChoice,
): string {
  const count = Math.min(Math.max(least, choice.repeat), most);
  const sample = count === 0 ? "" : atom(choice);
  if (sample === "") return "";
  return sample.repeat(Math.min(count, Math.ceil(MAXIMUM_SAMPLE / sample.length) + 1));
}
