import type { AST } from "@eslint-community/regexpp";
import type { PositionGraph } from "./ambiguity.js";
import type { Automaton, Ways } from "./automaton.js";
import { greatestClique } from "./greatest-clique.js";
import { findComponents, type Component } from "./match-components.js";
import type { WorkBudget } from "./work-budget.js";

/** The most steps that it takes to match a lookaround at one place. */
export type LookaroundSteps = (lookaround: AST.LookaroundAssertion) => number;

/** How often a position can be reached. */
interface Reach {
  /** In how many ways one text leads through it, at most, from where the match begins. */
  readonly ways: number;
  /** In how many of these ways a match can be there at one time. */
  readonly present: number;
  /** At how many times a match can be there. */
  readonly times: number;
  /** How many matches, which begin at different places, can be there at one time. */
  readonly starts: number;
}

const UNREACHED: Reach = { ways: 0, present: 0, times: 0, starts: 0 };

/** More ways than this need not be distinguished. */
const MANY = 1e100;

interface Search {
  /** The length of the text. */
  readonly length: number;
  readonly lookaround: LookaroundSteps;
  /**
   * One match, which may succeed: it may come to a position after which any text matches, and comes back from there no
   * more. Or all matches that begin after the first character and fail.
   */
  readonly kind: "one match" | "later matches";
}

/**
 * An upper estimate of the steps that a backtracking engine takes: how often it comes to each position, times the
 * positions that it tries after it. How often is the number of ways for one text, times the texts.
 */
export class MatchingSteps {
  readonly #automaton: Automaton;
  readonly #graph: PositionGraph;
  readonly #components: readonly Component[];
  readonly #budget: WorkBudget;

  constructor(automaton: Automaton, graph: PositionGraph, budget: WorkBudget) {
    this.#automaton = automaton;
    this.#graph = graph;
    this.#components = findComponents(automaton, graph);
    this.#budget = budget;
  }

  /** For a pattern that may match anywhere in a text of this length. */
  ofSearch(length: number, lookaround: LookaroundSteps): number {
    const { first, later } = this.#automaton;
    const once = this.ofMatch(length, lookaround);
    if (first.accepts || later.next.size === 0) return once + length;
    return once + this.#steps({ length, lookaround, kind: "later matches" });
  }

  /** For a pattern that is matched at one place of a text of this length. */
  ofMatch(length: number, lookaround: LookaroundSteps): number {
    return this.#steps({ length, lookaround, kind: "one match" });
  }

  #steps(search: Search): number {
    const { length, kind } = search;
    const reached = new Map<number, Reach>();
    const [ofOneMatch, ofAll] = [new Map<number, number>(), new Map<number, number>()];
    let sum = 0;
    for (const component of this.#components) {
      this.#budget.spend(1 / 2);
      const reach = this.#reachOf(component, reached, search);
      for (const member of component.members) {
        reached.set(member, reach);
        const after = this.#stepsAfter(member, search);
        ofOneMatch.set(member, reach.present * after);
        ofAll.set(member, reach.present * reach.starts * after);
        sum += reach.present * reach.times * after;
      }
    }
    const atStart = 1 + this.#triesOf(this.#startOf(search), search);
    const forCharacter = this.#mostTogether(ofOneMatch, (at) => this.#graph.partnersOf(at));
    if (kind === "one match") return atStart + Math.min(sum, length * forCharacter);
    const inText = this.#mostTogether(ofAll, (at) => this.#graph.partnersInTextOf(at));
    return length * (atStart + Math.min(inText, length * forCharacter));
  }

  /** The greatest sum over a position and its partners. */
  #mostTogether(
    values: ReadonlyMap<number, number>,
    partnersOf: (position: number) => ReadonlySet<number>,
  ): number {
    let most = 0;
    for (const [position, own] of values) {
      const partners = partnersOf(position);
      this.#budget.spend((1 + partners.size) / 8);
      let sum = own;
      for (const partner of partners) sum += values.get(partner) ?? 0;
      most = Math.max(most, sum);
    }
    return most;
  }

  /** Where the search goes on from the place where a match begins. */
  #startOf({ kind }: Search): Ways {
    return this.#automaton[kind === "one match" ? "first" : "later"].next;
  }

  #stepsAfter(position: number, search: Search): number {
    return 1 + this.#triesOf(this.#automaton.next[position] ?? new Map(), search);
  }

  /** The steps of trying the next positions, each in all ways. */
  #triesOf(next: Ways, { lookaround }: Search): number {
    let tries = 0;
    for (const [to, ways] of next) {
      const { probe, weight = 1 } = this.#automaton.positions[to] ?? {};
      tries += ways * (probe === undefined || probe === "anchor" ? weight : lookaround(probe));
    }
    return tries;
  }

  #reachOf(component: Component, reached: ReadonlyMap<number, Reach>, search: Search): Reach {
    const [first = 0] = component.members;
    const { length, kind } = search;
    const { accepting, positions } = this.#automaton;
    if (positions[first]?.probe !== undefined) return UNREACHED;
    if (accepting.has(first)) {
      if (kind !== "one match") return UNREACHED;
      const times = Math.min(length, positions[first]?.loop?.most ?? 1);
      return { ways: 1, present: 1, times, starts: 1 };
    }
    const { lengths, starts, isCycle, most } = component;
    const ways = Math.min(MANY, this.#arrivals(component, reached, search));
    // A loop is left at more times than those at which matches that are in it now can have entered it.
    const isShort = isCycle && most < length;
    const atOneTime = isShort ? most * this.#arrivals(component, reached, search, false) : ways;
    return {
      ways,
      present: Math.min(ways, atOneTime),
      times: Math.min(length, lengths),
      starts: Math.min(length, lengths, starts),
    };
  }

  /** In how many ways one text leads from outside to the component, at one time or at several. */
  #arrivals(
    { entries, followsSuccess }: Component,
    reached: ReadonlyMap<number, Reach>,
    search: Search,
    atAnyTime = true,
  ): number {
    const start = this.#startOf(search);
    const isRepeated = search.kind === "one match" && followsSuccess;
    let late = 0;
    const arrivals = [...entries].map(([member, ofMember]): [number, number] => {
      const values = new Map<number, number>();
      for (const { from, ways, divisions, lateTimes } of ofMember) {
        const source = reached.get(from) ?? UNREACHED;
        const value = divisions.reduce(
          (product, division) => product * (atAnyTime ? Math.min(search.length, division) : 1),
          ways * source.ways,
        );
        if (lateTimes === 0) values.set(from, value);
        else late += value * (isRepeated ? source.times : atAnyTime ? lateTimes : 1);
      }
      const [atStart, later] = [start.get(member) ?? 0, this.#together(values)];
      // One text can lead here in both ways: `^a?b` comes to `b` at its beginning, and after `a`.
      return [member, atAnyTime ? atStart + later : Math.max(atStart, later)];
    });
    return this.#together(new Map(arrivals)) + late;
  }

  /** The greatest sum of the values of positions that one text leads to. */
  #together(values: ReadonlyMap<number, number>): number {
    return greatestClique(values, (position) => this.#graph.partnersOf(position), this.#budget);
  }
}
