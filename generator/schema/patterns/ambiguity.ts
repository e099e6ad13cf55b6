import type { CharacterMask } from "./alphabet.js";
import type { Automaton, Ways } from "./automaton.js";
import { strongComponents } from "./components.js";
import type { WorkBudget } from "./work-budget.js";

/*
 * In how many ways a backtracking engine may match one text before it fails, as a function of the text's length.
 * Both tests, for exponential time and for rival loops, are Weber's and Seidl's ("On the degree of ambiguity of finite
 * automata", 1991).
 */

type Partners = ReadonlyMap<number, ReadonlySet<number>>;

/** The positions of an automaton, with the cycles among them. */
export class PositionGraph {
  /**
   * The next positions of each position, but for those after which any text matches: an engine does not come back from
   * there.
   */
  readonly next: readonly Ways[];
  /** The number of each position's strongly connected component. An edge of `next` never leads to a higher number. */
  readonly components: ReadonlyMap<number, number>;
  /** Positions on a cycle. */
  readonly loops: readonly number[];
  readonly #loops: ReadonlySet<number>;
  /** A position besides those of the automaton, for the characters before a match that does not begin at once. */
  readonly before: number;
  /** For each position the others that an engine can reach with the same text. */
  readonly #partners: Partners;
  /** The same where each match may begin at another place of the text. */
  readonly #partnersInText: Partners;
  readonly #masks: readonly CharacterMask[];
  readonly #size: number;
  /** The next positions of each position, grouped by mask: patterns have few different masks. */
  readonly #nextByMask: readonly ReadonlyMap<CharacterMask, readonly number[]>[];
  readonly #budget: WorkBudget;

  constructor(automaton: Automaton, everyCharacter: CharacterMask, budget: WorkBudget) {
    const { positions, next, accepting, first, later } = automaton;
    this.#budget = budget;
    this.before = positions.length;
    this.#size = positions.length + 1;
    this.#masks = [
      ...positions.map(({ mask, probe }) => (probe === undefined ? mask : 0n)),
      everyCharacter,
    ];
    this.#partners = this.#findPartners([...next, first.next]);
    const nextInText = [...next, new Map([[this.before, 1], ...later.next])];
    this.#partnersInText = later.next.size === 0 ? new Map() : this.#findPartners(nextInText);
    this.next = nextInText.map((edges) => new Map([...edges].filter(([to]) => !accepting.has(to))));
    this.#nextByMask = this.next.map((edges) => this.#byMask(edges.keys()));
    this.components = strongComponents(this.next.keys(), (from) => this.#edges(from).keys());
    const cyclicComponents = new Set(
      [...this.next.keys()]
        .filter((from) =>
          [...this.#edges(from).keys()].some((to) => this.#inSameComponent(from, to)),
        )
        .map((position) => this.#component(position)),
    );
    this.loops = [...this.next.keys()].filter((position) =>
      cyclicComponents.has(this.#component(position)),
    );
    this.#loops = new Set(this.loops);
  }

  isLoop(position: number): boolean {
    return this.#loops.has(position);
  }

  /** The other positions that a match can reach with a text that leads to this one. */
  partnersOf(position: number): ReadonlySet<number> {
    return this.#partners.get(position) ?? new Set();
  }

  /** The positions that other matches can reach, which may have begun elsewhere in the text. */
  partnersInTextOf(position: number): ReadonlySet<number> {
    return this.#partnersInText.get(position) ?? new Set();
  }

  /** Whether the number of ways grows exponentially: two different paths for one text lead from a position back to it. */
  get isExponential(): boolean {
    return this.#hasTwofoldEdge() || this.#hasTwofoldCycle();
  }

  /** Whether an edge of a cycle can be followed in two ways. */
  #hasTwofoldEdge(): boolean {
    return this.loops.some((from) =>
      [...this.#edges(from)].some(([to, ways]) => ways > 1 && this.#inSameComponent(from, to)),
    );
  }

  /** Whether two different paths for one text lead from a position back to it. Searches pairs of positions. */
  #hasTwofoldCycle(): boolean {
    const successors = (node: number): number[] => {
      const [a, b] = this.#pairOf(node);
      return this.#jointSteps(a, b, this.#nextByMask)
        .filter(
          ([nextA, nextB]) => this.#inSameComponent(a, nextA) && this.#inSameComponent(b, nextB),
        )
        .map(([nextA, nextB]) => this.#pair(nextA, nextB));
    };
    const components = strongComponents(
      this.loops.map((loop) => this.#pair(loop, loop)),
      successors,
    );
    const loopComponents = new Set(
      this.loops.map((loop) => components.get(this.#pair(loop, loop))),
    );
    return [...components].some(
      ([node, component]) =>
        Math.floor(node / this.#size) !== node % this.#size && loopComponents.has(component),
    );
  }

  /**
   * For each component, those before it that can share one text with it in several ways: for that text there are paths
   * from `p` to `p`, from `p` to `q` and from `q` to `q`. Searches triples of positions: with an added edge from (p, q, q)
   * to (p, p, q), there is a cycle exactly if there is such a text.
   */
  rivalLoops(): ReadonlyMap<number, ReadonlySet<number>> {
    const successors = (node: number): number[] => {
      const [a, b, c] = this.#positionsOf(node);
      const next = this.#tripleSteps(a, b, c);
      return b === c && a !== b ? [...next, this.#triple(a, a, c)] : next;
    };
    const candidates = this.loops.flatMap((p) =>
      this.loops.filter((q) => this.#mayBeRivals(p, q)).map((q) => [p, q] as const),
    );
    const starts = candidates.map(([p, q]) => this.#triple(p, p, q));
    const components = strongComponents(starts, successors);
    const rivals = new Map<number, Set<number>>();
    for (const [p, q] of candidates) {
      const end = components.get(this.#triple(p, q, q));
      if (end === undefined || end !== components.get(this.#triple(p, p, q))) continue;
      const rivalsOfComponent = rivals.get(this.#component(q));
      if (rivalsOfComponent === undefined)
        rivals.set(this.#component(q), new Set([this.#component(p)]));
      else rivalsOfComponent.add(this.#component(p));
    }
    return rivals;
  }

  /** @param next the edges, the last of them those from where a match begins */
  #findPartners(next: readonly Ways[]): Map<number, Set<number>> {
    const nextByMask = next.map((edges) => this.#byMask(edges.keys()));
    const partners = new Map<number, Set<number>>();
    const partnersOf = (position: number): Set<number> => {
      const found = partners.get(position) ?? new Set();
      partners.set(position, found);
      return found;
    };
    const pairs = next.map((_, position): [number, number] => [position, position]);
    // The loop also visits the pairs that it adds.
    for (const [a, b] of pairs) {
      for (const [nextA, nextB] of this.#jointSteps(a, b, nextByMask)) {
        if (nextA === nextB || partnersOf(nextA).has(nextB)) continue;
        partnersOf(nextA).add(nextB);
        partnersOf(nextB).add(nextA);
        pairs.push([nextA, nextB]);
      }
    }
    return partners;
  }

  #tripleSteps(a: number, b: number, c: number): number[] {
    const found: number[] = [];
    for (const [nextA, nextB] of this.#jointSteps(a, b, this.#nextByMask)) {
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
  #jointSteps(
    a: number,
    b: number,
    nextByMask: readonly ReadonlyMap<CharacterMask, readonly number[]>[],
  ): [number, number][] {
    const found: [number, number][] = [];
    for (const [maskA, nextAs] of nextByMask[a] ?? []) {
      for (const [maskB, nextBs] of nextByMask[b] ?? []) {
        this.#budget.spend(1);
        if ((maskA & maskB) === 0n) continue;
        this.#budget.spend(nextAs.length * nextBs.length);
        for (const nextA of nextAs) for (const nextB of nextBs) found.push([nextA, nextB]);
      }
    }
    return found;
  }

  #mayBeRivals(p: number, q: number): boolean {
    this.#budget.spend(1);
    const mayShareText = p === this.before || this.partnersOf(p).has(q);
    return this.#component(q) < this.#component(p) && mayShareText;
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

  #pair(a: number, b: number): number {
    return Math.min(a, b) * this.#size + Math.max(a, b);
  }

  #pairOf(pair: number): [number, number] {
    return [Math.floor(pair / this.#size), pair % this.#size];
  }

  #triple(a: number, b: number, c: number): number {
    return (a * this.#size + b) * this.#size + c;
  }

  #positionsOf(triple: number): [number, number, number] {
    return [...this.#pairOf(Math.floor(triple / this.#size)), triple % this.#size];
  }

  #edges(position: number): Ways {
    return this.next[position] ?? new Map();
  }

  #mask(position: number): CharacterMask {
    return this.#masks[position] ?? 0n;
  }

  #component(position: number): number {
    return this.components.get(position) ?? -1;
  }

  #inSameComponent(a: number, b: number): boolean {
    return this.#component(a) === this.#component(b);
  }
}
