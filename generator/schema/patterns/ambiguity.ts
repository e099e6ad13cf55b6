import type { CharacterMask } from "./alphabet.js";
import type { Automaton } from "./automaton.js";
import { strongComponents } from "./components.js";
import type { WorkBudget } from "./work-budget.js";

/*
 * How many ways of matching one text an engine may try before it gives up, as the text grows.
 * Both tests are Weber's and Seidl's ("On the degree of ambiguity of finite automata", 1991).
 * Positions after which any text matches are left out, since no search goes on from there.
 */

/** Whether the ways double again and again: a position comes back to itself in two ways over one text. */
export function isExponential(graph: PositionGraph): boolean {
  return graph.hasTwofoldEdge() || graph.hasTwofoldRound();
}

/**
 * The degree of the polynomial that bounds the time: 1 for linear, 2 for quadratic. Each further
 * loop over the same text adds 1. For what is not exponential.
 */
export function polynomialDegree(graph: PositionGraph): number {
  return 1 + graph.longestChain(graph.rivalLoops());
}

/** Whether there is a loop from which the match can still fail: the time grows with the text. */
export function hasLoop(graph: PositionGraph): boolean {
  return graph.loops.length > 0;
}

/** The positions of an automaton, and which of them lead back to themselves. */
export class PositionGraph {
  /** Positions on a cycle. */
  readonly loops: readonly number[];
  readonly #takes: readonly CharacterMask[];
  readonly #size: number;
  readonly #next: readonly ReadonlyMap<number, number>[];
  /** The next positions of each, by what they take: patterns repeat few sets of characters. */
  readonly #nextByMask: readonly ReadonlyMap<CharacterMask, readonly number[]>[];
  readonly #components: ReadonlyMap<number, number>;
  readonly #budget: WorkBudget;

  constructor({ takes, next, accepting }: Automaton, budget: WorkBudget) {
    this.#budget = budget;
    this.#takes = takes;
    this.#size = takes.length;
    this.#next = next.map(
      (edges, from) =>
        new Map(accepting.has(from) ? [] : [...edges].filter(([to]) => !accepting.has(to))),
    );
    this.#nextByMask = this.#next.map((edges) => this.#byMask(edges.keys()));
    this.#components = strongComponents(takes.keys(), (position) => this.#edges(position).keys());
    const onCycle = new Set(
      [...takes.keys()]
        .filter((from) => [...this.#edges(from).keys()].some((to) => this.#together(from, to)))
        .map((position) => this.#component(position)),
    );
    this.loops = [...takes.keys()].filter((position) => onCycle.has(this.#component(position)));
  }

  /** Whether one step of a loop can be made in two ways. */
  hasTwofoldEdge(): boolean {
    return this.loops.some((from) =>
      [...this.#edges(from)].some(([to, ways]) => ways > 1 && this.#together(from, to)),
    );
  }

  /** Whether two rounds from one position over one text part and meet again. Nodes are pairs of positions. */
  hasTwofoldRound(): boolean {
    const pair = (a: number, b: number): number => Math.min(a, b) * this.#size + Math.max(a, b);
    const successors = (node: number): number[] => {
      const [a, b] = [Math.floor(node / this.#size), node % this.#size];
      return this.#jointSteps(a, b)
        .filter(([nextA, nextB]) => this.#together(a, nextA) && this.#together(b, nextB))
        .map(([nextA, nextB]) => pair(nextA, nextB));
    };
    const components = strongComponents(
      this.loops.map((loop) => pair(loop, loop)),
      successors,
    );
    const meeting = new Set(this.loops.map((loop) => components.get(pair(loop, loop))));
    return [...components].some(
      ([node, component]) =>
        Math.floor(node / this.#size) !== node % this.#size && meeting.has(component),
    );
  }

  /**
   * Pairs of loops between which the border of a text can move: over one text, `p` comes back to
   * itself, `p` goes to `q`, and `q` comes back to itself. Nodes are triples of positions; an
   * edge from (p, q, q) to (p, p, q) closes a cycle exactly where there is such a text.
   */
  rivalLoops(): [number, number][] {
    const successors = (node: number): number[] => {
      const [a, b, c] = this.#positionsOf(node);
      const next = this.#tripleSteps(a, b, c);
      return b === c && a !== b ? [...next, this.#triple(a, a, c)] : next;
    };
    const candidates = this.loops.flatMap((p) =>
      this.loops.filter((q) => this.#canFollow(p, q)).map((q) => [p, q] as const),
    );
    const starts = candidates.map(([p, q]) => this.#triple(p, p, q));
    const components = strongComponents(starts, successors);
    return candidates
      .filter(([p, q]) => {
        const end = components.get(this.#triple(p, q, q));
        return end !== undefined && end === components.get(this.#triple(p, p, q));
      })
      .map(([p, q]) => [this.#component(p), this.#component(q)]);
  }

  /** The most pairs of rival loops on one way through the pattern. */
  longestChain(rivals: readonly (readonly [number, number])[]): number {
    const chains = new Map<number, number>();
    const ways = [...this.#next.keys()]
      .flatMap((from) => [...this.#edges(from).keys()].map((to) => [from, to] as const))
      .map(([from, to]) => ({ from: this.#component(from), to: this.#component(to), adds: 0 }));
    const links = [...ways, ...rivals.map(([from, to]) => ({ from, to, adds: 1 }))];
    // Components are numbered against the direction of the edges: what follows comes first.
    for (const { from, to, adds } of links.sort((a, b) => a.from - b.from)) {
      chains.set(from, Math.max(chains.get(from) ?? 0, adds + (chains.get(to) ?? 0)));
    }
    return Math.max(0, ...chains.values());
  }

  #tripleSteps(a: number, b: number, c: number): number[] {
    const found: number[] = [];
    for (const [nextA, nextB] of this.#jointSteps(a, b)) {
      if (!this.#together(a, nextA)) continue;
      const shared = this.#mask(nextA) & this.#mask(nextB);
      for (const [mask, nextCs] of this.#nextByMask[c] ?? []) {
        this.#budget.spend(1);
        if ((mask & shared) === 0n) continue;
        for (const nextC of nextCs) {
          if (!this.#together(c, nextC) || this.#component(nextB) < this.#component(c)) continue;
          this.#budget.spend(1);
          found.push(this.#triple(nextA, nextB, nextC));
        }
      }
    }
    return found;
  }

  /** The steps that two positions can make over one character. */
  #jointSteps(a: number, b: number): [number, number][] {
    const found: [number, number][] = [];
    for (const [maskA, nextAs] of this.#nextByMask[a] ?? []) {
      for (const [maskB, nextBs] of this.#nextByMask[b] ?? []) {
        this.#budget.spend(1);
        if ((maskA & maskB) === 0n) continue;
        this.#budget.spend(nextAs.length * nextBs.length);
        for (const nextA of nextAs) for (const nextB of nextBs) found.push([nextA, nextB]);
      }
    }
    return found;
  }

  #canFollow(p: number, q: number): boolean {
    this.#budget.spend(1);
    return this.#component(q) < this.#component(p) && (this.#mask(p) & this.#mask(q)) !== 0n;
  }

  #byMask(positions: Iterable<number>): Map<CharacterMask, number[]> {
    const groups = new Map<CharacterMask, number[]>();
    for (const position of positions) {
      const group = groups.get(this.#mask(position));
      if (group === undefined) groups.set(this.#mask(position), [position]);
      else group.push(position);
    }
    return groups;
  }

  #triple(a: number, b: number, c: number): number {
    return (a * this.#size + b) * this.#size + c;
  }

  #positionsOf(triple: number): [number, number, number] {
    const pair = Math.floor(triple / this.#size);
    return [Math.floor(pair / this.#size), pair % this.#size, triple % this.#size];
  }

  #edges(position: number): ReadonlyMap<number, number> {
    return this.#next[position] ?? new Map();
  }

  #mask(position: number): CharacterMask {
    return this.#takes[position] ?? 0n;
  }

  #component(position: number): number {
    return this.#components.get(position) ?? -1;
  }

  #together(a: number, b: number): boolean {
    return this.#component(a) === this.#component(b);
  }
}
