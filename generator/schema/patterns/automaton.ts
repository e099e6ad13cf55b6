import type { CharacterMask } from "./alphabet.js";
import type { RoundStep, Step } from "./steps.js";
import type { WorkBudget } from "./work-budget.js";

/**
 * A pattern as an automaton without empty steps. A position is an element of the pattern that matches one character;
 * only positions that a match can reach are included.
 */
export interface Automaton {
  /** The characters that each position matches. */
  readonly masks: readonly CharacterMask[];
  /** The next positions of each position, with the number of ways to reach them: 1, or 2 for several. */
  readonly next: readonly ReadonlyMap<number, number>[];
  /** Positions after which the pattern matches any further text. */
  readonly accepting: ReadonlySet<number>;
}

/** The work of following empty steps to make one edge. */
const EDGE_WORK = 3;

/** The character steps that empty steps lead to, with the number of ways: 1, or 2 for several. */
interface Reachable {
  readonly characterSteps: Map<number, number>;
  accepts: boolean;
}

/** Makes an automaton in which edges replace the empty steps. */
export function buildAutomaton(steps: readonly Step[], budget: WorkBudget): Automaton {
  const emptySteps = new EmptySteps(steps, budget);
  const numbers = new Map<number, number>();
  const numberOf = (step: number): number => {
    const number = numbers.get(step) ?? numbers.size;
    numbers.set(step, number);
    return number;
  };
  const masks: CharacterMask[] = [];
  const next: Map<number, number>[] = [];
  const accepting = new Set<number>();
  for (const start of emptySteps.fromStart().characterSteps.keys()) numberOf(start);
  // The loop also visits the positions that it adds to the map.
  for (const [index, position] of numbers) {
    const step = steps[index];
    if (step?.kind !== "character") throw new Error("a position is a character step");
    const reachable = emptySteps.afterCharacter(index, step.to);
    budget.spend(EDGE_WORK * (1 + reachable.characterSteps.size));
    masks[position] = step.mask;
    next[position] = new Map(
      [...reachable.characterSteps].map(([to, ways]) => [numberOf(to), ways]),
    );
    if (reachable.accepts) accepting.add(position);
  }
  return { masks, next, accepting };
}

/**
 * Follows empty steps and counts the ways. An engine does not repeat a body that consumed no character, so that
 * `(a*)*` has two ways from one `a` to the next, not infinitely many.
 */
class EmptySteps {
  readonly #steps: readonly Step[];
  readonly #rounds = new Map<RoundStep, Reachable>();
  readonly #budget: WorkBudget;

  constructor(steps: readonly Step[], budget: WorkBudget) {
    this.#steps = steps;
    this.#budget = budget;
  }

  fromStart(): Reachable {
    return this.#follow(0, (round) => round === undefined);
  }

  /** @param lastStep the step that consumed the last character */
  afterCharacter(lastStep: number, from: number): Reachable {
    // A round that contains the step has consumed a character: it may end, and another may begin.
    return this.#follow(from, (round) => round !== undefined && round.start <= lastStep);
  }

  /** From the start of a round, which cannot end before it consumed a character. */
  #newRound(round: RoundStep): Reachable {
    let reachable = this.#rounds.get(round);
    if (reachable === undefined) {
      reachable = this.#follow(round.start, () => false);
      this.#rounds.set(round, reachable);
    }
    return reachable;
  }

  /**
   * Counts all ways in one pass, since steps lead only to later steps.
   *
   * @param passes whether the end of a round, or `^` (undefined), can be passed
   */
  #follow(from: number, passes: (round: RoundStep | undefined) => boolean): Reachable {
    const reachable: Reachable = { characterSteps: new Map(), accepts: false };
    const pending = new Map([[from, 1]]);
    const queue = [from];
    const addWaysTo = (to: number, ways: number): void => {
      if (!pending.has(to)) insertSorted(queue, to);
      pending.set(to, Math.min(2, (pending.get(to) ?? 0) + ways));
    };
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
      const step = this.#steps[index];
      const ways = pending.get(index) ?? 1;
      this.#budget.spend(1);
      if (step === undefined) continue;
      if (step.kind === "character") addWays(reachable.characterSteps, index, ways);
      else if (step.kind === "accept") reachable.accepts = true;
      else if (step.kind === "empty") step.to.forEach((to) => addWaysTo(to, ways));
      else if (step.kind === "start" && passes(undefined)) addWaysTo(step.to, ways);
      else if (step.kind === "round" && passes(step)) {
        addWaysTo(step.to, ways);
        this.#addNewRound(reachable, step, ways);
      }
    }
    return reachable;
  }

  #addNewRound(reachable: Reachable, round: RoundStep, ways: number): void {
    if (round.ways === 0) return;
    for (const [index, inner] of this.#newRound(round).characterSteps) {
      addWays(reachable.characterSteps, index, ways * round.ways * inner);
    }
  }
}

function addWays(counts: Map<number, number>, index: number, ways: number): void {
  counts.set(index, Math.min(2, (counts.get(index) ?? 0) + ways));
}

function insertSorted(ascending: number[], value: number): void {
  let at = ascending.length;
  while (at > 0 && (ascending[at - 1] ?? 0) > value) at -= 1;
  ascending.splice(at, 0, value);
}
