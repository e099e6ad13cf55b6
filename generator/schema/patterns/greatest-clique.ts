import type { WorkBudget } from "./work-budget.js";

/** For more nodes, or a search that takes longer, the answer is an estimate. */
const MAX_NODES = 100;
const MAX_CALLS = 200;

/**
 * The greatest sum of the values of nodes that are all neighbours of each other, or more if that takes long to find: then
 * the greatest sum over a node and all of its neighbours.
 */
export function greatestClique(
  values: ReadonlyMap<number, number>,
  neighboursOf: (node: number) => ReadonlySet<number>,
  budget: WorkBudget,
): number {
  if (values.size === 1) return [...values.values()][0] ?? 0;
  let best = 0;
  let calls = 0;
  const search = (candidates: readonly number[], sum: number): void => {
    calls += 1;
    budget.spend(1 + candidates.length / 4);
    best = Math.max(best, sum);
    let rest = candidates.reduce((total, node) => total + (values.get(node) ?? 0), 0);
    for (const [index, node] of candidates.entries()) {
      if (calls > MAX_CALLS || sum + rest <= best) return;
      const value = values.get(node) ?? 0;
      const neighbours = neighboursOf(node);
      const others = candidates.slice(index + 1).filter((other) => neighbours.has(other));
      search(others, sum + value);
      rest -= value;
    }
  };
  const nodes = [...values.keys()];
  if (nodes.length <= MAX_NODES) search(nodes, 0);
  if (nodes.length <= MAX_NODES && calls <= MAX_CALLS) return best;
  const sums = nodes.map((node) => {
    const neighbours = neighboursOf(node);
    budget.spend(1 + nodes.length / 4);
    return nodes.reduce(
      (sum, other) =>
        sum + (other === node || neighbours.has(other) ? (values.get(other) ?? 0) : 0),
      0,
    );
  });
  return Math.max(...sums);
}
