import type { AST } from "@eslint-community/regexpp";
import {
  matchingWeight,
  type Alphabet,
  type CharacterElement,
  type CharacterMask,
} from "./alphabet.js";
import { ElementSizes, MOST_POSITIONS } from "./element-sizes.js";
import { PatternTooLarge } from "./work-budget.js";

/**
 * A step of a pattern's automaton, identified by its index. Steps lead only to later steps; the `round` step at the end
 * of a repetition says where it starts again.
 */
export type Step =
  | { readonly kind: "empty"; readonly to: number[] }
  | CharacterStep
  /** `^`: can be passed only before the first character. */
  | { readonly kind: "start"; to: number }
  /** `\b` or a lookaround: a match that passes it is not certain to go on. */
  | { readonly kind: "condition"; to: number }
  | RoundStep
  | { readonly kind: "accept" };

export interface CharacterStep {
  readonly kind: "character";
  readonly mask: CharacterMask;
  /** How many times longer than a single character it takes to match. */
  readonly weight: number;
  /** The outermost repetition around it that is laid out as a loop. */
  readonly loop?: Loop;
  /**
   * Whether it stands for what an engine does at a place without going on from there: to match this lookaround, or to
   * find that the text does not end here.
   */
  readonly probe?: AST.LookaroundAssertion | "anchor";
  to: number;
}

/** A repetition that is laid out as a loop, though its number of rounds may be limited. */
export interface Loop {
  /** The least and the most characters that it takes. */
  readonly least: number;
  readonly most: number;
}

/** The end of the body of a repetition, which consists of the steps from `start` to this one. */
export interface RoundStep {
  readonly kind: "round";
  readonly start: number;
  /** In how many ways another round can begin; 0 for `x?`. */
  readonly ways: number;
  to: number;
}

const MAX_STEPS = 4000;

/**
 * Repetitions with an upper bound are laid out as copies if these have no more positions in all. This is exact. Others are
 * laid out as loops, which match the same texts and more.
 */
const FEW_POSITIONS = 16;
/** Up to `MOST_POSITIONS` for up to so many copies, and where a loop would hide much: for `x{9}`, and in another loop. */
const FEW_COPIES = 10;

/** Required rounds beyond this number of a body that can be empty count as many. */
const FEW_EMPTY_ROUNDS = 10;

/**
 * The steps of a whole pattern or of the inside of a lookaround; the first step has index 0.
 *
 * @param backwards whether an engine reads the text backwards, as in a lookbehind
 */
export function layOutSteps(
  alternatives: readonly AST.Alternative[],
  alphabet: Alphabet,
  backwards: boolean,
): readonly Step[] {
  return new StepLayout(alphabet, backwards).run(alternatives);
}

class StepLayout {
  readonly #alphabet: Alphabet;
  readonly #backwards: boolean;
  readonly #sizes = new ElementSizes();
  readonly #steps: Step[] = [];
  /** The groups that contain the current element: a back reference to one of them matches the empty text. */
  readonly #enclosingGroups = new Set<AST.CapturingGroup>();
  #loop: Loop | undefined;
  #isBackreference = false;

  constructor(alphabet: Alphabet, backwards: boolean) {
    this.#alphabet = alphabet;
    this.#backwards = backwards;
  }

  run(alternatives: readonly AST.Alternative[]): readonly Step[] {
    const end = this.#alternatives(this.#empty(), alternatives);
    this.#link(end, this.#add({ kind: "accept" }));
    return this.#steps;
  }

  #add(step: Step): number {
    if (this.#steps.length >= MAX_STEPS) throw new PatternTooLarge();
    return this.#steps.push(step) - 1;
  }

  #empty(): number {
    return this.#add({ kind: "empty", to: [] });
  }

  #link(from: number, to: number): void {
    const step = this.#steps[from];
    if (step?.kind === "empty") step.to.push(to);
  }

  /** This and the following methods add a part of the pattern after the empty step `at` and return the part's last, empty step. */
  #alternatives(at: number, alternatives: readonly AST.Alternative[]): number {
    const ends = alternatives.map(({ elements }) => {
      const start = this.#empty();
      this.#link(at, start);
      const inOrder = this.#backwards ? [...elements].reverse() : elements;
      return inOrder.reduce((end, element) => this.#element(end, element), start);
    });
    const end = this.#empty();
    for (const alternativeEnd of ends) this.#link(alternativeEnd, end);
    return end;
  }

  #element(at: number, element: AST.Element): number {
    switch (element.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        return this.#character(at, element);
      case "Group":
        return this.#alternatives(at, element.alternatives);
      case "CapturingGroup":
        return this.#group(at, element);
      case "Backreference":
        return this.#backreference(at, element);
      case "Quantifier":
        return this.#quantifier(at, element);
      case "Assertion":
        return this.#assertion(at, element);
      case "ExpressionCharacterClass":
        throw new Error("set operations need the v flag, which JSON Schema does not use");
    }
  }

  #character(at: number, element: CharacterElement): number {
    const mask = this.#alphabet.maskOf(element);
    return this.#then(at, {
      kind: "character",
      mask,
      weight: matchingWeight(element),
      ...(this.#loop && { loop: this.#loop }),
      to: 0,
    });
  }

  /** Adds a step that leads to a new empty step. */
  #then(at: number, step: Exclude<Step, { kind: "empty" | "accept" }>): number {
    this.#link(at, this.#add(step));
    step.to = this.#empty();
    return step.to;
  }

  #probe(at: number, probe: AST.LookaroundAssertion | "anchor"): void {
    const mask = this.#alphabet.everyCharacter;
    this.#then(at, { kind: "character", mask, weight: 1, probe, to: 0 });
  }

  #group(at: number, group: AST.CapturingGroup): number {
    if (this.#enclosingGroups.has(group)) return at;
    this.#enclosingGroups.add(group);
    const end = this.#alternatives(at, group.alternatives);
    this.#enclosingGroups.delete(group);
    return end;
  }

  /** Any text of the group, which is one text in fact. An engine does not look at the assertions in the group again. */
  #backreference(at: number, { resolved }: AST.Backreference): number {
    const outer = this.#isBackreference;
    this.#isBackreference = true;
    const end = [resolved].flat().reduce((from, group) => this.#group(from, group), at);
    this.#isBackreference = outer;
    return this.#then(end, { kind: "condition", to: 0 });
  }

  /** No character can follow `$`, and a match that reaches it can still fail. */
  #assertion(at: number, assertion: AST.Assertion): number {
    if (this.#isBackreference) return at;
    if (assertion.kind === "lookahead" || assertion.kind === "lookbehind") {
      this.#probe(at, assertion);
      return this.#then(at, { kind: "condition", to: 0 });
    }
    if (assertion.kind === "word") return this.#then(at, { kind: "condition", to: 0 });
    this.#probe(at, "anchor");
    const isBeforeFirst = (assertion.kind === "start") !== this.#backwards;
    return isBeforeFirst ? this.#then(at, { kind: "start", to: 0 }) : this.#empty();
  }

  #quantifier(at: number, quantifier: AST.Quantifier): number {
    const { element, min, max } = quantifier;
    const body = (start: number): number => this.#element(start, element);
    const areAllCopies = this.#isLaidOutAsCopies(quantifier);
    const positions = this.#sizes.positionsOf(element);
    // `x{3,}` is `xxx+`.
    const isStartCopied = areAllCopies || (min > 1 && (min - 1) * positions <= MOST_POSITIONS);
    const copies = areAllCopies ? min : isStartCopied ? min - 1 : 0;
    let end = at;
    for (let copy = 0; copy < copies; copy++) end = body(end);
    if (!areAllCopies) return this.#loopOf(end, { element, min: min - copies, max: max - copies });
    return max === min ? end : this.#optional(end, max - min, body);
  }

  #isLaidOutAsCopies({ element, min, max }: AST.Quantifier): boolean {
    if (max <= 1) return true;
    const positions = max * this.#sizes.positionsOf(element);
    const wouldHideMuch = max <= FEW_COPIES || min === max || this.#loop !== undefined;
    return positions <= FEW_POSITIONS || (wouldHideMuch && positions <= MOST_POSITIONS);
  }

  #loopOf(at: number, rounds: Pick<AST.Quantifier, "element" | "min" | "max">): number {
    const { element, min } = rounds;
    const isNullable = this.#sizes.lengthsOf(element).least === 0;
    // If the body can match the empty text, any of the required rounds may be the empty one.
    const ways = min > FEW_EMPTY_ROUNDS && isNullable ? 2 : 1;
    const outerLoop = this.#loop;
    this.#loop ??= this.#sizes.lengthsOfRounds(rounds);
    const body = (start: number): number => this.#element(start, element);
    const end = this.#round(at, ways, body, min === 0 || isNullable);
    this.#loop = outerLoop;
    // The loop can be left after one round already, so that it is not certain that the match goes on.
    return min > 1 ? this.#then(end, { kind: "condition", to: 0 }) : end;
  }

  /** `(x(x(x)?)?)?`: engines try a bounded repetition in this order. */
  #optional(at: number, count: number, body: (at: number) => number): number {
    const once = (start: number): number => {
      const end = body(start);
      return count > 1 ? this.#optional(end, count - 1, body) : end;
    };
    return this.#round(at, 0, once, true);
  }

  /** `x*`, or `x+` without `skips`, or `x?` if `ways` is 0. */
  #round(at: number, ways: number, body: (at: number) => number, skips: boolean): number {
    const start = this.#empty();
    this.#link(at, start);
    const bodyEnd = body(start);
    const round: Step = { kind: "round", start, ways, to: 0 };
    this.#link(bodyEnd, this.#add(round));
    round.to = this.#empty();
    if (skips) this.#link(at, round.to);
    return round.to;
  }
}
