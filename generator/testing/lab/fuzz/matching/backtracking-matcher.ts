import type { AST } from "@eslint-community/regexpp";
import { matchingWeight, type CharacterElement } from "../../../../schema/patterns/alphabet.js";

/**
 * A backtracking matcher of regular expressions that tries what an engine tries, in the same order, and counts it. A step is
 * the test of one character or of an assertion.
 */

type Instruction =
  | {
      readonly kind: "character";
      readonly tests: ReadonlyMap<string, boolean>;
      readonly weight: number;
    }
  | { readonly kind: "split"; first: number; second: number }
  | { readonly kind: "jump"; to: number }
  | { readonly kind: "save"; readonly slot: number }
  | { readonly kind: "progress"; readonly slot: number }
  | { readonly kind: "start" | "end" | "accept" }
  | { readonly kind: "word"; readonly negate: boolean }
  | { readonly kind: "look"; readonly program: Program; readonly negate: boolean }
  | { readonly kind: "reference"; readonly groups: readonly number[] };

interface Program {
  readonly instructions: readonly Instruction[];
  readonly slots: number;
  readonly backwards: boolean;
}

const MAX_INSTRUCTIONS = 20_000;

/** Compiles a pattern. Undefined if it is too large to be laid out. */
export function compile(pattern: AST.Pattern): Program | undefined {
  const compiler = new Compiler(new Map(), { slots: 0 }, false);
  return compiler.program(pattern.alternatives);
}

class Compiler {
  readonly #code: Instruction[] = [];
  readonly #groups: Map<AST.CapturingGroup, number>;
  readonly #counter: { slots: number };
  readonly #backwards: boolean;
  #isTooLarge = false;

  constructor(
    groups: Map<AST.CapturingGroup, number>,
    counter: { slots: number },
    backwards: boolean,
  ) {
    this.#groups = groups;
    this.#counter = counter;
    this.#backwards = backwards;
  }

  program(alternatives: readonly AST.Alternative[]): Program | undefined {
    this.#alternatives(alternatives);
    this.#add({ kind: "accept" });
    if (this.#isTooLarge) return undefined;
    return { instructions: this.#code, slots: this.#counter.slots, backwards: this.#backwards };
  }

  #add<T extends Instruction>(instruction: T): T {
    if (this.#code.length >= MAX_INSTRUCTIONS) this.#isTooLarge = true;
    else this.#code.push(instruction);
    return instruction;
  }

  get #here(): number {
    return this.#code.length;
  }

  #alternatives(alternatives: readonly AST.Alternative[]): void {
    const jumps: { to: number }[] = [];
    for (const [index, { elements }] of alternatives.entries()) {
      const isLast = index === alternatives.length - 1;
      const split = isLast
        ? undefined
        : this.#add({ kind: "split", first: this.#here + 1, second: 0 });
      for (const element of this.#backwards ? [...elements].reverse() : elements)
        this.#element(element);
      if (split === undefined) continue;
      jumps.push(this.#add({ kind: "jump", to: 0 }));
      split.second = this.#here;
    }
    for (const jump of jumps) jump.to = this.#here;
  }

  #element(element: AST.Element): void {
    if (this.#isTooLarge) return;
    switch (element.type) {
      case "Group":
        return this.#alternatives(element.alternatives);
      case "CapturingGroup":
        return this.#group(element);
      case "Quantifier":
        return this.#quantifier(element);
      case "Backreference": {
        const groups = [element.resolved].flat().map((group) => this.#slotOf(group));
        this.#add({ kind: "reference", groups });
        return;
      }
      case "Assertion":
        return this.#assertion(element);
      case "ExpressionCharacterClass":
        throw new Error("set operations need the v flag");
      default:
        this.#add({
          kind: "character",
          tests: new CharacterTests(element),
          weight: matchingWeight(element),
        });
    }
  }

  #slotOf(group: AST.CapturingGroup): number {
    const known = this.#groups.get(group);
    if (known !== undefined) return known;
    const slot = this.#counter.slots;
    this.#counter.slots += 2;
    this.#groups.set(group, slot);
    return slot;
  }

  #group(group: AST.CapturingGroup): void {
    const slot = this.#slotOf(group);
    const [before, after] = this.#backwards ? [slot + 1, slot] : [slot, slot + 1];
    this.#add({ kind: "save", slot: before });
    this.#alternatives(group.alternatives);
    this.#add({ kind: "save", slot: after });
  }

  #quantifier({ element, min, max, greedy }: AST.Quantifier): void {
    for (let round = 0; round < min && !this.#isTooLarge; round++) this.#element(element);
    const splits: { second: number; first: number }[] = [];
    const isEndless = max === Infinity;
    const rounds = isEndless ? 1 : max - min;
    for (let round = 0; round < rounds && !this.#isTooLarge; round++) {
      const at = this.#here;
      splits.push(this.#add({ kind: "split", first: this.#here + 1, second: 0 }));
      const slot = this.#counter.slots++;
      this.#add({ kind: "save", slot });
      this.#element(element);
      this.#add({ kind: "progress", slot });
      if (isEndless) this.#add({ kind: "jump", to: at });
    }
    for (const split of splits) {
      split.second = this.#here;
      if (!greedy) [split.first, split.second] = [split.second, split.first];
    }
  }

  #assertion(assertion: AST.Assertion): void {
    if (assertion.kind === "word") this.#add({ kind: "word", negate: assertion.negate });
    else if ("alternatives" in assertion) {
      const inner = new Compiler(this.#groups, this.#counter, assertion.kind === "lookbehind");
      const program = inner.program(assertion.alternatives);
      if (program === undefined) this.#isTooLarge = true;
      else this.#add({ kind: "look", program, negate: assertion.negate });
    } else this.#add({ kind: assertion.kind });
  }
}

/** Which characters an element matches, asked when needed. */
class CharacterTests extends Map<string, boolean> {
  readonly #expression: RegExp;

  constructor(element: CharacterElement) {
    super();
    this.#expression = new RegExp(`^${element.raw}$`, "u");
  }

  override get(character: string): boolean {
    const known = super.get(character);
    if (known !== undefined) return known;
    const matches = this.#expression.test(character);
    this.set(character, matches);
    return matches;
  }
}

/** The steps until a text matches or fails, or more than `most`. */
export function countSteps(program: Program, text: string, most: number): number {
  return new Match([...text], most).search(program);
}

class TooManySteps extends Error {}

class Match {
  readonly #text: readonly string[];
  readonly #most: number;
  #steps = 0;
  #values: number[] = [];

  constructor(text: readonly string[], most: number) {
    this.#text = text;
    this.#most = most;
  }

  search(program: Program): number {
    try {
      for (let start = 0; start <= this.#text.length; start++) {
        this.#values = [];
        if (this.#run(program, start)) break;
      }
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
    }
    return this.#steps;
  }

  #count(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.#most) throw new TooManySteps();
  }

  #run(program: Program, start: number): boolean {
    const { instructions, backwards } = program;
    const saved: number[] = [];
    const choices: number[] = [];
    let [at, position] = [0, start];
    for (;;) {
      const instruction = instructions[at];
      if (instruction === undefined || instruction.kind === "accept") return true;
      at += 1;
      let goesOn = true;
      if (instruction.kind === "character") {
        this.#count(instruction.weight);
        const character = this.#text[backwards ? position - 1 : position];
        goesOn = character !== undefined && instruction.tests.get(character) === true;
        if (goesOn) position += backwards ? -1 : 1;
      } else if (instruction.kind === "split") {
        choices.push(instruction.second, position, saved.length);
        at = instruction.first;
      } else if (instruction.kind === "jump") at = instruction.to;
      else if (instruction.kind === "save") {
        saved.push(instruction.slot, this.#values[instruction.slot] ?? -1);
        this.#values[instruction.slot] = position;
      } else if (instruction.kind === "progress") {
        goesOn = this.#values[instruction.slot] !== position;
      } else if (instruction.kind === "reference") {
        const length = this.#lengthOfReference(instruction.groups, position, backwards);
        goesOn = length !== undefined;
        position += (backwards ? -1 : 1) * (length ?? 0);
      } else {
        this.#count(1);
        goesOn = this.#holds(instruction, position);
      }
      if (goesOn) continue;
      if (choices.length === 0) return false;
      const kept = choices.pop() ?? 0;
      position = choices.pop() ?? 0;
      at = choices.pop() ?? 0;
      while (saved.length > kept) {
        const value = saved.pop() ?? 0;
        this.#values[saved.pop() ?? 0] = value;
      }
    }
  }

  #holds(instruction: Instruction, position: number): boolean {
    if (instruction.kind === "start") return position === 0;
    if (instruction.kind === "end") return position === this.#text.length;
    if (instruction.kind === "look") {
      return this.#run(instruction.program, position) !== instruction.negate;
    }
    const isWord = (at: number): boolean => /^\w$/.test(this.#text[at] ?? "");
    const isBoundary = isWord(position - 1) !== isWord(position);
    return instruction.kind === "word" && isBoundary !== instruction.negate;
  }

  #lengthOfReference(
    groups: readonly number[],
    position: number,
    backwards: boolean,
  ): number | undefined {
    const slot = groups.find((group) => (this.#values[group] ?? -1) >= 0) ?? 0;
    const [start = -1, end = -1] = [this.#values[slot], this.#values[slot + 1]];
    if (start < 0 || end < start) return 0;
    const length = end - start;
    const from = backwards ? position - length : position;
    for (let index = 0; index < length; index++) {
      this.#count(1);
      if (this.#text[from + index] !== this.#text[start + index]) return undefined;
    }
    return length;
  }
}
