import type { CharacterStep, RoundStep, Step } from "./steps.js";
import type { WorkBudget } from "./work-budget.js";

/**
 * A pattern as an automaton without empty steps. A position is an element of the pattern that matches one character;
 * only positions that a match can reach are included.
 */
export interface Automaton {
  readonly positions: readonly CharacterStep[];
  /** The next positions of each position, with the number of ways to reach them. */
  readonly next: readonly Ways[];
  /** Positions after which the pattern matches any further text. */
  readonly accepting: ReadonlySet<number>;
  /** Where a match begins at the start of the text. */
  readonly first: MatchStart;
  /** Where a match begins at a later character: it cannot pass `^`. */
  readonly later: MatchStart;
}

export type Ways = ReadonlyMap<number, number>;

export interface MatchStart {
  readonly next: Ways;
  /** Whether the pattern matches any text. */
  readonly accepts: boolean;
}

/** The work of following empty steps to make one edge. */
const EDGE_WORK = 3;

/** More ways than this need not be distinguished. */
const MANY_WAYS = 1e12;

/** The character steps that empty steps lead to, with the number of ways. */
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
  const numbered = ({ characterSteps }: Reachable): Ways =>
    new Map([...characterSteps].map(([to, ways]) => [numberOf(to), ways]));
  const positions: CharacterStep[] = [];
  const next: Ways[] = [];
  const accepting = new Set<number>();
  const [first, later] = [emptySteps.fromStart(true), emptySteps.fromStart(false)].map(
    (reachable) => ({ next: numbered(reachable), accepts: reachable.accepts }),
  ) as [MatchStart, MatchStart];
  // The loop also visits the positions that it adds to the map.
  for (const [index, position] of numbers) {
    const step = steps[index];
    if (step?.kind !== "character") throw new Error("a position is a character step");
    const reachable = emptySteps.afterCharacter(index, step.to);
    budget.spend(EDGE_WORK * (1 + reachable.characterSteps.size));
    positions[position] = step;
    next[position] = numbered(reachable);
    if (reachable.accepts) accepting.add(position);
  }
  return { positions, next, accepting, first, later };
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

  /** @param isFirst whether the match begins at the start of the text */
  fromStart(isFirst: boolean): Reachable {
    return this.#follow(0, (round) => round === undefined && isFirst);
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
    const pending = new PendingSteps();
    pending.add(from, { ways: 1, certain: true });
    for (const [index, arrival] of pending.inOrder()) {
      const { ways, certain } = arrival;
      const step = this.#steps[index];
      this.#budget.spend(1);
      if (step === undefined) continue;
      if (step.kind === "character") addWays(reachable.characterSteps, index, ways);
      else if (step.kind === "accept") reachable.accepts ||= certain;
      else if (step.kind === "empty") step.to.forEach((to) => pending.add(to, arrival));
      else if (step.kind === "condition") pending.add(step.to, { ways, certain: false });
      else if (step.kind === "start" && passes(undefined)) pending.add(step.to, arrival);
      else if (step.kind === "round" && passes(step)) {
        pending.add(step.to, arrival);
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

/** The ways in which steps that read no character lead to a step. */
interface Arrival {
  readonly ways: number;
  /** Whether one of the ways passes no condition that the text may not meet. */
  readonly certain: boolean;
}

/** Steps that are still to be followed. */
class PendingSteps {
  readonly #arrivals = new Map<number, Arrival>();
  readonly #queue: number[] = [];

  add(to: number, { ways, certain }: Arrival): void {
    const earlier = this.#arrivals.get(to);
    if (earlier === undefined) insertSorted(this.#queue, to);
    this.#arrivals.set(to, {
      ways: Math.min(MANY_WAYS, ways + (earlier?.ways ?? 0)),
      certain: certain || earlier?.certain === true,
    });
  }

  *inOrder(): Generator<[number, Arrival]> {
    for (let index = this.#queue.shift(); index !== undefined; index = this.#queue.shift()) {
      const arrival = this.#arrivals.get(index);
      if (arrival !== undefined) yield [index, arrival];
    }
  }
}

function addWays(counts: Map<number, number>, index: number, ways: number): void {
  counts.set(index, Math.min(MANY_WAYS, (counts.get(index) ?? 0) + ways));
}

function insertSorted(ascending: number[], value: number): void {
  let at = ascending.length;
  while (at > 0 && (ascending[at - 1] ?? 0) > value) at -= 1;
  ascending.splice(at, 0, value);
}
