/** Pending items, each of them once. Code can wait until there is none. */
export class WaitGroup<Item> implements Iterable<Item> {
  /**
   * An array, though a set finds its items sooner. When V8 makes a new table for a busy set, the table before refers to the
   * new one. Once one of them counts as an old object, all later ones outlive the collections of young objects, with the
   * items that they had. The limits of a server keep these groups small.
   */
  readonly #items: Item[] = [];
  readonly #waiting = new Set<() => void>();

  get size(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    if (!this.#items.includes(item)) this.#items.push(item);
  }

  /** Removes an item that is done. */
  delete(item: Item): void {
    const index = this.#items.indexOf(item);
    const last = this.#items.at(-1);
    if (index >= 0 && last !== undefined) this.#items[index] = last;
    if (index >= 0) this.#items.pop();
    if (this.#items.length > 0) return;
    for (const proceed of this.#waiting) proceed();
  }

  /** Passes through the items of now, also through those that are removed meanwhile. */
  [Symbol.iterator](): Iterator<Item> {
    return [...this.#items].values();
  }

  /** Resolves when no item is pending, at the latest after this time. */
  async doneWithin(milliseconds: number): Promise<void> {
    if (this.#items.length === 0) return;
    await new Promise<void>((resolve) => {
      const proceed = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(proceed);
        resolve();
      };
      const timer = setTimeout(proceed, milliseconds);
      this.#waiting.add(proceed);
    });
  }
}
