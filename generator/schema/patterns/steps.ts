import type { AST } from "@eslint-community/regexpp";
import type { Alphabet, CharacterMask } from "./alphabet.js";
import { PatternTooLarge } from "./work-budget.js";

/**
 * A step of a pattern's automaton, identified by its index. Steps lead only to later steps; the `round` step at the end
 * of a repetition says where it starts again.
 */
export type Step =
  | { readonly kind: "empty"; readonly to: number[] }
  | { readonly kind: "character"; readonly mask: CharacterMask; to: number }
  /** `^`: can be passed only before the first character. */
  | { readonly kind: "start"; to: number }
  | RoundStep
  | { readonly kind: "accept" };

/** The end of the body of a repetition, which consists of the steps from `start` to this one. */
export interface RoundStep {
  readonly kind: "round";
  readonly start: number;
  /** In how many ways another round can begin; 0 for `x?`. */
  readonly ways: number;
  to: number;
}

/** How repetitions with an upper bound are laid out: as endless, to find exponential time, or as a few copies. */
export type BoundedRepetition = "endless" | "few copies";

export interface StepOptions {
  readonly bounded: BoundedRepetition;
  /** Whether the match may begin at any character; false for the inside of a lookaround. */
  readonly search: boolean;
  /** Whether the match certainly succeeds at the end. */
  readonly endMatches: boolean;
}

const MAX_STEPS = 4000;

/**
 * Bounded repetitions are laid out as copies up to this number, if the ways to divide a text among them are few;
 * otherwise they count as endless.
 */
const MAX_COPIES = 10;
const FEW_WAYS = 10_000;

/** Three copies suffice to distinguish linear, quadratic and worse. */
const FEW_COPIES = 3;

/** The steps of a whole pattern or of the inside of a lookaround; the first step has index 0. */
export function layOutSteps(
  alternatives: readonly AST.Alternative[],
  alphabet: Alphabet,
  options: StepOptions,
): readonly Step[] {
  return new StepLayout(alphabet, options.bounded).run(alternatives, options);
}

class StepLayout {
  readonly #alphabet: Alphabet;
  readonly #bounded: BoundedRepetition;
  readonly #steps: Step[] = [];
  /** The groups that contain the current element: a back reference to one of them matches the empty text. */
  readonly #enclosingGroups = new Set<AST.CapturingGroup>();

  constructor(alphabet: Alphabet, bounded: BoundedRepetition) {
    this.#alphabet = alphabet;
    this.#bounded = bounded;
  }

  run(
    alternatives: readonly AST.Alternative[],
    { search, endMatches }: StepOptions,
  ): readonly Step[] {
    const start = this.#empty();
    const anywhere = search
      ? this.#round(start, 1, (at) => this.#character(at, this.#alphabet.everyCharacter), true)
      : start;
    const end = this.#alternatives(anywhere, alternatives);
    if (endMatches) this.#link(end, this.#add({ kind: "accept" }));
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
      return elements.reduce((end, element) => this.#element(end, element), start);
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
        return this.#character(at, this.#alphabet.maskOf(element));
      case "Group":
        return this.#alternatives(at, element.alternatives);
      case "CapturingGroup":
        return this.#group(at, element);
      case "Backreference":
        return [element.resolved].flat().reduce((end, group) => this.#group(end, group), at);
      case "Quantifier":
        return this.#quantifier(at, element);
      case "Assertion":
        return this.#assertion(at, element);
      case "ExpressionCharacterClass":
        throw new Error("set operations need the v flag, which JSON Schema does not use");
    }
  }

  #character(at: number, mask: CharacterMask): number {
    const step = { kind: "character" as const, mask, to: 0 };
    this.#link(at, this.#add(step));
    step.to = this.#empty();
    return step.to;
  }

  #group(at: number, group: AST.CapturingGroup): number {
    if (this.#enclosingGroups.has(group)) return at;
    this.#enclosingGroups.add(group);
    const end = this.#alternatives(at, group.alternatives);
    this.#enclosingGroups.delete(group);
    return end;
  }

  /** Lookarounds are analysed separately. No character can follow `$`, and a match that reaches it can still fail. */
  #assertion(at: number, assertion: AST.Assertion): number {
    if (assertion.kind === "end") return this.#empty();
    if (assertion.kind !== "start") return at;
    const step = { kind: "start" as const, to: 0 };
    this.#link(at, this.#add(step));
    step.to = this.#empty();
    return step.to;
  }

  #quantifier(at: number, { element, min, max }: AST.Quantifier): number {
    const body = (start: number): number => this.#element(start, element);
    const hasFewWays = max <= MAX_COPIES && nestedCopies(element) ** (max - 1) <= FEW_WAYS;
    if (max === Infinity || (this.#bounded === "endless" && !hasFewWays)) {
      const skips = min === 0 || isNullable(element);
      // If the body can match the empty text, any of the required rounds may be the empty one.
      const ways = min > MAX_COPIES && isNullable(element) ? 2 : 1;
      return this.#round(at, ways, body, skips);
    }
    const copies = this.#bounded === "few copies" ? Math.min(max, FEW_COPIES) : max;
    const required = Math.min(min, copies);
    const optional = copies - required;
    let end = at;
    for (let copy = 0; copy < required; copy++) end = body(end);
    return optional === 0 ? end : this.#optional(end, optional, body);
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

/** The product of the finite upper bounds of the repetitions nested in an element. */
function nestedCopies(element: AST.Element): number {
  if (element.type === "Quantifier") {
    const copies = element.max === Infinity ? 1 : Math.max(1, element.max);
    return copies * nestedCopies(element.element);
  }
  const inner = "alternatives" in element ? element.alternatives : [];
  return Math.max(1, ...inner.flatMap(({ elements }) => elements.map(nestedCopies)));
}

/** Whether an element can match the empty text. */
function isNullable(element: AST.Element): boolean {
  switch (element.type) {
    case "Quantifier":
      return element.min === 0 || isNullable(element.element);
    case "Group":
    case "CapturingGroup":
      return element.alternatives.some(({ elements }) => elements.every(isNullable));
    case "Backreference":
    case "Assertion":
      return true;
    default:
      return false;
  }
}
