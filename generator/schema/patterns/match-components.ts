import type { PositionGraph } from "./ambiguity.js";
import type { Automaton, Ways } from "./automaton.js";

/** A strongly connected component of the positions, and how a match comes to it. */
export interface Component {
  readonly members: readonly number[];
  readonly isCycle: boolean;
  /** For each member that edges from outside lead to, where they come from. */
  readonly entries: ReadonlyMap<number, readonly Entry[]>;
  /** The length of the longest text that one pass takes. */
  readonly most: number;
  /** The number of different lengths of texts that lead here. */
  readonly lengths: number;
  /** The number of places of one text at which matches can have begun that are here at one time. */
  readonly starts: number;
  /** Whether a match can come here after the pattern matched already, so that it would not fail. */
  readonly followsSuccess: boolean;
}

/** An edge that leads to a component from outside. */
export interface Entry {
  readonly from: number;
  readonly ways: number;
  /** In how many ways a match can have divided the text among loops, besides those that were counted on the way here. */
  readonly divisions: readonly number[];
  /**
   * At how many times matches can come from there while another, for the same text, is in this loop already, without a
   * loop that would divide the text; 0 if none can.
   */
  readonly lateTimes: number;
}

/** From how many to how many. */
interface Extent {
  readonly least: number;
  readonly most: number;
}

/** The components of an automaton, each after those that lead to it. */
export function findComponents(automaton: Automaton, graph: PositionGraph): readonly Component[] {
  return new ComponentFinder(automaton, graph).components;
}

class ComponentFinder {
  readonly components: readonly Component[];
  readonly #automaton: Automaton;
  readonly #graph: PositionGraph;
  readonly #rivals: ReadonlyMap<number, ReadonlySet<number>>;
  readonly #edges: ReadonlyMap<number, Ways>;
  /** In how many ways a match can divide a text between a loop and what follows it. */
  readonly #divisions = new Map<number, number>();
  /** The loops that a match may have passed before it leaves a position, and whether their divisions were counted. */
  readonly #passed = new Map<number, ReadonlyMap<number, boolean>>();
  readonly #earliest: ReadonlyMap<number, number>;
  readonly #latest = new Map<number, number>();
  /**
   * The lengths of the texts that lead to a position, if loops are passed once, since the last position that all matches
   * pass at one time.
   */
  readonly #extents = new Map<number, Extent>();
  /** How far back the matches that leave a position can have begun, as far as they can share a text. */
  readonly #starts = new Map<number, Extent>();
  readonly #afterSuccess: Set<number>;

  constructor(automaton: Automaton, graph: PositionGraph) {
    this.#automaton = automaton;
    this.#graph = graph;
    this.#rivals = graph.rivalLoops();
    this.#edges = edgesBetweenComponents(graph);
    this.#earliest = earliestOf(automaton);
    this.#afterSuccess = new Set(automaton.accepting);
    const members = new Map<number, number[]>();
    for (const [position, number] of graph.components) {
      if (position === graph.before) continue;
      const positions = members.get(number);
      if (positions === undefined) members.set(number, [position]);
      else positions.push(position);
    }
    const cycles = new Set(graph.loops);
    this.components = [...members]
      .sort(([a], [b]) => b - a)
      .map(([number, positions]) => this.#component(number, positions, cycles));
  }

  #component(number: number, members: readonly number[], cycles: ReadonlySet<number>): Component {
    const isCycle = members.some((member) => cycles.has(member));
    const loops = members.map((member) => this.#automaton.positions[member]?.loop);
    const most = isCycle ? Math.max(...loops.map((loop) => loop?.most ?? Infinity)) : 1;
    const range = isCycle
      ? Math.max(...loops.map((loop) => (loop ? loop.most - loop.least : Infinity)))
      : 0;
    const entries = new Map(
      members.map((member) => {
        const from = [...(this.#edges.get(member) ?? [])];
        return [member, from.map((edge) => this.#entry(number, members, isCycle, edge))];
      }),
    );
    const sources = [...new Set([...entries.values()].flat().map(({ from }) => from))];
    const followsSuccess = sources.some((source) => this.#afterSuccess.has(source));
    if (followsSuccess) for (const member of members) this.#afterSuccess.add(member);
    this.#pass(number, members, sources);
    const extent = this.#extentOf(members, sources, isCycle);
    for (const member of members) this.#extents.set(member, extent);
    if (isCycle) this.#divisions.set(number, range + 1);
    return {
      members,
      isCycle,
      entries,
      most,
      lengths: this.#lengths(members, sources, isCycle ? most : 1),
      starts: this.#startsOf(number, members, sources, { isCycle, most, range }),
      followsSuccess,
    };
  }

  #entry(
    number: number,
    members: readonly number[],
    isCycle: boolean,
    [from, ways]: readonly [number, number],
  ): Entry {
    const rivals = this.#rivals.get(number);
    const uncounted = [...(this.#passed.get(from) ?? [])].filter(
      ([loop, isCounted]) => !isCounted && rivals?.has(loop),
    );
    const partners = this.#graph.partnersOf(from);
    const isRival = rivals?.has(this.#graph.components.get(from) ?? -1) === true;
    const divisions = uncounted.map(([loop]) => this.#divisions.get(loop) ?? 1);
    const mayShareText = isCycle && !isRival && divisions.length === 0;
    const isLate = mayShareText && members.some((member) => partners.has(member));
    const { least, most } = this.#extents.get(from) ?? { least: 1, most: 1 };
    return { from, ways, divisions, lateTimes: isLate ? most - least + 1 : 0 };
  }

  #extentOf(members: readonly number[], sources: readonly number[], isCycle: boolean): Extent {
    // All matches of one text pass such a position at one time.
    const isPassedOnce =
      !isCycle && members.every((member) => this.#graph.partnersOf(member).size === 0);
    if (isPassedOnce) return { least: 1, most: 1 };
    const isFirst = members.some((member) => this.#automaton.first.next.has(member));
    const before = sources.flatMap((source) => this.#extents.get(source) ?? []);
    const all = isFirst ? [...before, { least: 0, most: 0 }] : before;
    if (all.length === 0) return { least: 1, most: 1 };
    return {
      least: 1 + Math.min(...all.map(({ least }) => least)),
      most: 1 + Math.max(...all.map(({ most }) => most)),
    };
  }

  /** Notes which loops a match has passed that leaves this component. */
  #pass(number: number, members: readonly number[], sources: readonly number[]): void {
    const rivals = this.#rivals.get(number);
    const passed = new Map<number, boolean>();
    for (const source of sources) {
      for (const [loop, isCounted] of this.#passed.get(source) ?? []) {
        passed.set(loop, passed.get(loop) !== false && (isCounted || rivals?.has(loop) === true));
      }
    }
    if (this.#graph.isLoop(members[0] ?? 0)) passed.set(number, false);
    for (const member of members) this.#passed.set(member, passed);
  }

  #lengths(members: readonly number[], sources: readonly number[], most: number): number {
    const isAccepting = members.some((member) => this.#automaton.accepting.has(member));
    const before = Math.max(0, ...sources.map((source) => this.#latest.get(source) ?? 0));
    const latest = isAccepting ? Infinity : before + most;
    for (const member of members) this.#latest.set(member, latest);
    const earliest = Math.min(...members.map((member) => this.#earliest.get(member) ?? 0));
    return latest - earliest + 1;
  }

  #startsOf(
    number: number,
    members: readonly number[],
    sources: readonly number[],
    { isCycle, most, range }: { isCycle: boolean; most: number; range: number },
  ): number {
    const starts = sources.flatMap((source) => this.#starts.get(source) ?? []);
    const isFirst = members.some((member) => this.#automaton.later.next.has(member));
    const befores = isFirst ? [...starts, { least: 0, most: 0 }] : starts;
    if (befores.length === 0) return 1;
    const least = Math.min(...befores.map((before) => before.least));
    const greatest = Math.max(...befores.map((before) => before.most));
    // Matches that began at different places are together in a loop only if what comes before a match can share its text.
    const isRival = this.#rivals
      .get(number)
      ?.has(this.#graph.components.get(this.#graph.before) ?? -1);
    const own = isCycle ? 0 : 1;
    const after = { least: least + own, most: greatest + (isRival ? range : own) };
    for (const member of members) this.#starts.set(member, after);
    return greatest + (isRival ? most : 0) - least + 1;
  }
}

/** For each position the edges to it that come from other components. */
function edgesBetweenComponents({
  components,
  next,
  before,
}: PositionGraph): Map<number, Map<number, number>> {
  const entries = new Map<number, Map<number, number>>();
  for (const [from, edges] of next.entries()) {
    if (from === before) continue;
    for (const [to, ways] of edges) {
      if (components.get(from) === components.get(to)) continue;
      const waysIn = entries.get(to);
      if (waysIn === undefined) entries.set(to, new Map([[from, ways]]));
      else waysIn.set(from, ways);
    }
  }
  return entries;
}

/** The fewest characters with which each position is reached. */
function earliestOf({ first, next }: Automaton): Map<number, number> {
  const found = new Map([...first.next.keys()].map((position) => [position, 1]));
  // The loop also visits the positions that it adds to the map.
  for (const [position, at] of found) {
    for (const to of next[position]?.keys() ?? []) if (!found.has(to)) found.set(to, at + 1);
  }
  return found;
}
