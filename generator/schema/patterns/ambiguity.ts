import type { CharacterMask } from "./alphabet.js";
import type { Automaton } from "./automaton.js";
import { strongComponents } from "./components.js";
import type { WorkBudget } from "./work-budget.js";

/*
 * In how many ways a backtracking engine may match one text before it fails, as a function of the text's length.
 * Both tests are Weber's and Seidl's ("On the degree of ambiguity of finite automata", 1991).
 * Positions after which any text matches are left out, since the engine does not backtrack from there.
 */

/** Whether the number of ways grows exponentially: two different paths for one text lead from a position back to it. */
export function isExponential(graph: PositionGraph): boolean {
  return graph.hasTwofoldEdge() || graph.hasTwofoldCycle();
}

/**
 * The degree of the polynomial that bounds the time of a pattern that is not exponential: 1 for linear, 2 for quadratic.
 * Each further loop over the same text adds 1.
 */
export function polynomialDegree(graph: PositionGraph): number {
  return 1 + graph.longestChain(graph.rivalLoops());
}

/** Whether a match can fail after a loop, so that the time grows with the text. */
export function hasLoop(graph: PositionGraph): boolean {
  return graph.loops.length > 0;
}

/** The positions of an automaton, with the cycles among them. */
export class PositionGraph {
  /** Positions on a cycle. */
  readonly loops: readonly number[];
  readonly #masks: readonly CharacterMask[];
  readonly #size: number;
  readonly #next: readonly ReadonlyMap<number, number>[];
  /** The next positions of each position, grouped by mask: patterns have few different masks. */
  readonly #nextByMask: readonly ReadonlyMap<CharacterMask, readonly number[]>[];
  readonly #components: ReadonlyMap<number, number>;
  readonly #budget: WorkBudget;

  constructor({ masks, next, accepting }: Automaton, budget: WorkBudget) {
    this.#budget = budget;
    this.#masks = masks;
    this.#size = masks.length;
    this.#next = next.map(
      (edges, from) =>
        new Map(accepting.has(from) ? [] : [...edges].filter(([to]) => !accepting.has(to))),
    );
    this.#nextByMask = this.#next.map((edges) => this.#byMask(edges.keys()));
    this.#components = strongComponents(masks.keys(), (position) => this.#edges(position).keys());
    const cyclicComponents = new Set(
      [...masks.keys()]
        .filter((from) =>
          [...this.#edges(from).keys()].some((to) => this.#inSameComponent(from, to)),
        )
        .map((position) => this.#component(position)),
    );
    this.loops = [...masks.keys()].filter((position) =>
      cyclicComponents.has(this.#component(position)),
    );
  }

  /** Whether an edge of a cycle can be followed in two ways. */
  hasTwofoldEdge(): boolean {
    return this.loops.some((from) =>
      [...this.#edges(from)].some(([to, ways]) => ways > 1 && this.#inSameComponent(from, to)),
    );
  }

  /** Whether two different paths for one text lead from a position back to it. Searches pairs of positions. */
  hasTwofoldCycle(): boolean {
    const pair = (a: number, b: number): number => Math.min(a, b) * this.#size + Math.max(a, b);
    const successors = (node: number): number[] => {
      const [a, b] = [Math.floor(node / this.#size), node % this.#size];
      return this.#jointSteps(a, b)
        .filter(
          ([nextA, nextB]) => this.#inSameComponent(a, nextA) && this.#inSameComponent(b, nextB),
        )
        .map(([nextA, nextB]) => pair(nextA, nextB));
    };
    const components = strongComponents(
      this.loops.map((loop) => pair(loop, loop)),
      successors,
    );
    const loopComponents = new Set(this.loops.map((loop) => components.get(pair(loop, loop))));
    return [...components].some(
      ([node, component]) =>
        Math.floor(node / this.#size) !== node % this.#size && loopComponents.has(component),
    );
  }

  /**
   * Pairs of loops that can divide one text between them in several ways: for one text there are paths from `p` to `p`,
   * from `p` to `q` and from `q` to `q`. Searches triples of positions: with an added edge from (p, q, q) to (p, p, q),
   * there is a cycle exactly if there is such a text.
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

  /** The largest number of pairs of rival loops on one path through the pattern. */
  longestChain(rivalPairs: readonly (readonly [number, number])[]): number {
    const chains = new Map<number, number>();
    const edges = [...this.#next.keys()]
      .flatMap((from) => [...this.#edges(from).keys()].map((to) => [from, to] as const))
      .map(([from, to]) => ({ from: this.#component(from), to: this.#component(to), adds: 0 }));
    const links = [...edges, ...rivalPairs.map(([from, to]) => ({ from, to, adds: 1 }))];
    // An edge never leads to a higher number, so that the targets of edges come first.
    for (const { from, to, adds } of links.sort((a, b) => a.from - b.from)) {
      chains.set(from, Math.max(chains.get(from) ?? 0, adds + (chains.get(to) ?? 0)));
    }
    return Math.max(0, ...chains.values());
  }

  #tripleSteps(a: number, b: number, c: number): number[] {
    const found: number[] = [];
    for (const [nextA, nextB] of this.#jointSteps(a, b)) {
      if (!this.#inSameComponent(a, nextA)) continue;
      const shared = this.#mask(nextA) & this.#mask(nextB);
      for (const [mask, nextCs] of this.#nextByMask[c] ?? []) {
        this.#budget.spend(1);
        if ((mask & shared) === 0n) continue;
        for (const nextC of nextCs) {
          if (!this.#inSameComponent(c, nextC) || this.#component(nextB) < this.#component(c))
            continue;
          this.#budget.spend(1);
          found.push(this.#triple(nextA, nextB, nextC));
        }
      }
    }
    return found;
  }

  /** The pairs of next positions that two positions can reach with the same character. */
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
    return this.#masks[position] ?? 0n;
  }

  #component(position: number): number {
    return this.#components.get(position) ?? -1;
  }

  #inSameComponent(a: number, b: number): boolean {
    return this.#component(a) === this.#component(b);
  }
}
