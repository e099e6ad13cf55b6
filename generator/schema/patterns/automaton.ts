import type { CharacterMask } from "./alphabet.js";
import type { RoundStep, Step } from "./steps.js";
import type { WorkBudget } from "./work-budget.js";

/**
 * A pattern as an automaton without empty steps. A position is a place in the pattern that takes
 * one character; only those that a match can reach are kept.
 */
export interface Automaton {
  /** What each position takes. */
  readonly takes: readonly CharacterMask[];
  /** From each position, the next ones: 2 where several ways of matching lead there, else 1. */
  readonly next: readonly ReadonlyMap<number, number>[];
  /** Positions after which the pattern matches whatever follows: no search goes on from there. */
  readonly accepting: ReadonlySet<number>;
}

/** Work of following empty steps to one edge. */
const EDGE_WORK = 3;

/** Where empty steps lead: to steps that take a character, with the number of ways (2: or more). */
interface Reached {
  readonly takes: Map<number, number>;
  accepts: boolean;
}

/** Joins each position with those that empty steps lead to. */
export function buildAutomaton(steps: readonly Step[], budget: WorkBudget): Automaton {
  const follow = new EmptySteps(steps, budget);
  const numbers = new Map<number, number>();
  const numberOf = (step: number): number => {
    const number = numbers.get(step) ?? numbers.size;
    numbers.set(step, number);
    return number;
  };
  const takes: CharacterMask[] = [];
  const next: Map<number, number>[] = [];
  const accepting = new Set<number>();
  for (const start of follow.fromStart().takes.keys()) numberOf(start);
  // The map grows while it is walked, from each position to those that follow it.
  for (const [index, position] of numbers) {
    const step = steps[index];
    if (step?.kind !== "take") throw new Error("a position is a step that takes a character");
    const reached = follow.afterTaking(index, step.to);
    budget.spend(EDGE_WORK * (1 + reached.takes.size));
    takes[position] = step.mask;
    next[position] = new Map([...reached.takes].map(([to, ways]) => [numberOf(to), ways]));
    if (reached.accepts) accepting.add(position);
  }
  return { takes, next, accepting };
}

/**
 * Follows empty steps and counts the ways. An engine refuses a round of a repetition that takes
 * no character, so that `(a*)*` has two ways from one `a` to the next and not endlessly many.
 */
class EmptySteps {
  readonly #steps: readonly Step[];
  readonly #rounds = new Map<RoundStep, Reached>();
  readonly #budget: WorkBudget;

  constructor(steps: readonly Step[], budget: WorkBudget) {
    this.#steps = steps;
    this.#budget = budget;
  }

  fromStart(): Reached {
    return this.#follow(0, (round) => round === undefined);
  }

  /** @param taken the step whose character was taken last */
  afterTaking(taken: number, from: number): Reached {
    // A round that holds the step has taken a character: it may end, and another may begin.
    return this.#follow(from, (round) => round !== undefined && round.start <= taken);
  }

  /** A round that has just begun; none can end before a character is taken. */
  #newRound(round: RoundStep): Reached {
    let reached = this.#rounds.get(round);
    if (reached === undefined) {
      reached = this.#follow(round.start, () => false);
      this.#rounds.set(round, reached);
    }
    return reached;
  }

  /**
   * Steps lead to later ones only: one pass in their order counts all ways.
   *
   * @param passes whether the end of a round, or `^` (undefined), can be passed
   */
  #follow(from: number, passes: (round: RoundStep | undefined) => boolean): Reached {
    const reached: Reached = { takes: new Map(), accepts: false };
    const pending = new Map([[from, 1]]);
    const queue = [from];
    const lead = (to: number, ways: number): void => {
      if (!pending.has(to)) insertSorted(queue, to);
      pending.set(to, Math.min(2, (pending.get(to) ?? 0) + ways));
    };
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
      const step = this.#steps[index];
      const ways = pending.get(index) ?? 1;
      this.#budget.spend(1);
      if (step === undefined) continue;
      if (step.kind === "take") addWays(reached.takes, index, ways);
      else if (step.kind === "accept") reached.accepts = true;
      else if (step.kind === "empty") step.to.forEach((to) => lead(to, ways));
      else if (step.kind === "start" && passes(undefined)) lead(step.to, ways);
      else if (step.kind === "round" && passes(step)) {
        lead(step.to, ways);
        this.#addNewRound(reached, step, ways);
      }
    }
    return reached;
  }

  #addNewRound(reached: Reached, round: RoundStep, ways: number): void {
    if (round.ways === 0) return;
    for (const [index, inner] of this.#newRound(round).takes) {
      addWays(reached.takes, index, ways * round.ways * inner);
    }
  }
}

function addWays(takes: Map<number, number>, index: number, ways: number): void {
  takes.set(index, Math.min(2, (takes.get(index) ?? 0) + ways));
}

function insertSorted(ascending: number[], value: number): void {
  let at = ascending.length;
  while (at > 0 && (ascending[at - 1] ?? 0) > value) at -= 1;
  ascending.splice(at, 0, value);
}
