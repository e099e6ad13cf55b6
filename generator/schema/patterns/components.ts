/** The edges of a directed graph whose nodes are numbers. */
export type Successors = (node: number) => Iterable<number>;

/**
 * The number of the strongly connected component of each node that is reachable from the starts. An edge never leads to
 * a component with a higher number. Tarjan's algorithm, without recursion since hostile input makes deep graphs.
 */
export function strongComponents(
  starts: Iterable<number>,
  successors: Successors,
): Map<number, number> {
  const search = new ComponentSearch(successors);
  for (const start of starts) search.from(start);
  return search.components;
}

interface Frame {
  readonly node: number;
  readonly edges: Iterator<number>;
}

class ComponentSearch {
  readonly components = new Map<number, number>();
  readonly #successors: Successors;
  readonly #order = new Map<number, number>();
  readonly #lowest = new Map<number, number>();
  readonly #unassigned: number[] = [];
  #count = 0;

  constructor(successors: Successors) {
    this.#successors = successors;
  }

  from(start: number): void {
    if (this.#order.has(start)) return;
    const frames = [this.#enter(start)];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const edge = frame.edges.next();
      if (edge.done === true) {
        frames.pop();
        this.#leave(frame.node, frames.at(-1)?.node);
      } else if (!this.#order.has(edge.value)) {
        frames.push(this.#enter(edge.value));
      } else if (!this.components.has(edge.value)) {
        this.#lowerTo(frame.node, this.#order.get(edge.value) ?? 0);
      }
    }
  }

  #enter(node: number): Frame {
    const order = this.#order.size;
    this.#order.set(node, order);
    this.#lowest.set(node, order);
    this.#unassigned.push(node);
    return { node, edges: this.#successors(node)[Symbol.iterator]() };
  }

  #lowerTo(node: number, order: number): void {
    this.#lowest.set(node, Math.min(order, this.#lowest.get(node) ?? order));
  }

  #leave(node: number, parent: number | undefined): void {
    const lowest = this.#lowest.get(node) ?? 0;
    if (lowest === this.#order.get(node)) this.#assign(node);
    if (parent !== undefined) this.#lowerTo(parent, lowest);
  }

  #assign(root: number): void {
    let node = this.#unassigned.pop();
    while (node !== undefined) {
      this.components.set(node, this.#count);
      if (node === root) break;
      node = this.#unassigned.pop();
    }
    this.#count += 1;
  }
}
